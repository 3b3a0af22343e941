// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/step_memory.h"

#include <algorithm>
#include <array>
#include <string>

#include "strategy/operator_costs.h"

namespace p2 {
namespace {

constexpr std::array<std::string_view, 3> kOptimizerNames{"adam", "momentum", "none"};
constexpr std::array<std::string_view, 2> kRecomputationNames{"none", "selective"};
constexpr double kFullPrecision = 4;  // bytes

/// Bytes beside a parameter and its gradient.
double stateBytes(Optimizer optimizer, Bytes bytesPerElement) {
  const double copy = bytesPerElement.value() < kFullPrecision ? kFullPrecision : 0;
  switch (optimizer) {
    case Optimizer::Adam:
      return copy + 2 * kFullPrecision;
    case Optimizer::Momentum:
      return copy + kFullPrecision;
    case Optimizer::None:
      break;
  }
  return copy;
}

bool isView(OperatorKind kind) {
  return kind == OperatorKind::Reshape || kind == OperatorKind::Split || kind == OperatorKind::Share;
}

/// Devices that sum up a parameter's gradient and so can share out what belongs to it.
double sharersOf(const std::vector<Reduction>& reductions, std::size_t tensor, const Configuration& configuration) {
  double sharers = 1;
  for (const Reduction& reduction : reductions) {
    if (reduction.tensor != tensor) continue;
    for (const std::size_t d : reduction.dimensions) sharers *= static_cast<double>(configuration[d]);
  }
  return sharers;
}

}  // namespace

std::string_view nameOf(Optimizer optimizer) { return kOptimizerNames[static_cast<std::size_t>(optimizer)]; }

Result<Optimizer> optimizerFrom(std::string_view name) {
  const auto found = std::find(kOptimizerNames.begin(), kOptimizerNames.end(), name);
  if (found != kOptimizerNames.end()) return static_cast<Optimizer>(found - kOptimizerNames.begin());
  return Error{"\"" + std::string(name) + "\" is no optimizer that is known; use adam, momentum or none"};
}

std::string_view nameOf(Recomputation recomputation) {
  return kRecomputationNames[static_cast<std::size_t>(recomputation)];
}

Result<Recomputation> recomputationFrom(std::string_view name) {
  const auto found = std::find(kRecomputationNames.begin(), kRecomputationNames.end(), name);
  if (found != kRecomputationNames.end()) return static_cast<Recomputation>(found - kRecomputationNames.begin());
  return Error{"\"" + std::string(name) + "\" is no recomputation; use none or selective"};
}

StepMemory& StepMemory::operator+=(const StepMemory& other) {
  parameters += other.parameters;
  gradients += other.gradients;
  optimizer += other.optimizer;
  activations += other.activations;
  return *this;
}

std::string waysToNeedLess(const MemoryOptions& options, bool hasPipeline) {
  std::string ways = "use more devices";
  if (options.zero < kMostZero) ways += ", a higher stage of ZeRO";
  if (options.recomputation == Recomputation::None) ways += ", recomputation";
  if (!hasPipeline) ways += ", stages of a pipeline";
  return ways + ", or a smaller batch";
}

bool isRecomputed(OperatorKind kind, Recomputation recomputation) {
  if (recomputation == Recomputation::None) return false;
  return kind != OperatorKind::Gemm && kind != OperatorKind::Convolution && kind != OperatorKind::Lstm &&
         kind != OperatorKind::Embedding && kind != OperatorKind::Experts && kind != OperatorKind::Dispatch &&
         kind != OperatorKind::Combine;
}

StepMemory memoryOf(const Operator& op, const Configuration& configuration, Bytes bytesPerElement,
                    const MemoryOptions& options) {
  StepMemory memory;
  const std::vector<Reduction> reductions = reductionsOf(op, configuration);
  const bool keepsOutputs = !isView(op.kind) && !isRecomputed(op.kind, options.recomputation);
  for (std::size_t t = 0; t < op.tensors.size(); ++t) {
    const Tensor& tensor = op.tensors[t];
    const double words = wordsOf(op, tensor, configuration);
    if (tensor.role == Tensor::Role::Output && keepsOutputs) memory.activations += words * bytesPerElement;
    if (tensor.role != Tensor::Role::Parameter) continue;
    const double sharers = sharersOf(reductions, t, configuration);
    const auto shared = [&](int from) { return options.zero >= from ? words / sharers : words; };
    memory.parameters += shared(3) * bytesPerElement;
    memory.gradients += shared(2) * bytesPerElement;
    memory.optimizer += Bytes(shared(1) * stateBytes(options.optimizer, bytesPerElement));
  }
  return memory;
}

StepMemory memoryOf(const ComputationGraph& graph, const StrategyProblem& problem, const Strategy& strategy,
                    Bytes bytesPerElement, const MemoryOptions& options) {
  StepMemory sum;
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    sum +=
        memoryOf(graph.operators[v], problem.domainOf(v).configurations[strategy.choice[v]], bytesPerElement, options);
  }
  return sum;
}

}  // namespace p2
