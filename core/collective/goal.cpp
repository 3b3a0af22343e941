// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/goal.h"

#include <algorithm>
#include <array>

#include "base/names.h"

namespace p2 {

DeviceState Distribution::stateOf(int k, int member, const Shard& shard) const {
  DeviceState state(k);
  if (holders != Holders::Everybody && member != 0) return state;
  for (int row = 0; row < k; ++row) {
    if (chunks == Chunks::OneEach && row * shard.count / k != shard.number) continue;
    for (int column = 0; column < k; ++column) {
      if (contributions == Contributions::Everyone || column == member) state.set(row, column);
    }
  }
  return state;
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

std::string knownGoals() {
  std::string known;
  for (const Goal& goal : goals()) known += (known.empty() ? "" : ", ") + std::string(goal.name);
  return known;
}

Result<Goal> goalFrom(std::string_view name) {
  for (const Goal& goal : goals()) {
    if (sameName(name, goal.name) || sameName(name, shortNameOf(goal.flat))) return goal;
  }
  return Error{"\"" + std::string(name) + "\" is not a goal; use one of " + knownGoals()};
}

}  // namespace p2
