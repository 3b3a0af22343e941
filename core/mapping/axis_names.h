// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "mapping/mapped_problem.h"

namespace p2::inline mapping {

/// The role of each axis of a strategy's mesh, as workloads name it: "data" where it splits the batch, "tensor" where
/// it splits weights or attention heads, "context" where it splits the sequence, "expert" where it splits experts and
/// the batch of all else, "copies" where its devices repeat all work. The products decide, weighted by their
/// multiply-adds: an axis is named by the roles that have more than a tenth of the work that it splits, the largest
/// first, as in "tensor-data"; a second axis of one name is "tensor-2". O(operators).
[[nodiscard]] std::vector<std::string> axisNamesOf(const ComputationGraph& graph, const MappedProblem& mapped,
                                                   const Strategy& strategy);

/// The axes that split the sequence of nine tenths of the normalisations or more: sequence parallelism, where such an
/// axis is a tensor axis. O(operators).
[[nodiscard]] MeshAxes sequenceAxesOf(const ComputationGraph& graph, const MappedProblem& mapped,
                                      const Strategy& strategy);

/// The axes of a mesh under these names; axes in `reduced` are marked to be reduced over.
[[nodiscard]] std::vector<Axis> namedAxesOf(const Mesh& mesh, const std::vector<std::string>& names,
                                            MeshAxes reduced = 0);

/// Whether an axis of tensor parallelism is among those that split the sequence of normalisations.
[[nodiscard]] bool isSequenceParallel(const std::vector<std::string>& names, MeshAxes sequenceAxes);

/// "dp 128 (x) · tp 8 (y)": each axis by its degree's short name, with its size and the letter that operators are
/// listed with; "tp/dp 2" where an axis splits both.
[[nodiscard]] std::string meshText(const Mesh& mesh, const std::vector<std::string>& names);
/// "dp 128 · tp 8": the same without letters; axes of size 1 are left out.
[[nodiscard]] std::string degreesText(const std::vector<Axis>& axes);

}  // namespace p2::inline mapping
