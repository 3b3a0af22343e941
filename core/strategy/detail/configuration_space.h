// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "base/result.h"
#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// Into how many parts a dimension may be split.
enum class SpaceKind {
  All,          ///< any number of parts that leaves none empty
  Divisors,     ///< the dimension's divisors that leave at least a cutoff in each part
  PowersOfTwo,  ///< 1, 2, 4, … up to the dimension's size
};

/// Names in the order of the enumerators.
inline constexpr std::array<std::string_view, 3> kSpaceNames{"all", "divisors", "powers-of-two"};
[[nodiscard]] constexpr std::string_view nameOf(SpaceKind kind) { return kSpaceNames[static_cast<std::size_t>(kind)]; }

/// The configurations that an operator can choose from.
struct ConfigurationSpace {
  SpaceKind kind = SpaceKind::Divisors;
  /// Least size of a part, for Divisors; a dimension that is left whole may be smaller, and one expert is a part.
  std::int64_t cutoff = 8;
  bool exactly = false;  ///< ∏ parts = the devices; otherwise ≤
  /// Leaves out configurations whose product does not divide the devices: no parallelism matrix places them.
  bool dividing = false;
  friend bool operator==(const ConfigurationSpace&, const ConfigurationSpace&) = default;
};

/// Whether a dimension may be split into this many parts, for any number of devices.
[[nodiscard]] bool allowsParts(const Dimension& dimension, const ConfigurationSpace& space, std::int64_t parts);

/// Largest number of configurations of one operator that are listed.
inline constexpr std::uint64_t kMostConfigurations = 20'000;

/// Number of configurations of an operator on that many devices, without listing them. Exact while each dimension has
/// at most kMostConfigurations numbers of parts; with more it is a lower bound, above kMostConfigurations.
[[nodiscard]] Count countConfigurations(const Operator& op, const ConfigurationSpace& space, std::int64_t devices);

/// All of them, in lexicographic order. Errors: more than kMostConfigurations (says how many), or none at all, as when
/// nothing multiplies to exactly the devices.
[[nodiscard]] Result<std::vector<Configuration>> configurationsOf(const Operator& op, const ConfigurationSpace& space,
                                                                  std::int64_t devices);

}  // namespace p2::inline strategy
