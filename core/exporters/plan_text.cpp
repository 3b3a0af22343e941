// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/counted.h"
#include "base/lists.h"
#include "base/units.h"
#include "exporters/detail/formats.h"
#include "placement/realisation.h"
#include "text/text_table.h"

namespace p2::inline exporters {
namespace {

constexpr std::size_t kListedEntries = 24;

std::string linkText(const Interconnect& link) {
  std::string text = (link.name.empty() ? "" : link.name + ", ") + std::string(nameOf(link.kind)) + ", " +
                     formatBandwidth(link.bandwidth);
  return link.latency > 0 ? text + ", " + formatSeconds(link.latency) : text;
}

std::string axesText(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) {
    const char* const role = axis.replicate ? " (reduced, replicated)" : axis.reduce ? " (reduced)" : "";
    text += (text.empty() ? "" : ", ") + axis.name + " " + std::to_string(axis.size) + role;
  }
  return text;
}

std::string devicesText(const DeviceGroup& devices) { return joined(devices, " ", &Device::value); }

/// The members' amounts: one amount when all agree, else the smallest to the largest.
std::string holdingText(const std::vector<ChunkSet>& held, const VectorCut& cut) {
  std::vector<std::int64_t> counts;
  for (const ChunkSet& set : held) counts.push_back(countOf(set));
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  const auto text = [&](std::int64_t count) { return formatBytes(Bytes(static_cast<double>(cut.bytesOf(count)))); };
  return *least == *most ? text(*most) : text(*least) + "–" + text(*most);
}

std::string vectorText(const VectorCut& cut) {
  std::string text = countedText(cut.elements, "element") + " of " + std::to_string(kElementBytes) + " bytes, in " +
                     countedText(cut.chunks, "chunk") + " of " + std::to_string(cut.chunkElements);
  if (cut.paddedElements() > cut.elements) {
    text += ", filled up with " + std::to_string(cut.paddedElements() - cut.elements);
  }
  return text;
}

/// Lists the communication of the document's training step; the program may be one of its collectives.
void addWorkload(TextTable& table, const Workspace& workspace) {
  if (!workspace.workload) return;
  const auto& entries = workspace.workload->collectives;
  table.add({"Training step", workspace.workload->name + ": " + countedText(entries.size(), "kind") +
                                  " of communication; p2 step gives their times"});
  for (std::size_t i = 0; i < std::min(entries.size(), kListedEntries); ++i) {
    const WorkloadEntry& entry = entries[i];
    const std::string over = joined(entry.axes);
    table.add({"  " + entry.name, std::string(nameOf(entry.kind)) + " over " + over + ", " +
                                      std::to_string(entry.count) + " × " +
                                      formatBytes(Bytes(static_cast<double>(entry.bytes)))});
  }
}

std::string headText(const Plan& plan) {
  const Workspace& workspace = plan.workspace();
  const CostOptions& cost = workspace.options.cost;
  TextTable table({{}, {}});
  table.add({"System", workspace.system.name + ", " + describe(workspace.system) + ", " +
                           countedText(workspace.system.deviceCount(), "device")});
  for (const Level& level : workspace.system.levels) table.add({"  " + level.name, linkText(level.interconnect)});
  table.add({"Axes", axesText(workspace.axes)});
  table.add({"Placement", workspace.matrix.text()});
  for (const Realisation& way : realisableBy(workspace.system, workspace.axes, workspace.matrix)) {
    table.add({"  by " + way.name, way.reason});
  }
  table.add({"Program", workspace.program});
  table.add({"Vector", vectorText(plan.cut())});
  table.add({"Rules", std::string(nameOf(workspace.options.rules))});
  table.add({"Predicted", formatSeconds(plan.predicted().seconds) + " for " + std::to_string(cost.repeat) + " × " +
                              formatBytes(cost.bytes) + " per device (" + cost.model + " model, " +
                              std::string(nameOf(cost.algorithm)) + ")"});
  table.add(
      {singleNameOf(plan.workspace()),
       formatSeconds(plan.predicted().singleSeconds) + ", " +
           formatFactor(plan.predicted().seconds > 0 ? plan.predicted().singleSeconds / plan.predicted().seconds : 1) +
           " the program's time"});
  addWorkload(table, workspace);
  if (!workspace.notes.empty()) table.add({"Notes", workspace.notes});
  return table.text();
}

std::string stepText(const Plan& plan, std::size_t index) {
  const PlanStep& step = plan.steps()[index];
  const StepCost& cost = plan.predicted().steps[index];
  const std::string& link = plan.predicted().links[index];
  std::string text = "\nStep " + std::to_string(index + 1) + ": " + std::string(nameOf(step.collective)) + ", " +
                     formatSeconds(cost.seconds);
  if (!link.empty()) {
    text += ", busiest link " + link + " (" + formatBytes(cost.linkBytes) + ")";
  }
  if (plan.workspace().options.cost.algorithm == Algorithm::Auto || cost.protocol != Protocol::None) {
    text += ", " + choiceText(cost);
  }
  TextTable table({{"group", TextTable::Align::Right},
                   {"before", TextTable::Align::Right},
                   {"after", TextTable::Align::Right},
                   {"devices"}});
  for (std::size_t g = 0; g < step.groups.size(); ++g) {
    const PlanGroup& group = step.groups[g];
    table.add({std::to_string(g), holdingText(group.before, plan.cut()), holdingText(group.after, plan.cut()),
               devicesText(group.devices)});
  }
  return text + "\n" + table.text(2);
}

}  // namespace

std::string planToText(const Plan& plan) {
  std::string text = headText(plan);
  for (std::size_t i = 0; i < plan.steps().size(); ++i) text += stepText(plan, i);
  return text;
}

}  // namespace p2::inline exporters
