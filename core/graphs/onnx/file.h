// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <onnx/onnx_pb.h>

#include <iosfwd>
#include <string>

#include "base/result.h"
#include "graphs/onnx_import.h"
#include "strategy/computation_graph.h"

namespace p2::inline graphs {

/// The model that an ONNX file holds. Errors: bytes that are none, or not all of one.
[[nodiscard]] Result<onnx::ModelProto> modelFrom(std::istream& bytes);

/// Its computation graph, valid, and called `name` unless the model has a name of its own. Errors: open dimensions
/// without a size, windows and sizes that cannot be, nothing that can be counted.
[[nodiscard]] Result<ComputationGraph> graphOf(onnx::ModelProto file, const std::string& name, const OnnxSizes& sizes);

}  // namespace p2::inline graphs
