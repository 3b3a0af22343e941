// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <map>
#include <string>

#include "graphs/onnx/sequences.h"
#include "graphs/onnx/tracer.h"

namespace p2::inline graphs {

/// Visits a model's nodes in their order and writes out those that stand for others: functions, branches, loops,
/// sequences of tensors and fused kinds. All others go to a tracer. A copy continues at the place of the original.
class OnnxExpander {
 public:
  /// Precondition: the model outlives the expander, and its inputs have their sizes.
  explicit OnnxExpander(const onnx::ModelProto& model);

  /// Errors: as OnnxTracer has them; nested or called too deep; too many nodes.
  [[nodiscard]] Result<OnnxModel> run() &&;

 private:
  [[nodiscard]] Result<void> visit(onnx::NodeProto node);
  [[nodiscard]] Result<bool> writeOut(const onnx::NodeProto& node);
  [[nodiscard]] Result<void> writeOutFunction(const onnx::NodeProto& node, const onnx::FunctionProto& function);
  [[nodiscard]] Result<void> writeOutBranch(const onnx::NodeProto& node, const char* branch);
  [[nodiscard]] Result<bool> writeOutLoop(const onnx::NodeProto& node);
  [[nodiscard]] Result<bool> unroll(const onnx::NodeProto& node, const onnx::GraphProto& body, std::int64_t trips);
  [[nodiscard]] Result<void> take(OnnxReplacement replacement);
  [[nodiscard]] Result<void> visitInner(const onnx::GraphProto& graph, const OnnxNames& names);
  [[nodiscard]] std::string resolved(std::string name) const;
  /// The branch that takes more multiply-adds; null where neither can be traced.
  [[nodiscard]] const char* largerBranch(const onnx::NodeProto& node) const;
  [[nodiscard]] const onnx::FunctionProto* functionOf(const onnx::NodeProto& node) const;

  const onnx::ModelProto* m_proto;
  OnnxTracer m_tracer;
  OnnxOpsets m_opsets;
  std::map<std::string, const onnx::FunctionProto*> m_functions;  // by domain:name
  OnnxNames m_aliases;                                            // outputs of branches by their inner names
  OnnxSequences m_sequences;
  OnnxFreshNames m_fresh;
  int m_depth = 0;
  int m_guesses = 0;  // branches that are being compared
  std::size_t m_visited = 0;
};

}  // namespace p2::inline graphs
