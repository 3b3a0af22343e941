// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/operator_kernels.h"

#include <algorithm>

#include "strategy/operator_costs.h"

namespace p2::inline strategy {
namespace {

constexpr double kSingleBytes = 4;  // sums in fp32
/// Backward over forward products of attention: scores once more, and four gradients instead of two products.
constexpr double kAttentionBack = 2.5;

bool isProductKind(OperatorKind kind) {
  return kind == OperatorKind::Gemm || kind == OperatorKind::Convolution || kind == OperatorKind::Lstm ||
         kind == OperatorKind::Experts;
}

bool isView(OperatorKind kind) {
  return kind == OperatorKind::Reshape || kind == OperatorKind::Split || kind == OperatorKind::Share;
}

bool isSpanned(const Tensor& tensor, std::size_t dimension) {
  return std::find(tensor.dimensions.begin(), tensor.dimensions.end(), dimension) != tensor.dimensions.end();
}

bool anySpans(const Operator& op, Tensor::Role role, std::size_t dimension) {
  return std::any_of(op.tensors.begin(), op.tensors.end(),
                     [&](const Tensor& each) { return each.role == role && isSpanned(each, dimension); });
}

/// The matrix of a product: its largest parameter, or the second input of one without parameters.
const Tensor* weightsOf(const Operator& op) {
  const Tensor* found = nullptr;
  for (const Tensor& tensor : op.tensors) {
    const bool wider = found == nullptr || tensor.dimensions.size() > found->dimensions.size();
    if (tensor.role == Tensor::Role::Parameter && wider) found = &tensor;
  }
  if (found != nullptr) return found;
  for (const Tensor& tensor : op.tensors) {
    if (tensor.role == Tensor::Role::Input) found = &tensor;
  }
  return found;
}

/// Whether an input other than the weights spans a dimension.
bool otherInputSpans(const Operator& op, const Tensor* weights, std::size_t dimension) {
  return std::any_of(op.tensors.begin(), op.tensors.end(), [&](const Tensor& each) {
    return each.role == Tensor::Role::Input && &each != weights && isSpanned(each, dimension);
  });
}

/// By operator a kernel forward and two backward; views have none.
PassSeconds withFloor(PassSeconds seconds, double floor) {
  return {seconds.forward + floor, seconds.backward + 2 * floor};
}

PassSeconds productSeconds(const Operator& op, const Configuration& configuration, Bytes bytesPerElement,
                           const KernelRates& rates) {
  Product forward = productOf(op, configuration);
  forward.outputBytes = bytesPerElement.value();
  const Product input{forward.rows, forward.columns, forward.depth, forward.count, forward.outputBytes};
  // Gradients of parameters are summed in fp32; a second input's have its type.
  const Tensor* second = weightsOf(op);
  const bool learnt = second == nullptr || second->role == Tensor::Role::Parameter;
  const Product weights{forward.depth, forward.rows, forward.columns, forward.count,
                        learnt ? kSingleBytes : forward.outputBytes};
  const auto seconds = [&](const Product& each) {
    return op.kind == OperatorKind::Experts ? rates.grouped(each) : rates.product(each);
  };
  return {seconds(forward), seconds(input) + seconds(weights)};
}

PassSeconds attentionSeconds(const Operator& op, const Configuration& configuration, const KernelRates& rates) {
  double points = 1;
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    points *= static_cast<double>(op.dimensions[d].size) / static_cast<double>(configuration[d]);
  }
  // Two products of a multiply-add a point.
  const double flop = 4 * points * (op.causal ? 0.5 : 1);
  return {rates.fusedAttention(flop, false), rates.fusedAttention(kAttentionBack * flop, true)};
}

}  // namespace

Product productOf(const Operator& op, const Configuration& configuration) {
  const Tensor* weights = weightsOf(op);
  Product product{1, 1, 1, 1, 0};
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    const double size = static_cast<double>(op.dimensions[d].size) / static_cast<double>(configuration[d]);
    const bool inWeights = weights != nullptr && isSpanned(*weights, d);
    const bool inOutput = anySpans(op, Tensor::Role::Output, d);
    if (op.dimensions[d].experts || (inWeights && inOutput && otherInputSpans(op, weights, d))) {
      product.count *= size;
    } else if (!inWeights) {
      product.rows *= size;
    } else if (inOutput || !anySpans(op, Tensor::Role::Input, d)) {
      // An LSTM's gates are columns that its output does not show.
      product.columns *= size;
    } else {
      product.depth *= size;
    }
  }
  return product;
}

PassSeconds kernelSeconds(const Operator& op, const Configuration& configuration, Bytes bytesPerElement,
                          const KernelRates& rates) {
  if (isProductKind(op.kind)) {
    return withFloor(productSeconds(op, configuration, bytesPerElement, rates), rates.floor);
  }
  if (op.kind == OperatorKind::Attention) return withFloor(attentionSeconds(op, configuration, rates), rates.floor);
  if (isView(op.kind)) return {};
  const double bytes = elementsMoved(op, configuration) * bytesPerElement.value() * rates.elementwise;
  return withFloor({rates.passes(bytes / 3), rates.passes(bytes * 2 / 3)}, rates.floor);
}

}  // namespace p2::inline strategy
