// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/goal.h"

#include <algorithm>
#include <array>

#include "base/lists.h"
#include "base/names.h"

namespace p2::inline collective {

DeviceState Distribution::stateOf(int k, int member, const Shard& shard) const {
  if (holders != Holders::EveryMember && member != 0) return DeviceState(k);
  DeviceState state =
      contributions == Contributions::Everyone ? DeviceState::complete(k) : DeviceState::initial(k, member);
  if (chunks != Chunks::OneEach) return state;
  std::vector<int> rows;
  for (int row = 0; row < k; ++row) {
    if (row * shard.count / k == shard.number) rows.push_back(row);
  }
  return state.keepingRows(rows, 0, rows.size());
}

bool Distribution::allows(const DeviceState& state, const DeviceState& wanted) const {
  if (holders == Holders::AtLeastRoot && wanted.empty()) return true;
  if (chunks == Chunks::All || wanted.empty()) return state == wanted;
  const std::vector<int> rows = state.rows();
  const std::vector<int> columns = wanted.columns(wanted.rows()[0]);
  return static_cast<int>(rows.size()) == wanted.rowCount() &&
         std::all_of(rows.begin(), rows.end(), [&](int row) { return state.columns(row) == columns; });
}

std::span<const Goal> goals() {
  static constexpr std::array kGoals{kAllReduceGoal,   kReduceScatterGoal, kAllGatherGoal, kReduceGoal,
                                     kLooseReduceGoal, kBroadcastGoal,     kScatterGoal,   kAllToAllGoal};
  return kGoals;
}

std::string knownGoals() { return joined(goals(), ", ", &Goal::name); }

Result<Goal> goalFrom(std::string_view name) {
  for (const Goal& goal : goals()) {
    if (sameName(name, goal.name) || sameName(name, shortNameOf(goal.single))) return goal;
  }
  return Error{"\"" + std::string(name) + "\" is not a goal; use one of " + knownGoals()};
}

}  // namespace p2::inline collective
