// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace p2::inline collective {

/// Conditions of the rules on the members of a group (paper §3.2, Fig. 8).
enum class Premise {
  MembersNonEmpty,     ///< every member holds something
  RowsEqual,           ///< every member holds the same chunks
  ColumnsDisjoint,     ///< no contribution would be counted twice
  SizeDividesRows,     ///< the chunks divide evenly
  RowCountsEqual,      ///< every member holds as many chunks
  RowsDisjoint,        ///< no chunk is held by two members
  RootNonEmpty,        ///< the root, the first member, holds something
  MembersWithinRoot,   ///< the root has everything the members have
  RootTellsSomething,  ///< some member learns something
  OthersEmpty,         ///< only the root holds data
};

/// "every member holds the same chunks": the premise in words.
[[nodiscard]] std::string_view nameOf(Premise premise);

}  // namespace p2::inline collective
