// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "placement/axis.h"
#include "placement/parallelism_matrix.h"

namespace p2::inline placement {

/// Reads which axes are to stay inside an instance of a level, "tensor=node,expert=rack", axes by name or index, into
/// Axis::inside. Errors: an axis or level that is not there, an axis named twice, the level of the devices.
[[nodiscard]] Result<std::vector<Axis>> withInside(const System& system, std::vector<Axis> axes, std::string_view text);

/// Whether there are placements that keep every axis inside its level. The axes must fit the system (checkAxes()).
/// Errors: a level that the system does not have, or axes that together do not divide an instance of one.
[[nodiscard]] Result<void> checkInside(const System& system, const std::vector<Axis>& axes);

/// The first level on which each axis may be split: 0 where it may go anywhere, the one below Axis::inside elsewhere.
/// A level that is not there keeps nothing inside.
[[nodiscard]] std::vector<std::size_t> firstLevels(const System& system, const std::vector<Axis>& axes);

/// Walks the matrices of axes that fit a system and keep them inside their levels; others are never visited.
[[nodiscard]] MatrixEnumerator matricesOf(const System& system, const std::vector<Axis>& axes);
/// Number of matricesOf(), without walking them.
[[nodiscard]] Count countMatricesOf(const System& system, const std::vector<Axis>& axes);

}  // namespace p2::inline placement
