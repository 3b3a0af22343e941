// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <optional>
#include <vector>

#include "graphs/onnx/numbers.h"

namespace p2::inline graphs {

/// The known facts of one of a node's inputs; empty for an omitted one.
struct FoldingInput {
  const OnnxNumbers* numbers = nullptr;
  const Shape* shape = nullptr;  ///< where all sizes are known
};

/// Outputs of a node, where that follows from shapes and small tensors: one entry for each of its outputs.
/// None for kinds of nodes that are not followed, and where an input is unknown, too large, or makes no sense.
/// O(numbers).
[[nodiscard]] std::optional<std::vector<OnnxNumbers>> folded(const onnx::NodeProto& node,
                                                             const std::vector<FoldingInput>& inputs);

}  // namespace p2::inline graphs
