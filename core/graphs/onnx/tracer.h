// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "graphs/onnx/inference.h"
#include "graphs/onnx/model.h"

namespace p2::inline graphs {

/// Names of a function's or a branch's values in the graph outside, by their names inside.
using OnnxNames = std::map<std::string, std::string>;

/// Follows tensors through nodes that come in the order in which they run: the numbers of small ones, the inferred
/// sizes of all others. A copy continues at the place of the original.
class OnnxTracer {
 public:
  explicit OnnxTracer(std::string modelName) { m_model.name = std::move(modelName); }

  /// Precondition: the input has its sizes. Errors: it is too large.
  [[nodiscard]] Result<void> addInput(const onnx::ValueInfoProto& input);
  /// A graph's weights, and the types it declares. Errors: weights that are too large.
  [[nodiscard]] Result<void> addGraph(const onnx::GraphProto& graph, const OnnxNames& names);
  /// Errors: inputs that contradict each other; outputs that are too large.
  [[nodiscard]] Result<void> add(const onnx::NodeProto& node, const OnnxOpsets& opsets);
  /// Makes a tensor known that is the same in every run.
  void setNumbers(const std::string& name, OnnxNumbers numbers);
  /// One sentence.
  void assume(std::string sentence) { m_model.assumptions.push_back(std::move(sentence)); }

  [[nodiscard]] const OnnxModel& model() const { return m_model; }
  [[nodiscard]] OnnxModel finished() &&;

 private:
  [[nodiscard]] bool fold(const onnx::NodeProto& node);
  void remember(const std::string& name, onnx::TypeProto type);
  void rememberConstant(const onnx::NodeProto& node);
  [[nodiscard]] Result<void> rememberOutputs(const onnx::NodeProto& node, const OnnxInferred& inferred);
  [[nodiscard]] Result<void> checkSize(const std::string& name) const;
  [[nodiscard]] onnx::TypeProto merged(const std::string& name, onnx::TypeProto inferred) const;

  OnnxModel m_model;
  std::map<std::string, onnx::TypeProto> m_declared;
  std::map<std::int32_t, double> m_weights;  // numbers of each type
};

}  // namespace p2::inline graphs
