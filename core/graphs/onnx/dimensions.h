// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <vector>

#include "base/result.h"
#include "graphs/onnx_import.h"

namespace p2::inline graphs {

/// The dimensions that a model's inputs leave open, each name once, in the order of the inputs.
[[nodiscard]] std::vector<OpenDimension> openDimensionsOf(const onnx::ModelProto& model);

/// Replaces open dimensions by sizes, wherever their names occur. Errors: dimensions without a size, sizes for names
/// that no dimension has, an input without a shape.
[[nodiscard]] Result<void> fixDimensions(onnx::ModelProto& model, const OnnxSizes& sizes);

}  // namespace p2::inline graphs
