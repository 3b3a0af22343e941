// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include "graphs/onnx/attributes.h"
#include "graphs/onnx/model.h"
#include "strategy/computation_graph.h"

namespace p2::inline graphs {

/// A node as an operator.
struct OnnxOperator {
  Operator op;                                             ///< without a name
  std::map<std::string, std::size_t> sent;                 ///< the operator's tensor that carries an ONNX output
  std::vector<std::pair<std::string, std::size_t>> taken;  ///< ONNX inputs and the operator's tensors they go to
  bool known = true;     ///< false when it was taken as elementwise for lack of better
  bool nothing = false;  ///< its output has no elements: there is nothing to compute
  /// The kind of node at which unknown sizes begin, if the operator needs sizes that are not known before the model
  /// runs; there is no operator then.
  std::string open = {};
};

/// The operator of a node with an output. The error names a tensor that nothing is known of.
[[nodiscard]] Result<OnnxOperator> onnxOperator(const OnnxModel& model, const onnx::NodeProto& node);

/// Multiply-adds of nodes of products and convolutions, from `firstNode` to the last of a model.
[[nodiscard]] double productsAfter(const OnnxModel& model, std::size_t firstNode);

}  // namespace p2::inline graphs
