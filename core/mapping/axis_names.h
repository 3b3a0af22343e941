// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "mapping/mapped_problem.h"

namespace p2::inline mapping {

/// The role of each axis of a strategy's mesh, as frameworks name it: "data" where it splits the batch, "tensor" where
/// it splits weights or attention heads, "context" where it splits the sequence, "expert" where it splits experts and
/// the batch of all else, "copies" where its devices repeat all work. The products decide, weighted by their
/// multiply-adds: an axis has a name when nine tenths of the work it splits agree. Others keep the letter of
/// meshAxisName(), and so does the second axis of one name. O(operators).
[[nodiscard]] std::vector<std::string> axisNamesOf(const ComputationGraph& graph, const MappedProblem& mapped,
                                                   const Strategy& strategy);

/// The axes of a mesh under these names; axes in `reduced` are marked to be reduced over.
[[nodiscard]] std::vector<Axis> namedAxesOf(const Mesh& mesh, const std::vector<std::string>& names,
                                            MeshAxes reduced = 0);

/// "data 128 (x) · tensor 8 (y)": each axis with its size, and the letter that operators are listed with.
[[nodiscard]] std::string meshText(const Mesh& mesh, const std::vector<std::string>& names);
/// "data 128 · tensor 8": the same without letters; axes of size 1 are left out.
[[nodiscard]] std::string degreesText(const std::vector<Axis>& axes);

}  // namespace p2::inline mapping
