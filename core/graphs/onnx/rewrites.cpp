// SPDX-License-Identifier: GPL-3.0-or-later
// Fused and quantized kinds, and those that are newer than libonnx, as the plain nodes they stand for.
#include <algorithm>

#include "graphs/onnx/einsum.h"
#include "graphs/onnx/folding_rules.h"
#include "graphs/onnx/rewriting.h"

namespace p2::inline graphs {
namespace {

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

/// Transposes of transposed tensors, which no multiply-add belongs to, and the product.
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

/// More than two operands, one after the other from the left, as runtimes do: what neither the result nor a later
/// operand has is summed up as soon as it can be.
void pairwiseEinsum(Rewriting& r) {
  const int count = r.node().input_size();
  std::vector<std::size_t> ranks;
  for (int i = 0; i < count; ++i) {
    if (r.shape(i) == nullptr) return;
    ranks.push_back(r.shape(i)->size());
  }
  EinsumEquation equation = einsumEquation(textOf(r.node(), "equation"), ranks);
  if (count < 3 || !equation.understood) return;
  // Dimensions of an ellipsis get letters that are free.
  std::string used = equation.result;
  for (const std::string& operand : equation.operands) used += operand;
  std::string free;
  for (const char first : {'a', 'A'}) {
    for (int i = 0; i < 26; ++i) {
      if (const char letter = static_cast<char>(first + i); used.find(letter) == std::string::npos) free += letter;
    }
  }
  const auto named = [&](std::string term) {
    for (char& letter : term) {
      if (letter >= '0' && letter <= '9') letter = free[static_cast<std::size_t>(letter - '0')];
    }
    return term;
  };
  if (free.size() < 10) return;
  for (std::string& operand : equation.operands) operand = named(std::move(operand));
  equation.result = named(std::move(equation.result));
  std::string left = equation.operands[0];
  std::string name = r.in(0);
  for (int i = 1; i < count; ++i) {
    const std::string& right = equation.operands[static_cast<std::size_t>(i)];
    std::string wanted = equation.result;
    for (int later = i + 1; later < count; ++later) wanted += equation.operands[static_cast<std::size_t>(later)];
    std::string kept;
    for (const char letter : left + right) {
      if (wanted.find(letter) != std::string::npos && kept.find(letter) == std::string::npos) kept += letter;
    }
    const bool last = i + 1 == count;
    if (last) kept = equation.result;
    const std::string result = last ? r.out() : r.between("product") + std::to_string(i);
    setText(r.add("Einsum", {name, r.in(i)}, {result}), "equation", left + "," + right + "->" + kept);
    left = kept;
    name = result;
  }
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
constexpr RewritingRule kPlain[] = {{"ConvInteger", toConvolution},
                                    {"Einsum", pairwiseEinsum},
                                    {"MatMulInteger", toProduct},
                                    {"Pad", padOfAxes},
                                    {"QLinearConv", toConvolution},
                                    {"QLinearMatMul", toProduct},
                                    {"ReduceL1", reductionWithAxes},
                                    {"ReduceL2", reductionWithAxes},
                                    {"ReduceLogSum", reductionWithAxes},
                                    {"ReduceLogSumExp", reductionWithAxes},
                                    {"ReduceMax", reductionWithAxes},
                                    {"ReduceMean", reductionWithAxes},
                                    {"ReduceMin", reductionWithAxes},
                                    {"ReduceProd", reductionWithAxes},
                                    {"ReduceSumSquare", reductionWithAxes},
                                    {"Resize", resizeOfAxes},
                                    {"Split", splitIntoNumber}};

/// Of ONNX Runtime.
constexpr RewritingRule kFused[] = {{"Attention", projectingAttention},
                                    {"DynamicQuantizeMatMul", toProduct},
                                    {"FusedConv", fusedConvolution},
                                    {"FusedGemm", fusedGemm},
                                    {"FusedMatMul", fusedProduct},
                                    {"GroupQueryAttention", packedGroupedAttention},
                                    {"MatMulIntegerToFloat", toProduct},
                                    {"MatMulNBits", smallNumbersProduct},
                                    {"MultiHeadAttention", packedAttention},
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

}  // namespace p2::inline graphs
