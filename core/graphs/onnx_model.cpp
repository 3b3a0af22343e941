// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx_model.h"

#include <onnx/shape_inference/implementation.h>

#include <algorithm>

#include "base/numbers.h"
#include "strategy/computation_graph.h"

namespace p2 {
namespace {

bool isFixed(const onnx::TensorShapeProto::Dimension& dimension) {
  return dimension.has_dim_value() && dimension.dim_value() > 0;
}

/// Puts the batch wherever a dimension of one of these names stands.
void fixNamed(google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values, const std::set<std::string>& names,
              std::int64_t batch) {
  for (onnx::ValueInfoProto& value : values) {
    if (!value.type().has_tensor_type()) continue;
    for (auto& dimension : *value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      if (dimension.has_dim_param() && names.contains(dimension.dim_param())) dimension.set_dim_value(batch);
    }
  }
}

std::optional<Shape> fixedShape(const onnx::ValueInfoProto& value) {
  if (!value.type().has_tensor_type() || !value.type().tensor_type().has_shape()) return std::nullopt;
  Shape shape;
  for (const auto& dimension : value.type().tensor_type().shape().dim()) {
    if (!isFixed(dimension)) return std::nullopt;
    shape.push_back(dimension.dim_value());
  }
  return shape;
}

const onnx::AttributeProto* attributeOf(const onnx::NodeProto& node, const std::string& name) {
  const auto found =
      std::find_if(node.attribute().begin(), node.attribute().end(), [&](const auto& a) { return a.name() == name; });
  return found == node.attribute().end() ? nullptr : &*found;
}

/// Shapes are multiplied and divided: all of their products have to fit, also those beside a dimension of 0.
bool isReasonable(const Shape& shape) {
  Shape factors;
  for (const std::int64_t d : shape) {
    if (d < 0 || d > kMostDimensionSize) return false;
    factors.push_back(std::max<std::int64_t>(d, 1));
  }
  return checkedProduct(factors).has_value();
}

std::string titleOf(const onnx::NodeProto& node) {
  return node.op_type() + (node.name().empty() ? "" : " \"" + node.name() + "\"");
}

/// Shape inference divides by what stands here, also in the branches and loops inside of nodes.
Result<void> checkWindowsOf(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
  for (const onnx::NodeProto& node : nodes) {
    for (const char* name : {"strides", "dilations", "kernel_shape", "group"}) {
      const onnx::AttributeProto* attribute = attributeOf(node, name);
      if (attribute == nullptr) continue;
      std::vector<std::int64_t> values(attribute->ints().begin(), attribute->ints().end());
      if (attribute->type() == onnx::AttributeProto::INT) values.push_back(attribute->i());
      for (const std::int64_t value : values) {
        if (value >= 1 && value <= kMostDimensionSize) continue;
        return Error{std::string(name) + " holds " + std::to_string(value) + "; it needs numbers of 1 to 2^40",
                     titleOf(node)};
      }
    }
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) P2_TRY(checkWindowsOf(attribute.g().node()));
      for (const onnx::GraphProto& graph : attribute.graphs()) P2_TRY(checkWindowsOf(graph.node()));
    }
  }
  return {};
}

}  // namespace

Result<OnnxModel> OnnxModel::read(std::istream& bytes, std::optional<std::int64_t> batch) {
  OnnxModel result;
  if (!result.m_model.ParseFromIstream(&bytes) || !result.m_model.has_graph()) {
    return Error{"it is not an ONNX model, or it is cut short"};
  }
  for (const onnx::TensorProto& weight : result.graph().initializer()) result.m_constants.insert(weight.name());
  P2_TRY(result.fixInputs(batch));
  P2_TRY(result.checkWindows());
  try {
    onnx::shape_inference::InferShapes(result.m_model);
  } catch (const std::exception& error) {
    return Error{std::string("its shapes contradict each other: ") + error.what()};
  }
  P2_TRY(result.rememberShapes());
  result.rememberConstants();
  return result;
}

Result<void> OnnxModel::fixInputs(std::optional<std::int64_t> batch) {
  std::set<std::string> names;
  onnx::GraphProto& graph = *m_model.mutable_graph();
  for (onnx::ValueInfoProto& input : *graph.mutable_input()) {
    if (isConstant(input.name()) || !input.type().has_tensor_type()) continue;
    onnx::TensorShapeProto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (int i = 0; i < shape.dim_size(); ++i) {
      onnx::TensorShapeProto::Dimension& dimension = *shape.mutable_dim(i);
      if (isFixed(dimension)) continue;
      const std::string name = dimension.has_dim_param() ? " \"" + dimension.dim_param() + "\"" : "";
      const std::string what = "dimension " + std::to_string(i) + name + " of the input \"" + input.name() + "\"";
      if (!batch) return Error{what + " is not fixed; give a batch size"};
      if (i > 0 && !names.contains(dimension.dim_param())) {
        return Error{what +
                     " is not fixed, and a batch size stands for the first dimension alone; save the model "
                     "with this one fixed"};
      }
      if (dimension.has_dim_param()) names.insert(dimension.dim_param());
      dimension.set_dim_value(*batch);
    }
  }
  if (batch) {
    fixNamed(*graph.mutable_output(), names, *batch);
    fixNamed(*graph.mutable_value_info(), names, *batch);
  }
  return {};
}

Result<void> OnnxModel::checkWindows() const {
  P2_TRY(checkWindowsOf(graph().node()));
  for (const onnx::FunctionProto& function : m_model.functions()) P2_TRY(checkWindowsOf(function.node()));
  return {};
}

Result<void> OnnxModel::rememberShapes() {
  for (const auto* values : {&graph().input(), &graph().output(), &graph().value_info()}) {
    for (const onnx::ValueInfoProto& value : *values) {
      if (auto shape = fixedShape(value)) m_shapes.emplace(value.name(), std::move(*shape));
    }
  }
  for (const onnx::TensorProto& weight : graph().initializer()) {
    m_shapes.emplace(weight.name(), Shape(weight.dims().begin(), weight.dims().end()));
  }
  for (const auto& [name, shape] : m_shapes) {
    if (isReasonable(shape)) continue;
    return Error{"the tensor \"" + name + "\" has a dimension over 2^40, or over 2^63 elements; check the model",
                 {},
                 ErrorKind::TooLarge};
  }
  return {};
}

void OnnxModel::rememberConstants() {
  static const std::set<std::string> kShapeKinds{"Shape", "Size"};
  for (const onnx::NodeProto& node : graph().node()) {
    const bool follows = std::all_of(node.input().begin(), node.input().end(),
                                     [&](const std::string& name) { return name.empty() || isConstant(name); });
    if (follows || kShapeKinds.contains(node.op_type())) {
      m_constants.insert(node.output().begin(), node.output().end());
      m_constants.erase(std::string());  // an output that is left out has no name
    }
  }
}

const Shape* OnnxModel::shapeOf(const std::string& tensor) const {
  const auto found = m_shapes.find(tensor);
  return found == m_shapes.end() ? nullptr : &found->second;
}

std::vector<std::int64_t> wholesOf(const onnx::NodeProto& node, const std::string& attribute) {
  const onnx::AttributeProto* found = attributeOf(node, attribute);
  return found == nullptr ? std::vector<std::int64_t>()
                          : std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
}

std::int64_t wholeOf(const onnx::NodeProto& node, const std::string& attribute, std::int64_t otherwise) {
  const onnx::AttributeProto* found = attributeOf(node, attribute);
  return found == nullptr ? otherwise : found->i();
}

}  // namespace p2
