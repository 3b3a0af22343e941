// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "base/progress.h"
#include "strategy/detail/collective_pricer.h"
#include "strategy/graph_cost_options.h"
#include "strategy/operator_costs.h"

namespace p2::inline strategy {

/// The axes in which a configuration arranges the devices, each with the dimension of the operator that it splits.
/// Where the configuration needs only a proper divisor of the devices, one more axis (kCopies) counts the copies of the
/// rest.
struct DeviceAxes {
  static constexpr std::size_t kCopies = static_cast<std::size_t>(-1);
  std::vector<std::int64_t> sizes;
  std::vector<std::size_t> dimensions;
};
[[nodiscard]] DeviceAxes deviceAxesOf(const Configuration& configuration, std::int64_t devices);

/// Seconds that one microbatch of an operator computes on each device, forward and backward: kernelSeconds() where the
/// kernels are known. Otherwise at full speed, a third of it forward: the time of its multiply-adds, or of its tensors'
/// way through the memory if that is longer (the roofline, Williams et al., CACM 2009). An operator that is
/// recomputed runs forward again in the backward pass.
[[nodiscard]] PassSeconds passSeconds(const Operator& op, const Configuration& configuration,
                                      const GraphCostOptions& options);
/// Seconds of both passes of passSeconds().
[[nodiscard]] double computeSeconds(const Operator& op, const Configuration& configuration,
                                    const GraphCostOptions& options);

/// The gathering of ZeRO 3 in addition to one gathering per step, which every stage of ZeRO has: parameters are
/// gathered before the forward and before the backward pass of every microbatch, and all but the first time are counted
/// here. Each is given as the all-reduce of half the bytes, which takes as long. Empty for lower stages.
[[nodiscard]] std::vector<AllReduceDemand> regatheringsOf(const Operator& op, const Configuration& configuration,
                                                          const DeviceAxes& axes, const GraphCostOptions& options);

/// An operator's all-reduces on those axes, in the order of reductionsOf(): gradients of parameters once a step, or
/// from stage 2 of ZeRO on as scatters in every pass and one gather; the others in every pass.
[[nodiscard]] std::vector<AllReduceDemand> demandsOf(const Operator& op, const Configuration& configuration,
                                                     const DeviceAxes& axes, const GraphCostOptions& options);

/// The cost tables of a valid graph, in seconds per training step: vertices in operator order, configurations in
/// lexicographic order. Equal operators share a domain, equal edges a table. Under the
/// hierarchical model every operator has the placement that is best for it alone, and edges compare numbers of parts,
/// not their places, so that no common mesh need reach these costs; strategies on a mesh have the costs of
/// mappedProblem(). Errors: options out of range, an operator with too many configurations or none, more than
/// kMostTableCells (known before any is computed), cancelled, and errors of the pricer.
[[nodiscard]] Result<StrategyProblem> strategyProblemFrom(const ComputationGraph& graph,
                                                          const GraphCostOptions& options, CollectivePricer& pricer,
                                                          std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2::inline strategy
