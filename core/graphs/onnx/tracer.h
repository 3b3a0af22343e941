// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "graphs/onnx/inference.h"
#include "graphs/onnx/model.h"

namespace p2::inline graphs {

/// Names of a function's or a branch's values in the graph outside, by their names inside.
using OnnxNames = std::map<std::string, std::string>;

/// Visits a model's nodes in their order: writes out functions, branches and fused kinds, follows small tensors, and
/// infers the sizes of all others. A copy continues at the place of the original.
class OnnxTracer {
 public:
  /// Precondition: the model outlives the tracer, and its inputs have their sizes.
  explicit OnnxTracer(const onnx::ModelProto& model);

  /// Errors: nodes whose inputs contradict each other; nested or called too deep.
  [[nodiscard]] Result<OnnxModel> run();

 private:
  [[nodiscard]] Result<void> begin(const onnx::GraphProto& graph, const OnnxNames& names);
  [[nodiscard]] Result<void> visit(onnx::NodeProto node);
  [[nodiscard]] Result<void> trace(const onnx::NodeProto& node);
  [[nodiscard]] Result<bool> writeOut(const onnx::NodeProto& node);
  [[nodiscard]] Result<void> writeOutFunction(const onnx::NodeProto& node, const onnx::FunctionProto& function);
  [[nodiscard]] Result<void> writeOutBranch(const onnx::NodeProto& node, const char* branch);
  [[nodiscard]] Result<bool> writeOutLoop(const onnx::NodeProto& node);
  [[nodiscard]] Result<bool> unroll(const onnx::NodeProto& node, const onnx::GraphProto& body, std::int64_t trips);
  [[nodiscard]] Result<bool> followSequence(const onnx::NodeProto& node);
  [[nodiscard]] Result<bool> splitToSequence(const onnx::NodeProto& node);
  [[nodiscard]] Result<void> stack(const std::vector<std::string>& parts, const std::string& result, std::int64_t axis);
  void setNumbers(const std::string& name, OnnxNumbers numbers);
  /// Names of a graph inside of a node, with a prefix.
  [[nodiscard]] static OnnxNames innerNames(const onnx::GraphProto& graph, const std::string& prefix);
  [[nodiscard]] Result<void> visitInner(const onnx::GraphProto& graph, const OnnxNames& names);
  [[nodiscard]] std::string resolved(std::string name) const;
  /// The branch that takes more multiply-adds; null where neither can be traced.
  [[nodiscard]] const char* largerBranch(const onnx::NodeProto& node) const;
  [[nodiscard]] const onnx::FunctionProto* functionOf(const onnx::NodeProto& node) const;
  [[nodiscard]] std::string freshPrefix(const onnx::NodeProto& node);

  [[nodiscard]] bool fold(const onnx::NodeProto& node);
  void remember(const std::string& name, onnx::TypeProto type);
  void rememberConstant(const onnx::NodeProto& node);
  [[nodiscard]] Result<void> rememberOutputs(const onnx::NodeProto& node, const OnnxInferred& inferred);
  [[nodiscard]] Result<void> checkSize(const std::string& name) const;
  [[nodiscard]] onnx::TypeProto merged(const std::string& name, onnx::TypeProto inferred) const;

  const onnx::ModelProto* m_proto;
  OnnxModel m_model;
  OnnxOpsets m_opsets;
  std::map<std::string, const onnx::FunctionProto*> m_functions;  // by domain:name
  OnnxNames m_aliases;                                            // outputs of branches by their inner names
  std::map<std::string, std::vector<std::string>> m_sequences;    // of tensors, by their names
  std::map<std::string, onnx::TypeProto> m_declared;
  std::map<std::int32_t, double> m_weights;  // numbers of each type
  int m_depth = 0;
  int m_guesses = 0;  // branches that are being compared
  std::size_t m_written = 0;
  std::size_t m_visited = 0;
};

/// The nodes that a fused or newer kind stands for; empty for every other.
[[nodiscard]] std::vector<onnx::NodeProto> rewritten(const onnx::NodeProto& node, const OnnxModel& model);

/// Multiply-adds of nodes of products and convolutions, from `firstNode` to the last of a model.
[[nodiscard]] double productsAfter(const OnnxModel& model, std::size_t firstNode);

}  // namespace p2::inline graphs
