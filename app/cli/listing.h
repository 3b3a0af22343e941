// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>
#include <string>

#include "explore/explore.h"
#include "step/other_axes.h"
#include "text/document.h"

namespace p2::cli {

/// Largest number of placements or programs that are listed one by one.
inline constexpr std::uint64_t kMostListed = 1'000'000;

/// The form of a shown exploration.
struct ListingStyle {
  bool json = false;
  bool programs = true;    ///< list the programs, not only their number
  bool simulated = false;  ///< with the time of every step, its parts, and the single collective
  bool ranked = false;     ///< one list over all placements, cheapest first
  bool goal = false;       ///< in JSON: the goal, which the text always names
  bool bound = false;      ///< in JSON: the lower bound of every placement, which the text always has
  std::shared_ptr<const OtherAxes> others = {};  ///< costs of placements for the other axes; null to leave them out
};

/// The programs of every placement, or the cheapest of all. Both arguments must outlive the answer.
[[nodiscard]] Document programsAnswer(const Exploration& exploration, const ListingStyle& style);

/// The cost of every placement for the axes that are not reduced over. Null where there are too many placements to
/// price them all; a note on stderr says so. Errors: as otherAxes().
[[nodiscard]] Result<std::shared_ptr<const OtherAxes>> pricedOtherAxes(const Workspace& workspace);
/// [{"axis": "tensor", "crosses": "node", …}].
[[nodiscard]] Value otherAxesValue(const OtherAxes& others, const ParallelismMatrix& matrix);
/// "tensor crosses nodes: 37.6 ms/GiB, 9.0× its best; …"; empty where nothing is known.
[[nodiscard]] std::string otherAxesText(const std::shared_ptr<const OtherAxes>& others,
                                        const ParallelismMatrix& matrix);

/// [[1, 8], [2, 1]] in JSON, its own notation as text.
[[nodiscard]] Value matrixValue(const ParallelismMatrix& matrix);
/// KEY_low and KEY_high, where an interval is known.
void addRange(Document& answer, const std::string& key, const std::optional<SecondsRange>& range);
/// "scatter", the axes that a sum is scattered over; empty where it is not replicated along others.
void addScatter(Document& answer, const Workspace& workspace);
/// "1 program", "47 programs".
[[nodiscard]] std::string counted(const Count& count, const std::string& noun);

}  // namespace p2::cli
