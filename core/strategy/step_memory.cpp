// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/step_memory.h"

#include <algorithm>
#include <string>

#include "strategy/operator_costs.h"

namespace p2::inline strategy {
namespace {

constexpr double kFullPrecision = 4;  // bytes

/// Bytes on top of a parameter and its gradient.
double stateBytes(Optimizer optimizer, Bytes ofParameter) {
  const double copy = ofParameter.value() < kFullPrecision ? kFullPrecision : 0;
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

/// Devices that sum up a parameter's gradient, among which its state can be sharded.
double sharersOf(const std::vector<Reduction>& reductions, std::size_t tensor, const Configuration& configuration) {
  double sharers = 1;
  for (const Reduction& reduction : reductions) {
    if (reduction.tensor != tensor) continue;
    for (const std::size_t d : reduction.dimensions) sharers *= static_cast<double>(configuration[d]);
  }
  return sharers;
}

}  // namespace

Result<Optimizer> optimizerFrom(std::string_view name) {
  const auto found = std::find(kOptimizerNames.begin(), kOptimizerNames.end(), name);
  if (found != kOptimizerNames.end()) return static_cast<Optimizer>(found - kOptimizerNames.begin());
  return Error{"\"" + std::string(name) + "\" is not a known optimizer; use adam, momentum or none"};
}

StepMemory& StepMemory::operator+=(const StepMemory& other) {
  parameters += other.parameters;
  gradients += other.gradients;
  optimizer += other.optimizer;
  activations += other.activations;
  rebuilt += other.rebuilt;
  return *this;
}

std::string waysToNeedLess(const MemoryOptions& options, bool hasPipeline) {
  std::string ways = "use more devices";
  if (options.zero < kMostZero) ways += ", a higher stage of ZeRO";
  if (options.recomputation == Recomputation::None) ways += ", recomputation";
  if (options.recomputation == Recomputation::Selective) ways += ", full recomputation";
  if (!hasPipeline) ways += ", stages of a pipeline";
  return ways + ", or a smaller batch";
}

StepMemory memoryOf(const Operator& op, const Configuration& configuration, Bytes bytesPerElement,
                    const MemoryOptions& options, const std::vector<BackwardNeeds::Need>& needs, std::int64_t layers) {
  StepMemory memory;
  const std::vector<Reduction> reductions = reductionsOf(op, configuration);
  for (std::size_t t = 0; t < op.tensors.size(); ++t) {
    const double elements = elementsOf(op, op.tensors[t], configuration);
    const auto kept = [&](std::int64_t by) { return by == 0 ? 0 : elements / static_cast<double>(by); };
    memory.activations += kept(needs[t].keptBy) * bytesPerElement;
    memory.rebuilt += kept(needs[t].rebuiltBy) / static_cast<double>(layers) * bytesPerElement;
    if (op.tensors[t].role != Tensor::Role::Parameter) continue;
    const double sharers = sharersOf(reductions, t, configuration);
    const auto sharded = [&](int from) { return options.zero >= from ? elements / sharers : elements; };
    const Bytes parameter = options.ofParameter(bytesPerElement);
    memory.parameters += sharded(3) * parameter;
    memory.gradients += sharded(2) * options.ofGradient(bytesPerElement);
    memory.optimizer += Bytes(sharded(1) * stateBytes(options.optimizer, parameter));
  }
  return memory;
}

StepMemory memoryOf(const Operator& op, const Configuration& configuration, Bytes bytesPerElement,
                    const MemoryOptions& options) {
  const BackwardNeeds needs({"", "", {op}, {}}, options.recomputation);
  return memoryOf(op, configuration, bytesPerElement, options, needs.of(0), needs.layers());
}

StepMemory memoryOf(const ComputationGraph& graph, const StrategyProblem& problem, const Strategy& strategy,
                    Bytes bytesPerElement, const MemoryOptions& options) {
  const BackwardNeeds needs(graph, options.recomputation);
  StepMemory sum;
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    const Configuration& configuration = problem.domainOf(v).configurations[strategy.choice[v]];
    sum += memoryOf(graph.operators[v], configuration, bytesPerElement, options, needs.of(v), needs.layers());
  }
  return sum;
}

}  // namespace p2::inline strategy
