// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "strategy/detail/backward_needs.h"
#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// State of the optimizer for every parameter, in 4 bytes a number; parameters of fewer bytes have a copy in 4 bytes as
/// well (mixed precision).
enum class Optimizer {
  Adam,      ///< two moments: 8 bytes a parameter, 12 in mixed precision
  Momentum,  ///< one: 4 and 8
  None,      ///< inference, or plain gradient descent: 0 and 4
};
/// Names in the order of the enumerators.
inline constexpr std::array<std::string_view, 3> kOptimizerNames{"adam", "momentum", "none"};
[[nodiscard]] constexpr std::string_view nameOf(Optimizer optimizer) {
  return kOptimizerNames[static_cast<std::size_t>(optimizer)];
}
/// The optimizer of a name; the error lists the names.
[[nodiscard]] Result<Optimizer> optimizerFrom(std::string_view name);

/// Options of a training step's use of device memory.
struct MemoryOptions {
  Optimizer optimizer = Optimizer::Adam;
  /// Stage of ZeRO (Rajbhandari et al., SC 2020). 0: all devices that sum up a parameter's gradient keep all of it.
  /// 1: they shard the optimizer's state, 2: also the gradients, 3: also the parameters, which are gathered in either
  /// pass.
  int zero = 0;
  Recomputation recomputation = Recomputation::None;
  /// Bytes of a parameter and of its gradient, where they differ from an element's: mixed precision adds up
  /// gradients in fp32, and keeps parameters in 16 bits where products take 8. 0 for an element's.
  Bytes parameterBytes = {};
  Bytes gradientBytes = {};
  [[nodiscard]] Bytes ofParameter(Bytes element) const { return parameterBytes > Bytes(0) ? parameterBytes : element; }
  [[nodiscard]] Bytes ofGradient(Bytes element) const { return gradientBytes > Bytes(0) ? gradientBytes : element; }
  friend bool operator==(const MemoryOptions&, const MemoryOptions&) = default;
};

/// The part of the question that an error of kind TooLarge is about when no strategy fits the memory of a device: an
/// answer, not bad input.
inline constexpr const char* kNothingFits = "/device_memory";

/// The highest stage of ZeRO.
inline constexpr int kMostZero = 3;

/// Memory of one device in a step.
struct StepMemory {
  Bytes parameters;
  Bytes gradients;
  Bytes optimizer;
  Bytes activations;  ///< kept from the forward to the backward pass of one microbatch: BackwardNeeds
  Bytes rebuilt;      ///< activations of one layer (of average size) while full recomputation rebuilds it
  [[nodiscard]] Bytes total() const { return parameters + gradients + optimizer + activations + rebuilt; }
  StepMemory& operator+=(const StepMemory& other);
  friend bool operator==(const StepMemory&, const StepMemory&) = default;
};

/// "use more devices, recomputation, or a smaller batch": ways to need less memory that the options do not use yet,
/// with pipelines where there is none.
[[nodiscard]] std::string waysToNeedLess(const MemoryOptions& options, bool hasPipeline);

/// The share of one operator in a configuration, by its needs in a graph with that many layers (BackwardNeeds). Left
/// out: buffers of kernels and collectives, gathered parameters of ZeRO 3, masks of dropout, gaps of the allocator.
/// O(tensors).
[[nodiscard]] StepMemory memoryOf(const Operator& op, const Configuration& configuration, Bytes bytesPerElement,
                                  const MemoryOptions& options, const std::vector<BackwardNeeds::Need>& needs,
                                  std::int64_t layers);
/// As above, for an operator that is a graph by itself.
[[nodiscard]] StepMemory memoryOf(const Operator& op, const Configuration& configuration, Bytes bytesPerElement,
                                  const MemoryOptions& options);

/// The memory of a whole strategy: Σ over the operators of the graph that its problem was made from. O(tensors).
[[nodiscard]] StepMemory memoryOf(const ComputationGraph& graph, const StrategyProblem& problem,
                                  const Strategy& strategy, Bytes bytesPerElement, const MemoryOptions& options);

}  // namespace p2::inline strategy
