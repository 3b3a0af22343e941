// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/file.h"

#include <istream>

#include "graphs/onnx/dimensions.h"
#include "graphs/onnx/graph.h"
#include "graphs/onnx/tracer.h"
#include "graphs/onnx/windows.h"

namespace p2::inline graphs {

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
