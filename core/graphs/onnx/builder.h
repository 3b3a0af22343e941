// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "graphs/onnx/operators.h"

namespace p2::inline graphs {

/// The operator's dimension along each dimension of a tensor.
using Span = std::vector<std::size_t>;

/// Builds an operator out of a node's tensors; one member for each kind of node.
class OnnxBuilder {
 public:
  OnnxBuilder(const OnnxModel& model, const onnx::NodeProto& node) : m_model(model), m_node(node) {}

  Result<OnnxOperator> build();

 private:
  using Rule = void (OnnxBuilder::*)();
  struct Named {
    std::string_view type;
    OperatorKind kind;
    Rule rule;
  };
  static const std::vector<Named>& rules();
  static bool isElementwise(std::string_view type);

  /// Empty where there is no such input.
  [[nodiscard]] const Shape& in(int index) const {
    static const Shape kNone;
    const Shape* shape = hasIn(index) ? m_model.shapeOf(m_node.input(index)) : nullptr;
    return shape == nullptr ? kNone : *shape;
  }
  /// Null where it is not the same in every run.
  [[nodiscard]] const OnnxNumbers* numbers(int index) const {
    return hasIn(index) ? m_model.numbersOf(m_node.input(index)) : nullptr;
  }
  /// Shape of the first output that is not left out.
  [[nodiscard]] const Shape& out() const { return *m_model.shapeOf(firstOutput(m_node)); }
  [[nodiscard]] bool hasIn(int index) const { return hasInput(m_node, index); }
  [[nodiscard]] Result<std::optional<std::string>> missing(bool inputsToo) const;

  std::size_t dimension(const std::string& name, std::int64_t size, bool splittable = true) {
    m_result.op.dimensions.push_back({name, size, splittable});
    return m_result.op.dimensions.size() - 1;
  }
  std::size_t whole(std::int64_t size) {
    return dimension("u" + std::to_string(m_result.op.dimensions.size()), size, false);
  }
  /// One dimension for each of a shape, d0, d1, …
  Span dimensionsOf(const Shape& shape) {
    Span span;
    for (std::size_t i = 0; i < shape.size(); ++i) span.push_back(dimension("d" + std::to_string(i), shape[i]));
    return span;
  }
  /// The spatial dimensions of a window operator's output; the window itself.
  Span wholeFrom(const Shape& shape, std::size_t first) {
    Span span;
    for (std::size_t i = first; i < shape.size(); ++i) span.push_back(whole(shape[i]));
    return span;
  }
  void tensor(const std::string& name, Tensor::Role role, const Span& span, const Shape& sizes) {
    if (span.size() != sizes.size()) {
      m_fits = false;
      return;
    }
    Tensor tensor{name, role, span, sizes};
    bool own = true;
    for (std::size_t i = 0; i < span.size(); ++i) own = own && sizes[i] == m_result.op.dimensions[span[i]].size;
    if (own) tensor.sizes.clear();
    m_result.op.tensors.push_back(std::move(tensor));
  }
  /// Masks, bounds and scalars are not learnt, and every device has them; an empty tensor is not taken.
  [[nodiscard]] bool isTaken(int index) const {
    if (!hasIn(index) || m_model.shapeOf(m_node.input(index)) == nullptr) return false;
    const std::string& name = m_node.input(index);
    if (m_model.isConstant(name) && !m_model.isParameter(name)) return false;
    return std::find(in(index).begin(), in(index).end(), 0) == in(index).end();
  }
  void input(int index, const Span& span) {
    if (!isTaken(index)) return;
    const std::string& name = m_node.input(index);
    const bool weight = m_model.isParameter(name);
    if (!weight) m_result.taken.emplace_back(name, m_result.op.tensors.size());
    tensor((weight ? "w" : "x") + std::to_string(index), weight ? Tensor::Role::Parameter : Tensor::Role::Input, span,
           in(index));
  }
  void statistics(std::initializer_list<const char*> names, const Span& span) {
    Shape sizes;
    for (const std::size_t d : span) sizes.push_back(m_result.op.dimensions[d].size);
    for (const char* name : names) tensor(name, Tensor::Role::Statistic, span, sizes);
  }
  void output(int index, const Span& span) {
    if (index >= m_node.output_size()) return;
    const std::string& name = m_node.output(index);
    if (name.empty() || m_model.shapeOf(name) == nullptr) return;
    if (std::find(m_model.shapeOf(name)->begin(), m_model.shapeOf(name)->end(), 0) != m_model.shapeOf(name)->end()) {
      return;
    }
    m_result.sent.emplace(name, m_result.op.tensors.size());
    tensor("y" + std::to_string(index), Tensor::Role::Output, span, *m_model.shapeOf(name));
  }
  [[nodiscard]] std::size_t axis(std::int64_t otherwise, const Shape& shape) const {
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t given = wholeOf(m_node, "axis", otherwise);
    return static_cast<std::size_t>(std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank - 1));
  }
  static Span without(Span span, std::size_t position) {
    span.erase(span.begin() + static_cast<std::ptrdiff_t>(position));
    return span;
  }

  void gemm();
  void matMul();
  void convolution();
  void pooling();
  void batchNormalisation();
  void layerNormalisation();
  void softmax();
  void loss();
  void embedding();
  void concat();
  void split();
  void transpose();
  void reshape();
  void transposedConvolution();
  void instanceNormalisation();
  void recurrent();
  void attention();
  void einsum();
  void reduction();
  void elementwise();
  /// Prices the node as elementwise and marks it as guessed: its kind has known work, but its tensors have unknown
  /// sizes.
  void unpriced() {
    elementwise();
    m_result.known = false;
  }

  const OnnxModel& m_model;
  const onnx::NodeProto& m_node;
  OnnxOperator m_result;
  bool m_fits = true;  // the ranks are those that the node's kind has
};

}  // namespace p2::inline graphs
