// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/windows.h"

#include "graphs/onnx/attributes.h"
#include "strategy/computation_graph.h"

namespace p2::inline graphs {
namespace {

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

Result<void> checkWindows(const onnx::ModelProto& model) {
  P2_TRY(checkWindowsOf(model.graph().node()));
  for (const onnx::FunctionProto& function : model.functions()) P2_TRY(checkWindowsOf(function.node()));
  return {};
}

}  // namespace p2::inline graphs
