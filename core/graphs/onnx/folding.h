// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <optional>
#include <vector>

#include "graphs/onnx/numbers.h"

namespace p2::inline graphs {

/// What is known of one of a node's inputs; nothing of one that is left out.
struct FoldingInput {
  const OnnxNumbers* numbers = nullptr;
  const Shape* shape = nullptr;  ///< where all sizes are known
};

/// What a node puts out, where that follows from shapes and small tensors: one entry for each of its outputs. Nothing
/// for kinds of nodes that are not followed, and where what they need is not known, too large, or makes no sense.
/// O(numbers).
[[nodiscard]] std::optional<std::vector<OnnxNumbers>> folded(const onnx::NodeProto& node,
                                                             const std::vector<FoldingInput>& inputs);

}  // namespace p2::inline graphs
