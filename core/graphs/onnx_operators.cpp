// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx_operators.h"

#include "graphs/onnx_builder.h"

namespace p2 {

const std::vector<OnnxBuilder::Named>& OnnxBuilder::rules() {
  static const std::vector<Named> kRules{
      {"Gemm", OperatorKind::Gemm, &OnnxBuilder::gemm},
      {"MatMul", OperatorKind::Gemm, &OnnxBuilder::matMul},
      {"Conv", OperatorKind::Convolution, &OnnxBuilder::convolution},
      {"MaxPool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"AveragePool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"GlobalMaxPool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"GlobalAveragePool", OperatorKind::Pooling, &OnnxBuilder::pooling},
      {"BatchNormalization", OperatorKind::Normalisation, &OnnxBuilder::batchNormalisation},
      {"LayerNormalization", OperatorKind::Normalisation, &OnnxBuilder::layerNormalisation},
      {"Softmax", OperatorKind::Softmax, &OnnxBuilder::softmax},
      {"LogSoftmax", OperatorKind::Softmax, &OnnxBuilder::softmax},
      {"SoftmaxCrossEntropyLoss", OperatorKind::Loss, &OnnxBuilder::loss},
      {"NegativeLogLikelihoodLoss", OperatorKind::Loss, &OnnxBuilder::loss},
      {"Gather", OperatorKind::Embedding, &OnnxBuilder::embedding},
      {"Concat", OperatorKind::Concat, &OnnxBuilder::concat},
      {"Split", OperatorKind::Split, &OnnxBuilder::split},
      {"Transpose", OperatorKind::Reshape, &OnnxBuilder::transpose},
      {"Reshape", OperatorKind::Reshape, &OnnxBuilder::reshape},
      {"Flatten", OperatorKind::Reshape, &OnnxBuilder::reshape},
      {"Squeeze", OperatorKind::Reshape, &OnnxBuilder::reshape},
      {"Unsqueeze", OperatorKind::Reshape, &OnnxBuilder::reshape},
      {"LSTM", OperatorKind::Lstm, &OnnxBuilder::lstm},
  };
  return kRules;
}

bool OnnxBuilder::isElementwise(std::string_view type) {
  constexpr std::string_view kTypes[] = {
      "Abs",   "Add",       "Cast",       "Ceil",  "Clip",  "Div",     "Dropout",     "Elu",       "Equal",
      "Erf",   "Exp",       "Expand",     "Floor", "Gelu",  "Greater", "HardSigmoid", "HardSwish", "Identity",
      "LRN",   "LeakyRelu", "Less",       "Log",   "Max",   "Min",     "Mul",         "Neg",       "Not",
      "PRelu", "Pow",       "Reciprocal", "Relu",  "Round", "Selu",    "Sigmoid",     "Sign",      "Softplus",
      "Sqrt",  "Sub",       "Sum",        "Tanh",  "Where"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

Result<OnnxOperator> OnnxBuilder::build() {
  const std::string& type = m_node.op_type();
  std::vector<std::string> needed{firstOutput(m_node)};
  const auto named = std::find_if(rules().begin(), rules().end(), [&](const Named& rule) { return rule.type == type; });
  if (named != rules().end()) needed.insert(needed.end(), m_node.input().begin(), m_node.input().end());
  for (const std::string& tensor : needed) {
    if (tensor.empty() || m_model.shapeOf(tensor) != nullptr) continue;
    return Error{"the shape of \"" + tensor + "\" cannot be inferred; save the model with fixed shapes"};
  }
  if (named == rules().end()) {
    elementwise();
    m_result.known = isElementwise(type);
    return std::move(m_result);
  }
  m_result.op.kind = named->kind;
  (this->*named->rule)();
  if (!m_fits) return Error{"its tensors do not have the ranks that it needs; check the model with another tool"};
  return std::move(m_result);
}

std::string firstOutput(const onnx::NodeProto& node) {
  const auto named =
      std::find_if(node.output().begin(), node.output().end(), [](const std::string& name) { return !name.empty(); });
  return named == node.output().end() ? std::string() : *named;
}

Result<OnnxOperator> onnxOperator(const OnnxModel& model, const onnx::NodeProto& node) {
  return OnnxBuilder(model, node).build();
}

}  // namespace p2
