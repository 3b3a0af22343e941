// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "system/system.h"

namespace p2::views {

/// The children of an instance as a grid that rings close in both directions: row by row, the members of one ring in
/// every row and of another in every column.
struct Torus {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  int alongRows = -1;     ///< the network whose rings are the rows
  int alongColumns = -1;  ///< … the columns
};

/// The torus that the instances of a level are in each instance of the level above it; none if they are not.
[[nodiscard]] std::optional<Torus> torusOf(const System& system, std::size_t level);

/// Whether each ring of a network has one member in every instance of a level, in their order, and stands in what holds
/// those: the third dimension of a torus, for example.
[[nodiscard]] bool joinsNeighbours(const System& system, int network, std::size_t level);

}  // namespace p2::views
