// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/gradient_buckets.h"

namespace p2::inline mapping {

double bucketElements(const ComputationGraph& graph, const MemoryOptions& memory) {
  double elements = 0;
  for (const Operator& op : graph.operators) {
    const Configuration whole(op.dimensions.size(), 1);
    for (const Tensor& tensor : op.tensors) {
      if (tensor.role == Tensor::Role::Parameter) elements += elementsOf(op, tensor, whole);
    }
  }
  if (memory.zero < kMostZero) return elements;
  return elements / static_cast<double>(BackwardNeeds(graph, Recomputation::Full).layers());
}

GraphCostOptions withBucketsOf(const ComputationGraph& whole, GraphCostOptions options) {
  options.bucketElements = bucketElements(whole, options.memory);
  return options;
}

}  // namespace p2::inline mapping
