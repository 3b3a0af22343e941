// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "synthesis/lowering.h"
#include "system/topology.h"

namespace p2 {

/// How a collective moves its bytes.
enum class Algorithm {
  Ring,  ///< neighbours in device order
  Tree,  ///< AllReduce by chains inside nodes and a double binary tree between them; everything else as Ring
  Auto,  ///< the cheaper of the two, step by step
};

[[nodiscard]] std::string_view nameOf(Algorithm algorithm);
[[nodiscard]] Result<Algorithm> algorithmFrom(std::string_view name);

/// What is predicted: `repeat` runs of a program on vectors of `bytes` per device. The defaults are the paper's
/// experiment: 10 runs on 2^29 float32 per device.
struct CostOptions {
  Algorithm algorithm = Algorithm::Ring;
  double bytes = 2147483648.0;
  int repeat = 10;
  friend bool operator==(const CostOptions&, const CostOptions&) = default;
};

/// The predicted time of one step and where it goes.
struct StepCost {
  double seconds = 0;                     ///< of all repeats
  LinkId link = -1;                       ///< the busiest link; the lowest number among equals
  double linkBytes = 0;                   ///< over it, in one run
  Algorithm algorithm = Algorithm::Ring;  ///< the one that was cheaper, for Auto
  friend bool operator==(const StepCost&, const StepCost&) = default;
};

/// The cheaper of the two for Algorithm::Auto; the ring when they differ by rounding only.
[[nodiscard]] const StepCost& cheaper(const StepCost& ring, const StepCost& tree);

/// Prices a lowered step flow by flow, all its groups at once: max over links of load / bandwidth, plus the latency
/// term. O(flows · route length + links).
[[nodiscard]] StepCost simulateStep(const Topology& topology, const LoweredStep& step, const CostOptions& options);

}  // namespace p2
