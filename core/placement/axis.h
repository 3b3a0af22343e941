// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "system/system.h"

namespace p2::inline placement {

/// A form of parallelism: how many ways it splits the work, and whether data is reduced along it (paper §2.1).
struct Axis {
  std::string name;
  std::int64_t size = 1;
  bool reduce = false;
  /// Excludes this axis from the scattering of a sum. Devices that differ only along it end with the same part, like
  /// the replicas of hybrid sharding (HSDP).
  bool replicate = false;
  /// The level whose instances the axis is to stay inside, by name: "node" for an axis that must not cross nodes.
  /// Empty where it may go anywhere. Placements that break it are not enumerated (containment.h).
  std::string inside = {};
  friend bool operator==(const Axis&, const Axis&) = default;
};

inline constexpr std::size_t kMostAxes = 16;

[[nodiscard]] std::vector<std::int64_t> sizesOf(const std::vector<Axis>& axes);

/// The position of an axis by its name, else by its number from 0. Errors: there is none.
[[nodiscard]] Result<std::size_t> axisNamed(const std::vector<Axis>& axes, const std::string& text);

/// "8,2,4" as axes named axis0, axis1, …; "data=8,model=2,shards=4" with names. Sizes ≥ 1. Blanks may stand for commas
/// and for '=': "8 2 4", "data 8, model 2".
[[nodiscard]] Result<std::vector<Axis>> parseAxes(std::string_view text);
/// Marks the axes to reduce over: indices ("0,2") or names ("data,shards"), parted by commas or blanks.
[[nodiscard]] Result<std::vector<Axis>> withReduction(std::vector<Axis> axes, std::string_view text);

/// Marks the axes over which the result of a ReduceScatter is scattered, by index or name; other reduced axes are
/// replicated. Errors: an axis that is not reduced over, a repeated axis, none of size 2 or more.
[[nodiscard]] Result<std::vector<Axis>> withScatter(std::vector<Axis> axes, std::string_view text);
/// The names of the axes over which a result is scattered if it is replicated along others; otherwise empty.
[[nodiscard]] std::vector<std::string> scatteredAxes(const std::vector<Axis>& axes);
/// The axes with nothing replicated.
[[nodiscard]] std::vector<Axis> withoutReplicas(std::vector<Axis> axes);

/// Whether ∏ sizes = the system's devices; the error names both products, and the size that would fit instead.
[[nodiscard]] Result<void> checkAxes(const System& system, const std::vector<Axis>& axes);
/// Whether at least one axis is reduced over and not all of those have size 1.
[[nodiscard]] Result<void> checkReduction(const std::vector<Axis>& axes);
/// Whether only axes that are reduced over are replicated, and one of size 2 or more is not.
[[nodiscard]] Result<void> checkReplicas(const std::vector<Axis>& axes);

/// The size axis `index` needs for the product to fit; 0 when the other axes do not divide the number of devices.
[[nodiscard]] std::int64_t fittingSize(const System& system, const std::vector<Axis>& axes, std::size_t index);

}  // namespace p2::inline placement
