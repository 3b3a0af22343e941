// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include "base/result.h"
#include "graphs/onnx/model.h"
#include "strategy/computation_graph.h"

namespace p2::inline graphs {

/// The operators of a model's nodes and what passes between them; uncounted nodes are in `unpriced`. Errors:
/// nodes whose tensors are not known or do not have the ranks they need; a model without a node that can be counted.
[[nodiscard]] Result<ComputationGraph> graphOf(const OnnxModel& model);

}  // namespace p2::inline graphs
