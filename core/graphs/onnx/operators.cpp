// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/operators.h"

#include "graphs/onnx/builder.h"
#include "graphs/onnx/tracer.h"
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

}  // namespace p2::inline graphs
