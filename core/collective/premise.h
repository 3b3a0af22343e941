// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace p2 {

/// What the rules ask of the members of a group (paper §3.2, Fig. 8).
enum class Premise {
  MembersNonEmpty,     ///< every member holds something
  RowsEqual,           ///< every member holds the same chunks
  ColumnsDisjoint,     ///< no contribution would be counted twice
  SizeDividesRows,     ///< the chunks can be dealt out evenly
  RowCountsEqual,      ///< every member holds as many chunks
  RowsDisjoint,        ///< no chunk is held by two members
  RootNonEmpty,        ///< the root, the first member, holds something
  MembersWithinRoot,   ///< no member knows what the root does not
  RootTellsSomething,  ///< some member learns something
  OthersEmpty,         ///< nobody but the root holds anything
};

/// "every member holds the same chunks": the premise in words.
[[nodiscard]] std::string_view nameOf(Premise premise);

}  // namespace p2
