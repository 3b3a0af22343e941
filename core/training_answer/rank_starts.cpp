// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/detail/rank_starts.h"

#include <algorithm>

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

Result<RankStarts> rankStarts(const System& system, const PlannedConfiguration& planned) {
  P2_TRY_ASSIGN(const auto order, defaultOrder(system, planned));
  return RankStarts{rankPlaces(system, {planned.axes, planned.matrix}, order), orderText(planned.axes, order)};
}

}  // namespace p2::inline training_answer
