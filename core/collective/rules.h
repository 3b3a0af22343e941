// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collective/collective.h"
#include "collective/device_state.h"

namespace p2 {

/// The premises of the five rules (paper §3.2, Fig. 8), in the order in which they are tried.
enum class Premise {
  MembersNonEmpty,     ///< every member holds something
  RowsEqual,           ///< every member holds the same chunks
  ColumnsDisjoint,     ///< no contribution would be counted twice
  SizeDividesRows,     ///< the chunks can be dealt out evenly
  RowCountsEqual,      ///< every member holds as many chunks
  RowsDisjoint,        ///< no chunk is held by two members
  RootNonEmpty,        ///< the root has something to send
  MembersWithinRoot,   ///< the root knows at least what each member knows
  RootTellsSomething,  ///< some member learns something
};

/// "every member holds the same chunks": the premise in words.
[[nodiscard]] std::string_view nameOf(Premise premise);
/// The premises of one rule, in the order in which they are tried.
[[nodiscard]] const std::vector<Premise>& premisesOf(Collective collective);
/// The rule in one line: "rows equal ∧ columns disjoint ⟹ every member holds the union".
[[nodiscard]] std::string_view effectOf(Collective collective);

/// Why a rule does not apply to a group.
struct PremiseFailure {
  Collective rule{};
  Premise premise{};
  std::vector<std::int64_t> group;    ///< the whole group, in order
  std::vector<std::int64_t> members;  ///< the one or two devices that break the premise
  std::vector<int> rows;              ///< chunks concerned
  std::vector<int> columns;           ///< contributions concerned (reduction-group members)
  /// "chunk 3 already contains device 5's contribution on both device 1 and device 4".
  std::string sentence;
  friend bool operator==(const PremiseFailure&, const PremiseFailure&) = default;
};

/// Names for the numbers in a failure's sentence.
struct GroupNames {
  std::vector<std::int64_t> devices;       ///< device number of every member, in group order
  std::vector<std::int64_t> contributors;  ///< device number behind every column
};

/// Applies one rule to the states of one group, in group order, the first being the root. Either every member's new
/// state or the first premise that fails. All states have the same size k; O(members · k²/64) words.
[[nodiscard]] std::variant<std::vector<DeviceState>, PremiseFailure> applyRule(
    Collective collective, const std::vector<const DeviceState*>& members, const GroupNames& names);

}  // namespace p2
