// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/lists.h"
#include "base/numbers.h"
#include "exporters/detail/formats.h"
#include "text/csv.h"

namespace p2::inline exporters {
namespace {

std::string listed(const DeviceGroup& devices) { return joined(devices, " ", &Device::value); }

/// One number when all members agree, as in the plan file.
std::string listed(const std::vector<ChunkSet>& held, const VectorCut& cut) {
  const bool same =
      std::all_of(held.begin(), held.end(), [&](const ChunkSet& set) { return countOf(set) == countOf(held[0]); });
  if (same) return std::to_string(cut.bytesOf(countOf(held[0])));
  return joined(held, " ", [&](const ChunkSet& set) { return std::to_string(cut.bytesOf(countOf(set))); });
}

}  // namespace

std::string planToCsv(const Plan& plan) {
  std::string text = "step,collective,group,devices,bytes_before,bytes_after,step_seconds,step_link,step_link_bytes\n";
  for (std::size_t i = 0; i < plan.steps().size(); ++i) {
    const PlanStep& step = plan.steps()[i];
    const std::string head = std::to_string(i + 1) + "," + std::string(nameOf(step.collective)) + ",";
    const StepCost& cost = plan.predicted().steps[i];
    const std::string tail = "," + exactNumber(cost.seconds) + "," + csvCell(plan.predicted().links[i]) + "," +
                             exactNumber(cost.linkBytes.value()) + "\n";
    for (std::size_t g = 0; g < step.groups.size(); ++g) {
      const PlanGroup& group = step.groups[g];
      text += head + std::to_string(g) + "," + listed(group.devices) + "," + listed(group.before, plan.cut()) + "," +
              listed(group.after, plan.cut()) + tail;
    }
  }
  return text;
}

}  // namespace p2::inline exporters
