// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "placement/axis.h"

namespace p2::inline workload {

/// Two lists of axes that multiply to the same devices, written with one list of finer axes, the pieces. Every axis of
/// either list is a product of neighbouring pieces. Outermost first.
struct CommonRefinement {
  std::vector<Axis> axes;
  std::vector<std::vector<std::string>> first;   ///< per axis of the first list the names of its pieces
  std::vector<std::vector<std::string>> second;  ///< and per axis of the second
};

/// The coarsest common refinement of two lists of axes, outermost first, as dense and expert layers of a mixture of
/// experts need it (MoE parallel folding, arXiv 2504.14960). A piece that is a whole axis has its name, the first
/// list's name if it is one in both; any other is named by both axes, "data-expert". Axes of size 1 have no pieces.
/// Errors, with the reason: different products, and crossing borders, as in 4·3 and 3·4. O(axes).
[[nodiscard]] Result<CommonRefinement> commonRefinement(const std::vector<Axis>& first,
                                                        const std::vector<Axis>& second);

}  // namespace p2::inline workload
