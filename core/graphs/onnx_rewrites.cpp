// SPDX-License-Identifier: GPL-3.0-or-later
// Fused and quantized kinds, and those that are newer than libonnx, as the plain nodes they stand for.
#include <algorithm>

#include "graphs/onnx_attributes.h"
#include "graphs/onnx_folding_rules.h"
#include "graphs/onnx_tracer.h"

namespace p2 {
namespace {

using Nodes = std::vector<onnx::NodeProto>;
using Names = std::vector<std::string>;

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
  /// A name for what lies between two of the nodes.
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

/// The product's or convolution's operands among the scales and zero points.
void toConvolution(Rewriting& r) {
  const bool scaled = r.node().op_type() == "QLinearConv";
  r.addLike("Conv", scaled ? Names{r.in(0), r.in(3), r.in(8)} : Names{r.in(0), r.in(1)}, {r.out()});
}

void toProduct(Rewriting& r) {
  const bool scaled = r.node().op_type() == "QLinearMatMul";
  r.add("MatMul", {r.in(0), r.in(scaled ? 3 : 1)}, {r.out()});
}

void toGemm(Rewriting& r) { r.addLike("Gemm", {r.in(0), r.in(3), r.in(6)}, {r.out()}); }

/// QLinearAdd, QLinearMul: every operand has its scale and zero point behind it.
void toPlainSum(Rewriting& r) {
  r.add(r.node().op_type() == "QLinearAdd" ? "Add" : "Mul", {r.in(0), r.in(3)}, {r.out()});
}

void toPlainPooling(Rewriting& r) {
  r.addLike(r.node().op_type() == "QLinearAveragePool" ? "AveragePool" : "GlobalAveragePool", {r.in(0)}, {r.out()});
}

void toPlainConcat(Rewriting& r) {
  Names parts;
  for (int i = 2; i < r.node().input_size(); i += 3) parts.push_back(r.in(i));
  r.addLike("Concat", parts, {r.out()});
}

/// Transposes of what is transposed, which no multiply-add belongs to, and the product.
void fusedProduct(Rewriting& r) {
  const auto side = [&](int index, const char* attribute, const char* name) {
    const Shape* shape = r.shape(index);
    if (wholeOf(r.node(), attribute, 0) == 0 || shape == nullptr || shape->size() < 2) return r.in(index);
    Shape order;
    for (std::size_t d = 0; d < shape->size(); ++d) order.push_back(static_cast<std::int64_t>(d));
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    setWholes(r.add("Transpose", {r.in(index)}, {r.between(name)}), "perm", order);
    return r.between(name);
  };
  const std::string a = side(0, "transA", "a");
  const std::string b = side(1, "transB", "b");
  r.add("MatMul", {a, b}, {r.out()});
}

void withActivation(Rewriting& r, const std::string& type, const Names& inputs) {
  const std::string activation = textOf(r.node(), "activation");
  const std::string result = activation.empty() ? r.out() : r.between("sum");
  r.addLike(type, inputs, {result});
  if (!activation.empty()) r.add(activation, {result}, {r.out()});
}

void fusedConvolution(Rewriting& r) { withActivation(r, "Conv", {r.in(0), r.in(1), r.in(2)}); }
void fusedGemm(Rewriting& r) { withActivation(r, "Gemm", {r.in(0), r.in(1), r.in(2)}); }

/// A weight of 4 bits a number is stored in blocks; its sizes are attributes.
void smallNumbersProduct(Rewriting& r) {
  const std::int64_t inner = wholeOf(r.node(), "K", 0);
  const std::int64_t outer = wholeOf(r.node(), "N", 0);
  if (inner < 1 || outer < 1) return;
  onnx::NodeProto& weight = r.add("Constant", {}, {r.between("weight")});
  onnx::AttributeProto* value = weight.add_attribute();
  value->set_name("value");
  value->set_type(onnx::AttributeProto::TENSOR);
  value->mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
  value->mutable_t()->add_dims(inner);
  value->mutable_t()->add_dims(outer);
  r.add("MatMul", {r.in(0), r.between("weight")}, {r.out()});
}

/// A sum, and the normalisation of it.
void skippingNormalisation(Rewriting& r) {
  const bool simple = r.node().op_type() == "SkipSimplifiedLayerNormalization";
  const std::string sum = r.out(3).empty() ? r.between("sum") : r.out(3);
  r.add("Add", {r.in(0), r.in(1)}, {sum});
  Names inputs{sum, r.in(2)};
  if (!simple) inputs.push_back(r.in(3));
  r.add(simple ? "SimplifiedLayerNormalization" : "LayerNormalization", inputs, {r.out()});
}

/// The fused kind of ONNX Runtime projects queries, keys and values, and joins them. Errors in its shapes leave it as
/// it is.
void projectingAttention(Rewriting& r) {
  const std::int64_t heads = wholeOf(r.node(), "num_heads", 0);
  const Shape* weight = r.shape(1);
  if (heads < 1 || weight == nullptr || weight->size() != 2 || !r.out(1).empty()) return;
  Shape widths = wholesOf(r.node(), "qkv_hidden_sizes");
  if (widths.size() != 3) widths.assign(3, (*weight)[1] / 3);
  if (widths[0] + widths[1] + widths[2] != (*weight)[1]) return;
  const bool biased = r.node().op_type() == "Attention" && !r.in(2).empty();
  r.add("MatMul", {r.in(0), r.in(1)}, {r.between("projected")});
  if (biased) r.add("Add", {r.between("projected"), r.in(2)}, {r.between("biased")});
  r.addList(r.between("widths"), widths);
  const Names parts{r.between("query"), r.between("key"), r.between("value")};
  setWhole(r.add("Split", {r.between(biased ? "biased" : "projected"), r.between("widths")}, parts), "axis", -1);
  onnx::NodeProto& attention = r.add("MultiHeadAttention", parts, {r.out()});
  attention.set_domain("com.microsoft");
  setWhole(attention, "num_heads", heads);
}

/// From version 18 on the axes of reductions are an input.
void reductionWithAxes(Rewriting& r) {
  if (r.in(1).empty() || r.node().op_type() == "ReduceSum") return;
  const OnnxNumbers* axes = r.numbers(1);
  if (axes == nullptr) return;
  if (axes->values.empty() && wholeOf(r.node(), "noop_with_empty_axes", 0) != 0) {
    r.add("Identity", {r.in(0)}, {r.out()});
    return;
  }
  onnx::NodeProto& plain = r.addLike(r.node().op_type(), {r.in(0)}, {r.out()});
  removeAttribute(plain, "noop_with_empty_axes");
  if (!axes->values.empty()) setWholes(plain, "axes", wholesFrom(*axes));
}

void splitIntoNumber(Rewriting& r) {
  const std::int64_t parts = wholeOf(r.node(), "num_outputs", 0);
  const Shape* shape = r.shape(0);
  if (parts < 1 || parts != r.node().output_size() || shape == nullptr) return;
  const auto axis = axisOf(wholeOf(r.node(), "axis", 0), shape->size());
  if (!axis) return;
  const std::int64_t part = ((*shape)[*axis] + parts - 1) / parts;
  Shape sizes;
  for (std::int64_t i = 0; i < parts; ++i)
    sizes.push_back(std::clamp<std::int64_t>((*shape)[*axis] - i * part, 0, part));
  r.addList(r.between("sizes"), sizes);
  onnx::NodeProto& plain =
      r.add("Split", {r.in(0), r.between("sizes")}, Names(r.node().output().begin(), r.node().output().end()));
  setWhole(plain, "axis", static_cast<std::int64_t>(*axis));
}

void padOfAxes(Rewriting& r) {
  const Shape* shape = r.shape(0);
  const OnnxNumbers* pads = r.numbers(1);
  const OnnxNumbers* axes = r.numbers(3);
  if (shape == nullptr || pads == nullptr || axes == nullptr || pads->values.size() != 2 * axes->values.size()) return;
  Shape all(2 * shape->size(), 0);
  for (std::size_t i = 0; i < axes->values.size(); ++i) {
    const auto axis = axisOf(wholeFrom(axes->values[i]), shape->size());
    if (!axis) return;
    all[*axis] = wholeFrom(pads->values[i]);
    all[*axis + shape->size()] = wholeFrom(pads->values[i + axes->values.size()]);
  }
  r.addList(r.between("pads"), all);
  r.addLike("Pad", {r.in(0), r.between("pads"), r.in(2)}, {r.out()});
}

void resizeOfAxes(Rewriting& r) {
  const Shape* shape = r.shape(0);
  const Shape axes = wholesOf(r.node(), "axes");
  const OnnxNumbers* given = r.numbers(r.in(3).empty() ? 2 : 3);
  if (axes.empty() || shape == nullptr || given == nullptr || given->values.size() != axes.size()) return;
  Shape sizes = *shape;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = axisOf(axes[i], shape->size());
    if (!axis) return;
    const double before = static_cast<double>(sizes[*axis]);
    sizes[*axis] = wholeFrom(r.in(3).empty() ? before * given->values[i] : given->values[i]);
  }
  r.addList(r.between("sizes"), sizes);
  removeAttribute(r.addLike("Resize", {r.in(0), "", "", r.between("sizes")}, {r.out()}), "axes");
}

struct RewritingRule {
  std::string_view type;
  void (*apply)(Rewriting& r);
};

/// Of ONNX.
constexpr RewritingRule kPlain[] = {
    {"ConvInteger", toConvolution},    {"MatMulInteger", toProduct},           {"Pad", padOfAxes},
    {"QLinearConv", toConvolution},    {"QLinearMatMul", toProduct},           {"ReduceL1", reductionWithAxes},
    {"ReduceL2", reductionWithAxes},   {"ReduceLogSum", reductionWithAxes},    {"ReduceLogSumExp", reductionWithAxes},
    {"ReduceMax", reductionWithAxes},  {"ReduceMean", reductionWithAxes},      {"ReduceMin", reductionWithAxes},
    {"ReduceProd", reductionWithAxes}, {"ReduceSumSquare", reductionWithAxes}, {"Resize", resizeOfAxes},
    {"Split", splitIntoNumber}};

/// Of ONNX Runtime.
constexpr RewritingRule kFused[] = {{"Attention", projectingAttention},
                                    {"DynamicQuantizeMatMul", toProduct},
                                    {"FusedConv", fusedConvolution},
                                    {"FusedGemm", fusedGemm},
                                    {"FusedMatMul", fusedProduct},
                                    {"MatMulIntegerToFloat", toProduct},
                                    {"MatMulNBits", smallNumbersProduct},
                                    {"QAttention", projectingAttention},
                                    {"QGemm", toGemm},
                                    {"QLinearAdd", toPlainSum},
                                    {"QLinearAveragePool", toPlainPooling},
                                    {"QLinearConcat", toPlainConcat},
                                    {"QLinearGlobalAveragePool", toPlainPooling},
                                    {"QLinearMul", toPlainSum},
                                    {"SkipLayerNormalization", skippingNormalisation},
                                    {"SkipSimplifiedLayerNormalization", skippingNormalisation},
                                    {"TransposeMatMul", fusedProduct}};

template <std::size_t Count>
Nodes applied(const RewritingRule (&rules)[Count], Rewriting r) {
  const auto rule = std::find_if(std::begin(rules), std::end(rules),
                                 [&](const RewritingRule& each) { return each.type == r.node().op_type(); });
  if (rule != std::end(rules)) rule->apply(r);
  return std::move(r.nodes);
}

}  // namespace

std::vector<onnx::NodeProto> rewritten(const onnx::NodeProto& node, const OnnxModel& model) {
  const bool fused = !node.domain().empty() && node.domain() != "ai.onnx";
  return fused ? applied(kFused, Rewriting(node, model)) : applied(kPlain, Rewriting(node, model));
}

}  // namespace p2
