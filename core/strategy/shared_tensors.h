// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/computation_graph.h"

namespace p2::inline strategy {

/// The graph with an operator of kind Share between every output that several operators read and these readers: "h
/// shared" behind h. Its configuration is the layout of the tensor for all readers, so that it is redistributed once; a
/// reader with another layout redistributes it once more. Along the axes that cut its last dimension, sharedReaders(),
/// every device has all of it, and the readers' gradients, partial or not, are added where they are before they are
/// summed up once. It computes nothing and holds nothing. New operators come last; validated as the graph is. Graphs
/// with separate and with fused projections so cost the same. O(operators + edges · log edges).
[[nodiscard]] ComputationGraph withSharedTensors(ComputationGraph graph);

/// The dimension of a Share that no tensor spans.
[[nodiscard]] std::size_t sharedReaders(const Operator& op);

}  // namespace p2::inline strategy
