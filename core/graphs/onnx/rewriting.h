// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <string>
#include <vector>

#include "graphs/onnx/attributes.h"
#include "graphs/onnx/model.h"

namespace p2::inline graphs {

using Nodes = std::vector<onnx::NodeProto>;
using Names = std::vector<std::string>;

/// The nodes that a fused or newer kind stands for; empty for every other.
[[nodiscard]] std::vector<onnx::NodeProto> rewritten(const onnx::NodeProto& node, const OnnxModel& model);

/// A node that is written out as others, and those.
class Rewriting {
 public:
  Rewriting(const onnx::NodeProto& node, const OnnxModel& model) : m_node(node), m_model(model) {}

  [[nodiscard]] const onnx::NodeProto& node() const { return m_node; }
  [[nodiscard]] const OnnxModel& model() const { return m_model; }
  [[nodiscard]] std::string in(int index) const { return index < m_node.input_size() ? m_node.input(index) : ""; }
  [[nodiscard]] std::string out(int index = 0) const {
    return index < m_node.output_size() ? m_node.output(index) : "";
  }
  [[nodiscard]] const Shape* shape(int index) const { return m_model.shapeOf(in(index)); }
  [[nodiscard]] const OnnxNumbers* numbers(int index) const { return m_model.numbersOf(in(index)); }
  /// A name for the tensor between two of the nodes.
  [[nodiscard]] std::string between(const char* what) const { return firstOutput(m_node) + "/" + what; }

  onnx::NodeProto& add(const std::string& type, const Names& inputs, const Names& outputs) {
    onnx::NodeProto& added = nodes.emplace_back();
    added.set_op_type(type);
    added.set_name(m_node.name().empty() ? m_node.op_type() : m_node.name());
    for (const std::string& name : inputs) added.add_input(name);
    for (const std::string& name : outputs) added.add_output(name);
    return added;
  }
  onnx::NodeProto& addLike(const std::string& type, const Names& inputs, const Names& outputs) {
    onnx::NodeProto& added = add(type, inputs, outputs);
    *added.mutable_attribute() = m_node.attribute();
    return added;
  }
  void addList(const std::string& name, const Shape& numbers) {
    setWholes(add("Constant", {}, {name}), "value_ints", numbers);
  }

  Nodes nodes;

 private:
  const onnx::NodeProto& m_node;
  const OnnxModel& m_model;
};

// Attention of ONNX Runtime (rewrites_attention.cpp).

/// Queries, keys and values projected by one matrix, and joined. What its shapes do not fit is left as it is.
void projectingAttention(Rewriting& r);
/// Queries, keys and values, or the latter two, side by side in one input: [b, tokens, h, 3 or 2, d].
void packedAttention(Rewriting& r);
/// Queries, keys and values of all heads behind each other in one input.
void packedGroupedAttention(Rewriting& r);

}  // namespace p2::inline graphs
