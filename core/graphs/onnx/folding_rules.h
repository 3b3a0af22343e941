// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include "graphs/onnx/attributes.h"
#include "graphs/onnx/folding.h"

namespace p2::inline graphs {

using Folded = std::optional<std::vector<OnnxNumbers>>;

/// A node to be folded, with its inputs by number.
class FoldingNode {
 public:
  FoldingNode(const onnx::NodeProto& node, const std::vector<FoldingInput>& inputs) : m_node(node), m_inputs(inputs) {}

  [[nodiscard]] const onnx::NodeProto& node() const { return m_node; }
  [[nodiscard]] const std::string& type() const { return m_node.op_type(); }
  [[nodiscard]] std::size_t inputs() const { return m_inputs.size(); }
  [[nodiscard]] std::size_t outputs() const { return static_cast<std::size_t>(m_node.output_size()); }
  /// Null where it is left out or not known.
  [[nodiscard]] const OnnxNumbers* in(std::size_t index) const {
    return index < m_inputs.size() ? m_inputs[index].numbers : nullptr;
  }
  [[nodiscard]] const Shape* shape(std::size_t index) const {
    return index < m_inputs.size() ? m_inputs[index].shape : nullptr;
  }
  [[nodiscard]] bool has(std::size_t index) const { return hasInput(m_node, static_cast<int>(index)); }
  /// A list that newer models give as an input and older ones as an attribute. Nothing when it is an input that is not
  /// known; empty when it is not given.
  [[nodiscard]] std::optional<Shape> list(std::size_t index, std::string_view attribute) const {
    if (!has(index)) return wholesOf(m_node, attribute);
    if (in(index) == nullptr) return std::nullopt;
    return wholesFrom(*in(index));
  }

 private:
  const onnx::NodeProto& m_node;
  const std::vector<FoldingInput>& m_inputs;
};

/// A tensor of a shape whose number at every place equals `from` at `where(place)`, a place given by its indices.
template <class Where>
std::optional<OnnxNumbers> rearranged(const OnnxNumbers& from, const Shape& shape, Where where) {
  const auto count = smallCount(shape);
  if (!count) return std::nullopt;
  OnnxNumbers result{from.type, shape, {}};
  result.values.reserve(static_cast<std::size_t>(*count));
  Shape place(shape.size(), 0);
  for (std::int64_t i = 0; i < *count; ++i) {
    const std::optional<std::size_t> source = where(place);
    if (!source || *source >= from.values.size()) return std::nullopt;
    result.values.push_back(from.values[*source]);
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++place[d] < shape[d]) break;
      place[d] = 0;
    }
  }
  return result;
}

/// Offset of a place in a tensor of a shape, the last dimension fastest; none outside of it.
[[nodiscard]] std::optional<std::size_t> offsetOf(const Shape& shape, const Shape& place);
/// The shape that both are broadcast to; none where they do not fit.
[[nodiscard]] std::optional<Shape> broadcast(const Shape& a, const Shape& b);
[[nodiscard]] std::optional<OnnxNumbers> broadcastTo(const OnnxNumbers& numbers, const Shape& shape);
/// A dimension counted from the end where it is negative; nothing outside of the rank.
[[nodiscard]] std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank);
[[nodiscard]] Folded one(std::optional<OnnxNumbers> numbers);

// One function for each kind, or for similar kinds. Moves of numbers:
[[nodiscard]] Folded foldShape(const FoldingNode& node);
[[nodiscard]] Folded foldReshape(const FoldingNode& node);
[[nodiscard]] Folded foldSqueeze(const FoldingNode& node);
[[nodiscard]] Folded foldUnsqueeze(const FoldingNode& node);
[[nodiscard]] Folded foldTranspose(const FoldingNode& node);
[[nodiscard]] Folded foldExpand(const FoldingNode& node);
[[nodiscard]] Folded foldTile(const FoldingNode& node);
[[nodiscard]] Folded foldGather(const FoldingNode& node);
[[nodiscard]] Folded foldSlice(const FoldingNode& node);
[[nodiscard]] Folded foldConcat(const FoldingNode& node);
[[nodiscard]] Folded foldSplit(const FoldingNode& node);
// What computes:
[[nodiscard]] Folded foldConstant(const FoldingNode& node);
[[nodiscard]] Folded foldConstantOfShape(const FoldingNode& node);
[[nodiscard]] Folded foldRange(const FoldingNode& node);
[[nodiscard]] Folded foldIdentity(const FoldingNode& node);
[[nodiscard]] Folded foldCast(const FoldingNode& node);
[[nodiscard]] Folded foldBinary(const FoldingNode& node);
[[nodiscard]] Folded foldUnary(const FoldingNode& node);
[[nodiscard]] Folded foldWhere(const FoldingNode& node);
[[nodiscard]] Folded foldReduction(const FoldingNode& node);
[[nodiscard]] Folded foldNonZero(const FoldingNode& node);

}  // namespace p2::inline graphs
