// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "strategy/computation_graph.h"

namespace p2::inline graphs {

/// A computation graph that comes with the program, from resources/graphs.
struct BundledGraph {
  std::string_view name;         ///< its name in arguments: "resnet50"
  std::string_view description;  ///< for people
  std::string_view json;         ///< the file
};

/// Smallest first.
[[nodiscard]] std::span<const BundledGraph> bundledGraphs();
/// The graph of that name; the error names those there are.
[[nodiscard]] Result<ComputationGraph> bundledGraph(std::string_view name);

}  // namespace p2::inline graphs
