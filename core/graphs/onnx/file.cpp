// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/file.h"

#include <onnx/onnx_pb.h>

#include <istream>

#include "base/result.h"
#include "graphs/onnx/attributes.h"
#include "graphs/onnx/dimensions.h"
#include "graphs/onnx/graph.h"
#include "graphs/onnx/tracer.h"
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

/// Shape inference divides by strides, dilations, windows and groups, also in the branches and loops inside of nodes.
/// Errors: one that is not 1 to 2^40.
Result<void> checkWindows(const onnx::ModelProto& model) {
  P2_TRY(checkWindowsOf(model.graph().node()));
  for (const onnx::FunctionProto& function : model.functions()) P2_TRY(checkWindowsOf(function.node()));
  return {};
}

}  // namespace

Result<onnx::ModelProto> modelFrom(std::istream& bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromIstream(&bytes) || !model.has_graph()) {
    return Error{"it is not an ONNX model, or it is cut short"};
  }
  return model;
}

Result<ComputationGraph> graphOf(onnx::ModelProto file, const std::string& name, const OnnxSizes& sizes) {
  P2_TRY(fixDimensions(file, sizes));
  P2_TRY(checkWindows(file));
  P2_TRY_ASSIGN(const auto model, OnnxTracer(file).run());
  P2_TRY_ASSIGN(auto graph, graphOf(model));
  if (graph.name.empty()) graph.name = name;
  return validated(std::move(graph));
}

}  // namespace p2::inline graphs
