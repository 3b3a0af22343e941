// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/units.h"
#include "exporters/exporters.h"
#include "text/text_table.h"

namespace p2 {
namespace {

std::string linkText(const Interconnect& link) {
  std::string text = (link.name.empty() ? "" : link.name + ", ") + std::string(nameOf(link.kind)) + ", " +
                     formatBandwidth(link.bandwidth);
  return link.latency > 0 ? text + ", " + formatSeconds(link.latency) : text;
}

std::string axesText(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) {
    text +=
        (text.empty() ? "" : ", ") + axis.name + " " + std::to_string(axis.size) + (axis.reduce ? " (reduced)" : "");
  }
  return text;
}

std::string listed(const DeviceGroup& devices) {
  std::string text;
  for (const Device device : devices) text += (text.empty() ? "" : " ") + std::to_string(device);
  return text;
}

/// What the members hold: one amount when all agree, else the smallest to the largest.
std::string holdingText(const std::vector<double>& shares, double bytes) {
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  const std::string text = formatBytes(*most * bytes);
  return *least == *most ? text : formatBytes(*least * bytes) + "–" + text;
}

std::string headText(const Plan& plan) {
  const Workspace& workspace = plan.workspace;
  const CostOptions& cost = workspace.options.cost;
  TextTable table({{}, {}});
  table.add({"System", workspace.system.name + ", " + describe(workspace.system) + ", " +
                           std::to_string(workspace.system.deviceCount()) + " devices"});
  for (const Level& level : workspace.system.levels) table.add({"  " + level.name, linkText(level.interconnect)});
  table.add({"Axes", axesText(workspace.axes)});
  table.add({"Placement", workspace.matrix.text()});
  table.add({"Program", workspace.program});
  table.add({"Rules", std::string(nameOf(workspace.options.rules))});
  table.add({"Predicted", formatSeconds(plan.seconds) + " for " + std::to_string(cost.repeat) + " × " +
                              formatBytes(cost.bytes) + " per device (" + cost.model + " model, " +
                              std::string(nameOf(cost.algorithm)) + ")"});
  table.add({"AllReduce", formatSeconds(plan.allReduceSeconds) + ", " +
                              formatFactor(plan.seconds > 0 ? plan.allReduceSeconds / plan.seconds : 1) +
                              " the program's time"});
  if (!workspace.notes.empty()) table.add({"Notes", workspace.notes});
  return table.text();
}

std::string stepText(const Plan& plan, std::size_t index) {
  const LoweredStep& step = plan.lowered[index];
  const StepCost& cost = plan.steps[index];
  const double bytes = plan.workspace.options.cost.bytes;
  std::string text = "\nStep " + std::to_string(index + 1) + ": " + std::string(nameOf(step.collective)) + ", " +
                     formatSeconds(cost.seconds);
  if (!plan.links[index].empty()) {
    text += ", busiest link " + plan.links[index] + " (" + formatBytes(cost.linkBytes) + ")";
  }
  if (plan.workspace.options.cost.algorithm == Algorithm::Auto) text += ", " + std::string(nameOf(cost.algorithm));
  TextTable table({{"group", TextTable::Align::Right},
                   {"before", TextTable::Align::Right},
                   {"after", TextTable::Align::Right},
                   {"devices"}});
  for (std::size_t g = 0; g < step.groups.size(); ++g) {
    const LoweredGroup& group = step.groups[g];
    table.add(
        {std::to_string(g), holdingText(group.before, bytes), holdingText(group.after, bytes), listed(group.devices)});
  }
  return text + "\n" + table.text(2);
}

}  // namespace

std::string planToText(const Plan& plan) {
  std::string text = headText(plan);
  for (std::size_t i = 0; i < plan.lowered.size(); ++i) text += stepText(plan, i);
  return text;
}

}  // namespace p2
