// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "workload/generate/generator.h"
#include "workload/generate/training_recipe.h"

namespace p2::test {

inline std::string joinedAxes(std::vector<std::string> axes) {
  std::sort(axes.begin(), axes.end());
  std::string text;
  for (const std::string& axis : axes) text += (text.empty() ? "" : ",") + axis;
  return text;
}

/// "AllGather tensor 480 × 2147483648 none", sorted: what a price depends on, alike entries as one.
inline std::vector<std::string> entryLines(const Workload& workload) {
  std::vector<std::string> lines;
  for (const WorkloadEntry& entry : collapsed(workload).collectives) {
    const bool exposed = entry.overlap.extent == CommunicationOverlap::Extent::None;
    const bool hidden = entry.overlap.extent == CommunicationOverlap::Extent::Compute;
    lines.push_back(std::string(nameOf(entry.kind)) + " " + joinedAxes(entry.axes) + " " + std::to_string(entry.count) +
                    " × " + std::to_string(entry.bytes) +
                    (exposed  ? " none"
                     : hidden ? " compute"
                              : " partly"));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Null where there is none.
inline const WorkloadEntry* entryNamed(const Workload& workload, std::string_view name, CommunicationKind kind) {
  for (const WorkloadEntry& entry : workload.collectives) {
    if (entry.name == name && entry.kind == kind) return &entry;
  }
  return nullptr;
}

inline std::string asLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

inline WorkloadSource recipeSource(const char* name, std::vector<PlanChange> changes = {}) {
  auto source = recipeWorkload(bundledRecipe(name).value(), changes);
  return source.ok() ? std::move(source).value() : WorkloadSource{{source.error().text(), {}, {}, {}, {}}, {}, {}, {}};
}

}  // namespace p2::test
