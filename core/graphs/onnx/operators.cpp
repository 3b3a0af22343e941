// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of nodes, and the operators that multiply: products, convolutions, recurrent cells, attention, reductions.
#include "graphs/onnx/operators.h"

#include <map>

#include "graphs/onnx/builder.h"
#include "graphs/onnx/einsum.h"
#include "graphs/onnx/inference.h"
#include "strategy/operator_costs.h"

namespace p2::inline graphs {

const std::vector<OnnxBuilder::Named>& OnnxBuilder::rules() {
  static const std::vector<Named> kRules{
      {"ArgMax", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ArgMin", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"Attention", OperatorKind::Attention, &OnnxBuilder::attention},
      {"AveragePool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"BatchNormalization", OperatorKind::Normalisation, &OnnxBuilder::batchNormalisation},
      {"Concat", OperatorKind::Concat, &OnnxBuilder::concat},
      {"Conv", OperatorKind::Convolution, &OnnxBuilder::convolution},
      {"ConvTranspose", OperatorKind::Convolution, &OnnxBuilder::transposedConvolution},
      {"Einsum", OperatorKind::Gemm, &OnnxBuilder::einsum},
      {"Flatten", OperatorKind::Reshape, &OnnxBuilder::reshape},
      {"GRU", OperatorKind::Lstm, &OnnxBuilder::recurrent},
      {"Gather", OperatorKind::Embedding, &OnnxBuilder::embedding},
      {"Gemm", OperatorKind::Gemm, &OnnxBuilder::gemm},
      {"GlobalAveragePool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"GlobalLpPool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"GlobalMaxPool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"GroupNorm", OperatorKind::Normalisation, &OnnxBuilder::instanceNormalisation},
      {"GroupNormalization", OperatorKind::Normalisation, &OnnxBuilder::instanceNormalisation},
      {"GroupQueryAttention", OperatorKind::Attention, &OnnxBuilder::attention},
      {"InstanceNormalization", OperatorKind::Normalisation, &OnnxBuilder::instanceNormalisation},
      {"LSTM", OperatorKind::Lstm, &OnnxBuilder::recurrent},
      {"LayerNormalization", OperatorKind::Normalisation, &OnnxBuilder::layerNormalisation},
      {"LogSoftmax", OperatorKind::Softmax, &OnnxBuilder::softmax},
      {"LpPool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"MatMul", OperatorKind::Gemm, &OnnxBuilder::matMul},
      {"MaxPool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"MultiHeadAttention", OperatorKind::Attention, &OnnxBuilder::attention},
      {"NegativeLogLikelihoodLoss", OperatorKind::Loss, &OnnxBuilder::loss},
      {"RMSNormalization", OperatorKind::Normalisation, &OnnxBuilder::layerNormalisation},
      {"RNN", OperatorKind::Lstm, &OnnxBuilder::recurrent},
      {"ReduceL1", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ReduceL2", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ReduceLogSum", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ReduceLogSumExp", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ReduceMax", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ReduceMean", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ReduceMin", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ReduceProd", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ReduceSum", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"ReduceSumSquare", OperatorKind::Pooling, &OnnxBuilder::reduction},
      {"Reshape", OperatorKind::Reshape, &OnnxBuilder::reshape},
      {"SimplifiedLayerNormalization", OperatorKind::Normalisation, &OnnxBuilder::layerNormalisation},
      {"Softmax", OperatorKind::Softmax, &OnnxBuilder::softmax},
      {"SoftmaxCrossEntropyLoss", OperatorKind::Loss, &OnnxBuilder::loss},
      {"Split", OperatorKind::Split, &OnnxBuilder::split},
      {"Squeeze", OperatorKind::Reshape, &OnnxBuilder::reshape},
      {"Transpose", OperatorKind::Reshape, &OnnxBuilder::transpose},
      {"Unsqueeze", OperatorKind::Reshape, &OnnxBuilder::reshape},
  };
  return kRules;
}

bool OnnxBuilder::isElementwise(std::string_view type) {
  // Kinds with a few operations for each element, or with none, as moves of elements.
  static constexpr std::string_view kTypes =
      " Abs Acos Acosh Add And Asin Asinh Atan Atanh BiasGelu BiasSoftmax BitShift BitwiseAnd BitwiseNot "
      "BitwiseOr BitwiseXor Cast CastLike Ceil Celu CenterCropPad Clip Compress Cos Cosh CumSum "
      "DepthToSpace DequantizeLinear Div Dropout DynamicQuantizeLinear Elu Equal Erf Exp Expand EyeLike "
      "FastGelu Floor GatherElements GatherND Gelu Greater GreaterOrEqual HardSigmoid HardSwish Hardmax "
      "Identity IsInf IsNaN LRN LeakyRelu Less LessOrEqual Log LpNormalization Max Mean "
      "MeanVarianceNormalization Min Mish Mod Mul Neg Not OneHot Or PRelu Pad Pow QLinearLeakyRelu "
      "QLinearSigmoid QLinearSoftmax QuantizeLinear QuickGelu RandomNormalLike RandomUniformLike Range "
      "Reciprocal Relu Resize ReverseSequence RotaryEmbedding Round Scatter ScatterElements ScatterND Selu "
      "Shrink Sigmoid Sign Sin Sinh Slice Softplus Softsign SpaceToDepth Sqrt Sub Sum Swish Tan Tanh "
      "ThresholdedRelu Tile Trilu Upsample Where Xor ";
  return type.find(' ') == std::string_view::npos &&
         kTypes.find(" " + std::string(type) + " ") != std::string_view::npos;
}

/// The kind of node with which it begins that a tensor's sizes are not known; nothing when they are.
Result<std::optional<std::string>> OnnxBuilder::missing(bool inputsToo) const {
  std::vector<std::string> needed{firstOutput(m_node)};
  if (inputsToo) needed.insert(needed.end(), m_node.input().begin(), m_node.input().end());
  for (const std::string& tensor : needed) {
    if (tensor.empty() || m_model.shapeOf(tensor) != nullptr) continue;
    const auto open = m_model.open.find(tensor);
    if (open != m_model.open.end()) return std::optional(open->second);
    return Error{"the shape of \"" + tensor + "\" cannot be inferred; save the model with fixed shapes"};
  }
  return std::optional<std::string>();
}

Result<OnnxOperator> OnnxBuilder::build() {
  const std::string& type = m_node.op_type();
  const auto named =
      std::lower_bound(rules().begin(), rules().end(), type, [](const Named& a, const auto& b) { return a.type < b; });
  const bool known = named != rules().end() && named->type == type;
  P2_TRY_ASSIGN(const auto open, missing(known));
  if (open) {
    m_result.open = *open;
    return std::move(m_result);
  }
  if (std::find(out().begin(), out().end(), 0) != out().end()) {
    m_result.nothing = true;
    return std::move(m_result);
  }
  if (!known) {
    elementwise();
    m_result.known = isElementwise(type);
    return std::move(m_result);
  }
  m_result.op.kind = named->kind;
  (this->*named->rule)();
  if (!m_fits) return Error{"its tensors do not have the ranks that it needs; check the model with another tool"};
  return std::move(m_result);
}

Result<OnnxOperator> onnxOperator(const OnnxModel& model, const onnx::NodeProto& node) {
  return OnnxBuilder(model, node).build();
}

double productsAfter(const OnnxModel& model, std::size_t firstNode) {
  double products = 0;
  for (std::size_t i = firstNode; i < model.nodes.size(); ++i) {
    const auto made = onnxOperator(model, model.nodes[i]);
    if (made.ok()) products += multiplyAdds(made->op, Configuration(made->op.dimensions.size(), 1));
  }
  return products;
}

/// A product of two operands, or sums of one; more are taken apart before (rewrites.cpp).
void OnnxBuilder::einsum() {
  std::vector<std::size_t> ranks;
  for (int i = 0; i < m_node.input_size(); ++i) ranks.push_back(in(i).size());
  const EinsumEquation equation = einsumEquation(textOf(m_node, "equation"), ranks);
  if (!equation.understood || ranks.size() > 2 || equation.result.size() != out().size()) return unpriced();
  std::map<char, std::size_t> letters;
  const auto spanOf = [&](const std::string& term, const Shape& shape) {
    Span span;
    for (std::size_t i = 0; i < term.size(); ++i) {
      const auto found = letters.find(term[i]);
      // Broadcast dimensions stay whole, as a dimension of its own.
      const bool other = found != letters.end() && m_result.op.dimensions[found->second].size != shape[i];
      if (found != letters.end() && !other) span.push_back(found->second);
      if (other) span.push_back(whole(shape[i]));
      if (found != letters.end()) continue;
      span.push_back(dimension(std::string("d") + term[i], shape[i]));
      letters.emplace(term[i], span.back());
    }
    return span;
  };
  const Span result = spanOf(equation.result, out());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const int index = static_cast<int>(i);
    input(index, spanOf(equation.operands[i], in(index)));
  }
  if (ranks.size() == 1) m_result.op.kind = OperatorKind::Pooling;  // sums along dimensions that the result lacks
  output(0, result);
}

/// Every element that is read is multiplied with the whole window.
void OnnxBuilder::transposedConvolution() {
  const Shape& weights = in(1);
  if (in(0).size() < 3 || weights.size() != in(0).size() || out().size() != in(0).size()) return unpriced();
  const bool grouped = wholeOf(m_node, "group", 1) > 1;
  const std::size_t b = dimension("b", out()[0]);
  const std::size_t c = dimension("c", in(0)[1]);
  const std::size_t n = dimension("n", weights[1], !grouped);
  const Span space = wholeFrom(in(0), 2);
  const Span window = wholeFrom(weights, 2);
  Span read{b, c};
  Span filter{c, n};
  // Grouped channels are cut together with the input's.
  Span written{b, grouped ? c : n};
  read.insert(read.end(), space.begin(), space.end());
  filter.insert(filter.end(), window.begin(), window.end());
  written.insert(written.end(), space.begin(), space.end());
  input(0, read);
  input(1, filter);
  input(2, {written[1]});
  output(0, written);
}

/// Weights of both products side by side: the input of a step, and the state from the previous one.
void OnnxBuilder::recurrent() {
  const std::int64_t gates = m_node.op_type() == "LSTM" ? 4 : m_node.op_type() == "GRU" ? 3 : 1;
  const std::int64_t units = wholeOf(m_node, "hidden_size", in(2).size() == 3 ? in(2)[2] : 0);
  const bool possible = units >= 1 && units <= kMostDimensionSize && in(0).size() == 3 && in(1).size() == 3;
  if (!possible) return unpriced();
  const bool batchFirst = wholeOf(m_node, "layout", 0) != 0;
  const std::size_t s = dimension("s", in(0)[batchFirst ? 1 : 0], false);
  const std::size_t r = dimension("directions", in(1)[0]);
  const std::size_t b = dimension("b", in(0)[batchFirst ? 0 : 1]);
  const std::size_t g = dimension("g", gates, false);
  const std::size_t n = dimension("n", units);
  const std::size_t k = dimension("k", in(0)[2] + units);
  input(0, batchFirst ? Span{b, s, k} : Span{s, b, k});
  const bool learnt = m_model.isParameter(m_node.input(1));
  tensor("w", learnt ? Tensor::Role::Parameter : Tensor::Role::Input, {r, g, n, k},
         {in(1)[0], gates, units, in(0)[2] + units});
  if (in(3) == Shape{in(1)[0], 2 * gates * units}) {
    tensor("bias", learnt ? Tensor::Role::Parameter : Tensor::Role::Input, {r, g, n}, {in(1)[0], 2 * gates, units});
  }
  statistics({"gates"}, {s, r, b, g, n});
  output(0, batchFirst ? Span{b, s, r, n} : Span{s, r, b, n});
  for (int i = 1; i < 3; ++i) output(i, batchFirst ? Span{b, r, n} : Span{r, b, n});
}

/// Fused scaled dot products: half of the multiply-adds with the keys, half with the values.
void OnnxBuilder::attention() {
  const auto sizes = attentionSizes(m_node, m_model);
  if (!sizes || (sizes->width + sizes->values) % 2 != 0) return unpriced();
  const std::size_t b = dimension("b", sizes->batch);
  const std::size_t h = dimension("h", sizes->heads);
  const std::size_t q = dimension("q", sizes->queries);
  const std::size_t k = dimension("k", sizes->keys);
  const std::size_t d = dimension("d", (sizes->width + sizes->values) / 2, false);
  const auto span = [&](const Shape& shape, std::size_t tokens) {
    return shape.size() == 4 ? Span{b, h, tokens, d} : Span{b, tokens, h};
  };
  input(0, span(in(0), q));
  input(1, span(in(1), k));
  input(2, span(in(2), k));
  statistics({"maximum", "sum"}, {b, h, q});
  output(0, span(out(), q));
  for (int i = 1; i < 3; ++i) output(i, {b, h, k, d});
}

/// Sums, means and extremes along some dimensions.
void OnnxBuilder::reduction() {
  const Span span = dimensionsOf(in(0));
  const bool one = m_node.op_type().starts_with("Arg");
  Shape axes = one ? Shape{wholeOf(m_node, "axis", 0)} : wholesOf(m_node, "axes");
  if (hasIn(1) && numbers(1) == nullptr) return elementwise();
  if (hasIn(1)) axes = wholesFrom(*numbers(1));
  std::vector<bool> gone(span.size(), axes.empty());
  const auto rank = static_cast<std::int64_t>(span.size());
  for (const std::int64_t each : axes) {
    const std::int64_t axis = each < 0 ? each + rank : each;
    if (axis < 0 || axis >= rank) return elementwise();
    gone[static_cast<std::size_t>(axis)] = true;
  }
  const bool kept = wholeOf(m_node, "keepdims", 1) != 0;
  Span written;
  for (std::size_t d = 0; d < span.size(); ++d) {
    if (!gone[d]) written.push_back(span[d]);
    if (gone[d] && kept) written.push_back(whole(1));
  }
  if (written.size() != out().size()) return elementwise();
  input(0, span);
  output(0, written);
}

}  // namespace p2::inline graphs
