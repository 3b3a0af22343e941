// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "placement/device_split.h"
#include "placement/placement_diff.h"

namespace p2::views {

/// "data is split 2 ways across nodes, 8 ways inside each node"; "data is not split".
[[nodiscard]] QString axisSentence(const System& system, const Placement& placement, std::size_t axis);
/// All axes: "data is split 8 ways inside each node; model is split 2 ways across nodes".
[[nodiscard]] QString placementSentence(const System& system, const Placement& placement);
/// The levels that every axis is on, a line each as the matrix has rows: "data in node", "tensor across nodes", "shards
/// 2 across nodes · 4 in node", "model not split".
[[nodiscard]] QString placeWords(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix);
/// A part of the matrix in words, with the meaning of its letters on the map: "data is split 2 ways across nodes, 8
/// ways inside each node. Across nodes: A and B, 32 devices each." Empty for no part.
[[nodiscard]] QString partSentence(const System& system, const Placement& placement, const MatrixPart& part);
/// A part in a few words: "data, 8 ways, reduced over", "4 nodes", "data across nodes: 2".
[[nodiscard]] QString partName(const System& system, const Placement& placement, const MatrixPart& part);

/// "24 of 32 devices reduce with other partners; groups now cross nodes (2 each)".
[[nodiscard]] QString diffSentence(const System& system, const PlacementDiff& diff);
/// "in the other placement with 0, 1, 2, 3", of a device whose partners change; empty otherwise.
[[nodiscard]] QString otherPartners(const PlacementDiff& diff, const Placement& before, Device device);

}  // namespace p2::views
