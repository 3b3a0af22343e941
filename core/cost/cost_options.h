// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "collective/collective_traits.h"

namespace p2 {

/// How a collective moves its bytes.
enum class Algorithm {
  Ring,  ///< neighbours in device order
  Tree,  ///< AllReduce by chains inside nodes and a double binary tree between them; everything else as Ring
  Auto,  ///< the cheapest of the others, step by step
};

[[nodiscard]] std::string_view nameOf(Algorithm algorithm);
[[nodiscard]] Result<Algorithm> algorithmFrom(std::string_view name);

/// The algorithms among which the cheapest is looked for when `wanted` is asked for: itself, all for Auto. Only Ring
/// for a collective that sends in the same way under each.
[[nodiscard]] std::span<const Algorithm> candidatesFor(Collective collective, Algorithm wanted);
/// How a collective sends under Ring or Tree.
[[nodiscard]] FlowShape shapeOf(Collective collective, Algorithm algorithm);

/// What is predicted: `repeat` runs of a program on vectors of `bytes` per device, by a model of costModels(). The
/// defaults are the paper's experiment: 10 runs on 2^29 float32 per device.
struct CostOptions {
  Algorithm algorithm = Algorithm::Ring;
  Bytes bytes{2147483648.0};
  int repeat = 10;
  std::string model = "paper";
  friend bool operator==(const CostOptions&, const CostOptions&) = default;
};

}  // namespace p2
