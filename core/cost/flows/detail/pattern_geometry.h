// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "synthesis/state_graph.h"
#include "system/topology.h"

namespace p2::inline cost {

/// Positions of a pattern's groups in one hardware level. A device's place in the level is the sum of two parts:
/// its group's base, from the digits that the pattern fixes, and its offset in the group, from the digits that
/// vary.
struct LevelGeometry {
  /// The bases of one class of groups (see GroupShare::outsideClass).
  struct Bases {
    LevelSet nonFirst = 0;  ///< the synthesis levels on which these bases' digits are not zero
    std::int64_t count = 1;
    std::int64_t lowest = 0;
    std::vector<std::int64_t> positions;  ///< in rings only, where the links in between matter
  };
  /// A digit of the place in the level.
  struct PlaceDigit {
    std::int64_t size = 1;
    std::int64_t stride = 1;
  };
  std::vector<PlaceDigit> visiting;  ///< digits a group varies here, most significant first
  std::int64_t visits = 1;           ///< places one group visits: ∏ sizes
  std::vector<Bases> bases;
  std::int64_t run = 1;  ///< members of a group below one instance
  bool crossed = false;  ///< whether a group leaves an instance of this level

  /// The i-th place visited, relative to the base; ascending in i.
  [[nodiscard]] std::int64_t visited(std::int64_t i) const;
};

/// One entry per hardware level, outermost first. O(digits), and O(level sizes) for rings.
using PatternGeometry = std::vector<LevelGeometry>;

/// Positions of a pattern's groups on a system.
[[nodiscard]] PatternGeometry geometryOf(const Topology& topology, const SynthesisHierarchy& hierarchy,
                                         const GroupPattern& pattern);

}  // namespace p2::inline cost
