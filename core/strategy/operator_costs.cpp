// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/operator_costs.h"

#include <algorithm>
#include <numeric>

namespace p2::inline strategy {
namespace {

/// The unit in which the multiply-adds of a kind are counted.
enum class Point { OfDomain, OfOutput, OfInput };

struct Work {
  double multiplyAdds;
  Point per;
};

Work workOf(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::Gemm:
    case OperatorKind::Convolution:
    case OperatorKind::Lstm:
    case OperatorKind::Experts:
      return {3, Point::OfDomain};
    case OperatorKind::Dispatch:
      return {1, Point::OfOutput};
    case OperatorKind::Combine:
      return {3, Point::OfInput};
    case OperatorKind::Attention:
      return {6, Point::OfDomain};
    case OperatorKind::Pooling:
      return {1, Point::OfDomain};
    case OperatorKind::Embedding:
    case OperatorKind::Elementwise:
      return {2, Point::OfOutput};
    case OperatorKind::Normalisation:
    case OperatorKind::Softmax:
      return {8, Point::OfOutput};
    case OperatorKind::Loss:
      return {4, Point::OfInput};
    case OperatorKind::Concat:
    case OperatorKind::Split:
    case OperatorKind::Reshape:
    case OperatorKind::Share:
      break;
  }
  return {0, Point::OfDomain};
}

double pointsPerDevice(const Operator& op, Point per, const Configuration& configuration) {
  if (per == Point::OfDomain) {
    double points = 1;
    for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
      points *= static_cast<double>(op.dimensions[d].size) / static_cast<double>(configuration[d]);
    }
    return points;
  }
  const Tensor::Role role = per == Point::OfOutput ? Tensor::Role::Output : Tensor::Role::Input;
  const auto tensor =
      std::find_if(op.tensors.begin(), op.tensors.end(), [&](const Tensor& t) { return t.role == role; });
  return tensor == op.tensors.end() ? 0 : elementsOf(op, *tensor, configuration);
}

bool spans(const Tensor& tensor, std::size_t dimension) {
  return std::find(tensor.dimensions.begin(), tensor.dimensions.end(), dimension) != tensor.dimensions.end();
}

bool isOutputDimension(const Operator& op, std::size_t dimension) {
  return std::any_of(op.tensors.begin(), op.tensors.end(), [&](const Tensor& tensor) {
    return tensor.role == Tensor::Role::Output && spans(tensor, dimension);
  });
}

/// Whether devices that hold different parts along a dimension hold partial sums of a tensor.
bool sumsAlong(const Operator& op, const Tensor& tensor, std::size_t dimension) {
  if (spans(tensor, dimension)) return false;
  // A bias comes in after the sum over the output's missing dimensions: its gradient is the same all along them.
  return tensor.role != Tensor::Role::Parameter || isOutputDimension(op, dimension);
}

/// Tensors that are never partial: indices have no gradient, an LSTM's output follows from its whole gates, and a
/// Share hands its tensor on unchanged.
bool isNeverPartial(const Operator& op, std::size_t tensor) {
  const Tensor::Role role = op.tensors[tensor].role;
  return (role == Tensor::Role::Input && !hasGradient(op, tensor)) ||
         ((op.kind == OperatorKind::Lstm || op.kind == OperatorKind::Share) && role == Tensor::Role::Output);
}

/// Whether the elements of a tensor pass through a device's memory one by one.
bool isMoved(const Operator& op, const Tensor& tensor) {
  if (op.kind == OperatorKind::Reshape || op.kind == OperatorKind::Split || op.kind == OperatorKind::Share)
    return false;
  if (op.kind == OperatorKind::Embedding) return tensor.role == Tensor::Role::Output;
  return tensor.role != Tensor::Role::Statistic;
}

}  // namespace

bool hasGradient(const Operator& op, std::size_t tensor) {
  if (op.kind != OperatorKind::Embedding && op.kind != OperatorKind::Dispatch) return true;
  if (op.tensors[tensor].role != Tensor::Role::Input) return true;
  const auto isInput = [](const Tensor& t) { return t.role == Tensor::Role::Input; };
  const auto first = std::find_if(op.tensors.begin(), op.tensors.end(), isInput);
  return op.kind == OperatorKind::Dispatch && static_cast<std::size_t>(first - op.tensors.begin()) == tensor;
}

double elementsOf(const Operator& op, const Tensor& tensor, const Configuration& configuration) {
  double elements = 1;
  for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
    elements *= static_cast<double>(op.sizeAlong(tensor, i)) / static_cast<double>(configuration[tensor.dimensions[i]]);
  }
  return elements;
}

double elementsMoved(const Operator& op, const Configuration& configuration) {
  constexpr double kPasses = 3;
  double elements = 0;
  for (const Tensor& tensor : op.tensors) {
    if (isMoved(op, tensor)) elements += kPasses * elementsOf(op, tensor, configuration);
  }
  // A row is read where it stands and written to where it goes.
  return op.kind == OperatorKind::Embedding ? 2 * elements : elements;
}

double multiplyAdds(const Operator& op, const Configuration& configuration) {
  const Work work = workOf(op.kind);
  return work.multiplyAdds == 0 ? 0 : work.multiplyAdds * pointsPerDevice(op, work.per, configuration);
}

std::vector<Reduction> reductionsOf(const Operator& op, const Configuration& configuration) {
  std::vector<Reduction> reductions;
  for (std::size_t t = 0; t < op.tensors.size(); ++t) {
    const Tensor& tensor = op.tensors[t];
    if (isNeverPartial(op, t)) continue;
    Reduction reduction{t, {}, elementsOf(op, tensor, configuration)};
    for (std::size_t d = 0; d < configuration.size(); ++d) {
      if (configuration[d] > 1 && sumsAlong(op, tensor, d)) reduction.dimensions.push_back(d);
    }
    if (!reduction.dimensions.empty()) reductions.push_back(std::move(reduction));
  }
  return reductions;
}

Resharding reshardingAlong(const ComputationGraph& graph, const ComputationGraph::Edge& edge, const Configuration& from,
                           const Configuration& to, SpareDevices spare) {
  const Operator& source = graph.operators[edge.from];
  const Tensor& sent = source.tensors[edge.fromTensor];
  const Tensor& wanted = graph.operators[edge.to].tensors[edge.toTensor];
  double target = 1;
  double common = 1;
  std::int64_t sourceParts = 1;  // beyond the cuts that both ends share
  std::int64_t targetParts = 1;
  for (std::size_t i = 0; i < sent.dimensions.size(); ++i) {
    const auto size = static_cast<double>(source.sizeAlong(sent, i));
    const std::int64_t cutFrom = from[sent.dimensions[i]];
    const std::int64_t cutTo = to[wanted.dimensions[i]];
    target *= size / static_cast<double>(cutTo);
    common *= size / static_cast<double>(std::max(cutFrom, cutTo));
    const std::int64_t shared = std::gcd(cutFrom, cutTo);
    sourceParts *= cutFrom / shared;
    targetParts *= cutTo / shared;
  }
  if (spare == SpareDevices::Idle && sourceParts < targetParts) common = 0;
  if (target <= common) return {};
  const std::int64_t parts = std::lcm(sourceParts, targetParts);
  return {parts, (target - common) * static_cast<double>(parts) / static_cast<double>(parts - 1)};
}

}  // namespace p2::inline strategy
