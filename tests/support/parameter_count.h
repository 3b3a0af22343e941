// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/computation_graph.h"

namespace p2::test {

/// Elements of the parameters of all operators, a parameter that two share counted for each.
inline double parameterCount(const ComputationGraph& graph) {
  double count = 0;
  for (const Operator& op : graph.operators) {
    for (const Tensor& tensor : op.tensors) {
      if (tensor.role != Tensor::Role::Parameter) continue;
      double elements = 1;
      for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) elements *= double(op.sizeAlong(tensor, i));
      count += elements;
    }
  }
  return count;
}

}  // namespace p2::test
