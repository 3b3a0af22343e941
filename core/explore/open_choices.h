// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "explore/explore.h"

namespace p2::inline explore {

/// Undecided comparisons: programs with a longer prediction than the best of all that may still be faster within their
/// intervals (isOpenWhichIsFaster()).
struct OpenChoices {
  bool single = false;                  ///< the single collective on the best placement
  bool atDefault = false;               ///< the single collective on Exploration::defaultPlacement
  std::vector<std::size_t> placements;  ///< others, by their best programs, cheapest first
  friend bool operator==(const OpenChoices&, const OpenChoices&) = default;
};

/// Empty if intervals are unknown, if the best program was not kept, or if overlapping steps are ranked, whose errors
/// are unknown. Considers placements with kept programs. O(placements · log placements).
[[nodiscard]] OpenChoices openChoices(const Exploration& exploration);

/// "one AllReduce (389 µs), [[2,1],[1,8]] (356 µs) and 4 more placements", at most two of them by matrix; empty for
/// nothing.
[[nodiscard]] std::string openChoicesText(const Exploration& exploration, const OpenChoices& open);

}  // namespace p2::inline explore
