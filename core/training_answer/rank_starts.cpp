// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/detail/rank_starts.h"

#include <algorithm>

#include "placement/realisation.h"
#include "step/framework_orders.h"

namespace p2::inline training_answer {
namespace {

/// The framework's default order of the axes, slowest first.
Result<AxisOrder> defaultOrder(const System& system, const PlannedConfiguration& planned) {
  const std::string_view name = planned.framework->orders.front();
  for (const FrameworkOrder& order :
       frameworkOrders(system, planned.axes, std::vector<double>(planned.axes.size(), 0))) {
    if (order.name != name) continue;
    AxisOrder made;
    for (const std::string& axis : order.axes) {
      const auto found =
          std::find_if(planned.axes.begin(), planned.axes.end(), [&](const Axis& each) { return each.name == axis; });
      if (found != planned.axes.end()) made.push_back(static_cast<std::size_t>(found - planned.axes.begin()));
    }
    if (made.size() == planned.axes.size()) return made;
  }
  return Error{std::string(planned.framework->label) + " has no order of ranks for the axes of the plan"};
}

}  // namespace

bool RankStarts::keepsDevices() const { return std::is_sorted(locals.begin(), locals.end()); }

std::vector<std::int64_t> RankStarts::nodeOrder() const {
  std::vector<std::int64_t> made;
  const auto size = static_cast<std::size_t>(perNode);
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    if (rank % size == 0) made.push_back(nodes[rank]);
    if (nodes[rank] != made.back()) return {};
  }
  return made;
}

Result<RankStarts> rankStarts(const System& system, const PlannedConfiguration& planned) {
  RankStarts starts;
  starts.perNode = devicesPerNode(system);
  P2_TRY_ASSIGN(const auto order, defaultOrder(system, planned));
  starts.order = orderText(planned.axes, order);
  for (const Device device : devicesByRank({planned.axes, planned.matrix}, order)) {
    starts.nodes.push_back(device.value() / starts.perNode);
    starts.slots.push_back(device.value() % starts.perNode);
    if (starts.nodes.back() == 0) starts.locals.push_back(starts.slots.back());
  }
  return starts;
}

}  // namespace p2::inline training_answer
