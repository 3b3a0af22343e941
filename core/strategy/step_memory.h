// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"

namespace p2 {

/// What is kept of every parameter beside itself and its gradient. In 4 bytes a number; where parameters have fewer, a
/// copy in 4 bytes is kept as well (mixed precision).
enum class Optimizer {
  Adam,      ///< two moments: 8 bytes a parameter, 12 in mixed precision
  Momentum,  ///< one: 4 and 8
  None,      ///< inference, or plain gradient descent: 0 and 4
};
/// "adam", "momentum", "none", and the optimizer of a name; the error lists the names.
[[nodiscard]] std::string_view nameOf(Optimizer optimizer);
[[nodiscard]] Result<Optimizer> optimizerFrom(std::string_view name);

/// Which outputs the backward pass computes again instead of finding them in memory.
enum class Recomputation {
  None,
  /// All but those of products (gemm, convolution, lstm, experts), embeddings and what moves tokens to experts and
  /// back: attention, normalisations, softmax, pooling and element-wise operators run forward twice, as in Megatron's
  /// selective recomputation.
  Selective,
};
/// "none", "selective", and the other way round; the error lists the names.
[[nodiscard]] std::string_view nameOf(Recomputation recomputation);
[[nodiscard]] Result<Recomputation> recomputationFrom(std::string_view name);

/// How a training step uses the memory of its devices.
struct MemoryOptions {
  Optimizer optimizer = Optimizer::Adam;
  /// 0: devices that sum up a parameter's gradient keep all of it each. 1: they share out the optimizer's state, 2: and
  /// the gradients, 3: and the parameters, which are gathered again in either pass (ZeRO, Rajbhandari et al., SC 2020).
  int zero = 0;
  Recomputation recomputation = Recomputation::None;
  friend bool operator==(const MemoryOptions&, const MemoryOptions&) = default;
};

/// The part of the question that an error of kind TooLarge is about when no strategy fits the memory of a device: an
/// answer, not bad input.
inline constexpr const char* kNothingFits = "/device_memory";

/// The highest stage of ZeRO.
inline constexpr int kMostZero = 3;

/// What one device holds at the end of the forward pass.
struct StepMemory {
  Bytes parameters;
  Bytes gradients;
  Bytes optimizer;
  Bytes activations;  ///< outputs that the backward pass needs
  [[nodiscard]] Bytes total() const { return parameters + gradients + optimizer + activations; }
  StepMemory& operator+=(const StepMemory& other);
  friend bool operator==(const StepMemory&, const StepMemory&) = default;
};

/// "use more devices, recomputation, or a smaller batch": what makes a step need less memory and is not made use of
/// yet; pipelines among it where there is none.
[[nodiscard]] std::string waysToNeedLess(const MemoryOptions& options, bool hasPipeline);

/// Whether an operator runs forward a second time.
[[nodiscard]] bool isRecomputed(OperatorKind kind, Recomputation recomputation);

/// The share of one operator in a configuration, with so many bytes an element. Views (reshape, split) hold nothing of
/// their own. Left out: inputs that no operator puts out, what a kernel or a collective needs while it runs, parameters
/// of ZeRO 3 while they are gathered, and what an allocator loses between blocks. O(tensors).
[[nodiscard]] StepMemory memoryOf(const Operator& op, const Configuration& configuration, Bytes bytesPerElement,
                                  const MemoryOptions& options);

/// The memory of a whole strategy: Σ over the operators of the graph that its problem was made from. O(tensors).
[[nodiscard]] StepMemory memoryOf(const ComputationGraph& graph, const StrategyProblem& problem,
                                  const Strategy& strategy, Bytes bytesPerElement, const MemoryOptions& options);

}  // namespace p2
