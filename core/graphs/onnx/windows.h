// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <onnx/onnx_pb.h>

#include "base/result.h"

namespace p2::inline graphs {

/// Shape inference divides by strides, dilations, windows and groups, also in the branches and loops inside of nodes.
/// Errors: one that is not 1 to 2^40.
[[nodiscard]] Result<void> checkWindows(const onnx::ModelProto& model);

}  // namespace p2::inline graphs
