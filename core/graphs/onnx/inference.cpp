// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/inference.h"

#include "graphs/onnx/library.h"

namespace p2::inline graphs {

onnx::TypeProto tensorType(std::int32_t elementType, const Shape& shape) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(elementType);
  auto* dimensions = type.mutable_tensor_type()->mutable_shape();
  for (const std::int64_t size : shape) dimensions->add_dim()->set_dim_value(size);
  return type;
}

std::optional<Shape> fixedShape(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return std::nullopt;
  Shape shape;
  for (const auto& dimension : type.tensor_type().shape().dim()) {
    if (!dimension.has_dim_value() || dimension.dim_value() < 0) return std::nullopt;
    shape.push_back(dimension.dim_value());
  }
  return shape;
}

OnnxInferred inferred(const onnx::NodeProto& node, OnnxModel& model, const OnnxOpsets& opsets) {
  OnnxInferred result;
  // libonnx knows no more of the result of Einsum than its rank.
  if (auto asked = node.op_type() == "Einsum" ? std::nullopt : askLibrary(node, model, opsets)) {
    result = *std::move(asked);
  } else if (const auto shapes = ownShapes(node, model)) {
    const auto first = model.types.find(node.input(0));
    const std::int32_t type =
        first == model.types.end() ? std::int32_t{onnx::TensorProto::FLOAT} : first->second.tensor_type().elem_type();
    for (const Shape& shape : *shapes) result.outputs.push_back(tensorType(type, shape));
  }
  result.outputs.resize(static_cast<std::size_t>(node.output_size()));
  return result;
}

}  // namespace p2::inline graphs
