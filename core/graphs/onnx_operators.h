// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs.
#pragma once

#include "graphs/onnx_model.h"
#include "strategy/computation_graph.h"

namespace p2 {

/// A node as an operator.
struct OnnxOperator {
  Operator op;                                             ///< without a name
  std::map<std::string, std::size_t> sent;                 ///< the operator's tensor that carries an ONNX output
  std::vector<std::pair<std::string, std::size_t>> taken;  ///< ONNX inputs and the operator's tensors they go to
  bool known = true;  ///< false when it was taken as elementwise for lack of better
};

/// A node's first output that has a name, since those nobody takes may be left out; empty when all are.
[[nodiscard]] std::string firstOutput(const onnx::NodeProto& node);

/// Of a node with an output. The error names a tensor whose shape is needed and not known.
[[nodiscard]] Result<OnnxOperator> onnxOperator(const OnnxModel& model, const onnx::NodeProto& node);

}  // namespace p2
