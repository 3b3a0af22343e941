// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/tracer.h"

#include <algorithm>

#include "base/numbers.h"
#include "graphs/onnx/attributes.h"
#include "graphs/onnx/folding.h"
#include "strategy/computation_graph.h"

namespace p2::inline graphs {
namespace {

/// Shapes are multiplied and divided: all of their products have to fit, also next to a dimension of 0.
bool isReasonable(const Shape& shape) {
  Shape factors;
  for (const std::int64_t size : shape) {
    if (size < 0 || size > kMostDimensionSize) return false;
    factors.push_back(std::max<std::int64_t>(size, 1));
  }
  return checkedProduct(factors).has_value();
}

bool isLearntType(std::int32_t type) {
  // Quantized weights are whole numbers of 8 bits.
  return isFloatingType(type) || type == onnx::TensorProto::INT8 || type == onnx::TensorProto::UINT8;
}

double bytesOf(std::int32_t type) {
  if (type == onnx::TensorProto::DOUBLE) return 8;
  if (type == onnx::TensorProto::FLOAT) return 4;
  return type == onnx::TensorProto::FLOAT16 || type == onnx::TensorProto::BFLOAT16 ? 2 : 1;
}

std::string lastLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

Result<void> OnnxTracer::addInput(const onnx::ValueInfoProto& input) {
  remember(input.name(), input.type());
  P2_TRY(checkSize(input.name()));
  if (m_model.shapeOf(input.name()) == nullptr)
    m_model.open.emplace(input.name(), "the input \"" + input.name() + "\"");
  return {};
}

Result<void> OnnxTracer::addGraph(const onnx::GraphProto& graph, const OnnxNames& names) {
  const auto outside = [&](const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
  };
  for (const auto* values : {&graph.value_info(), &graph.output()}) {
    for (const onnx::ValueInfoProto& value : *values) m_declared.emplace(outside(value.name()), value.type());
  }
  const auto weight = [&](const std::string& name, const onnx::TensorProto& tensor, const auto& sizes) -> Result<void> {
    const Shape shape(sizes.begin(), sizes.end());
    m_model.shapes.erase(name);
    remember(name, tensorType(tensor.data_type(), shape));
    P2_TRY(checkSize(name));
    m_model.open.erase(name);
    m_model.constants.insert(name);
    if (!isLearntType(tensor.data_type())) return {};
    m_model.learnt.insert(name);
    double count = 1;
    for (const std::int64_t size : shape) count *= static_cast<double>(size);
    m_weights[tensor.data_type()] += count;
    return {};
  };
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    const std::string name = outside(tensor.name());
    P2_TRY(weight(name, tensor, tensor.dims()));
    if (auto numbers = numbersFrom(tensor)) m_model.numbers[name] = std::move(*numbers);
  }
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) {
    P2_TRY(weight(outside(tensor.values().name()), tensor.values(), tensor.dims()));
  }
  return {};
}

Result<void> OnnxTracer::add(const onnx::NodeProto& node, const OnnxOpsets& opsets) {
  if (fold(node)) return {};
  const bool plain = std::none_of(node.attribute().begin(), node.attribute().end(),
                                  [](const onnx::AttributeProto& attribute) { return attribute.has_g(); });
  const bool follows = plain && std::all_of(node.input().begin(), node.input().end(), [&](const std::string& name) {
                         return name.empty() || m_model.isConstant(name);
                       });
  P2_TRY(rememberOutputs(node, inferred(node, m_model, opsets)));
  if (follows || node.op_type() == "Shape" || node.op_type() == "Size") {
    rememberConstant(node);
    return {};
  }
  m_model.nodes.push_back(node);
  return {};
}

void OnnxTracer::setNumbers(const std::string& name, OnnxNumbers numbers) {
  remember(name, tensorType(numbers.type, numbers.shape));
  m_model.numbers[name] = std::move(numbers);
  m_model.constants.insert(name);
}

OnnxModel OnnxTracer::finished() && {
  const auto most = std::max_element(m_weights.begin(), m_weights.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != m_weights.end() && isFloatingType(most->first)) m_model.elementBytes = bytesOf(most->first);
  return std::move(m_model);
}

bool OnnxTracer::fold(const onnx::NodeProto& node) {
  std::vector<FoldingInput> inputs;
  for (const std::string& name : node.input()) {
    inputs.push_back(name.empty() ? FoldingInput{} : FoldingInput{m_model.numbersOf(name), m_model.shapeOf(name)});
  }
  auto results = folded(node, inputs);
  if (!results) return false;
  for (int i = 0; i < node.output_size(); ++i) {
    OnnxNumbers& numbers = (*results)[static_cast<std::size_t>(i)];
    if (node.output(i).empty()) continue;
    remember(node.output(i), tensorType(numbers.type, numbers.shape));
    m_model.numbers[node.output(i)] = std::move(numbers);
  }
  rememberConstant(node);
  return true;
}

/// None where a type has no sizes, or not all.
void OnnxTracer::remember(const std::string& name, onnx::TypeProto type) {
  if (auto shape = fixedShape(type)) m_model.shapes[name] = std::move(*shape);
  m_model.types[name] = std::move(type);
}

void OnnxTracer::rememberConstant(const onnx::NodeProto& node) {
  const onnx::AttributeProto* value = node.op_type() == "Constant" ? attributeOf(node, "value") : nullptr;
  bool learnt = value != nullptr && value->has_t() && isLearntType(value->t().data_type());
  for (const std::string& input : node.input()) learnt = learnt || m_model.learnt.contains(input);
  learnt = learnt && node.op_type() != "Shape" && node.op_type() != "Size";
  for (const std::string& output : node.output()) {
    if (output.empty()) continue;
    m_model.constants.insert(output);
    if (learnt) m_model.learnt.insert(output);
  }
}

Result<void> OnnxTracer::rememberOutputs(const onnx::NodeProto& node, const OnnxInferred& inferred) {
  std::string root;
  for (const std::string& input : node.input()) {
    const auto open = m_model.open.find(input);
    if (root.empty() && open != m_model.open.end()) root = open->second;
    // Sequences that are followed by the names of their tensors have no type.
    if (root.empty() && !input.empty() && !m_model.types.contains(input)) root = node.op_type();
  }
  for (int i = 0; i < node.output_size(); ++i) {
    const std::string& name = node.output(i);
    if (name.empty()) continue;
    onnx::TypeProto type = merged(name, inferred.outputs[static_cast<std::size_t>(i)]);
    if (node.op_type() == "Constant" && hasAttribute(node, "value") && attributeOf(node, "value")->has_t()) {
      const onnx::TensorProto& tensor = attributeOf(node, "value")->t();
      type = tensorType(tensor.data_type(), Shape(tensor.dims().begin(), tensor.dims().end()));
    }
    remember(name, std::move(type));
    P2_TRY(checkSize(name));
    if (m_model.shapeOf(name) != nullptr) continue;
    if (root.empty() && !inferred.problem.empty()) {
      return Error{"its shapes contradict each other: " + lastLine(inferred.problem), titleOf(node)};
    }
    m_model.open.emplace(name, root.empty() ? node.op_type() : root);
  }
  return {};
}

Result<void> OnnxTracer::checkSize(const std::string& name) const {
  const Shape* shape = m_model.shapeOf(name);
  if (shape == nullptr || isReasonable(*shape)) return {};
  return Error{"the tensor \"" + name + "\" has a dimension over 2^40, or over 2^63 elements; check the model",
               {},
               ErrorKind::TooLarge};
}

/// The inferred shape; open sizes come from the model's declaration.
onnx::TypeProto OnnxTracer::merged(const std::string& name, onnx::TypeProto inferred) const {
  const auto found = m_declared.find(name);
  if (found == m_declared.end() || !found->second.has_tensor_type()) return inferred;
  const onnx::TypeProto& declared = found->second;
  if (!inferred.has_tensor_type() || !inferred.tensor_type().has_shape()) return declared;
  auto& shape = *inferred.mutable_tensor_type()->mutable_shape();
  const auto& other = declared.tensor_type().shape();
  if (!declared.tensor_type().has_shape() || shape.dim_size() != other.dim_size()) return inferred;
  for (int i = 0; i < shape.dim_size(); ++i) {
    if (shape.dim(i).has_dim_value() || other.dim(i).dim_value() <= 0) continue;
    shape.mutable_dim(i)->set_dim_value(other.dim(i).dim_value());
  }
  return inferred;
}

}  // namespace p2::inline graphs
