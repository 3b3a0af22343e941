// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "placement/axis.h"

namespace p2 {

/// Two ways to write the same devices as a product of axes, as products of one list of axes: a piece lies in one axis
/// of either. Outermost first.
struct CommonRefinement {
  std::vector<Axis> axes;
  std::vector<std::vector<std::string>> first;   ///< of every axis of the first way the pieces it is a product of
  std::vector<std::vector<std::string>> second;  ///< and of the second
};

/// The coarsest common refinement of two ways, outermost first, as dense and expert layers of a mixture of experts have
/// (MoE parallel folding, arXiv 2504.14960). A piece that is a whole axis is called like it, the first way's name going
/// before; any other by both, "data-expert". Axes of size 1 have no pieces. Refused, with the reason: products that
/// differ, and borders that cross, as those of 4·3 and 3·4. O(axes).
[[nodiscard]] Result<CommonRefinement> commonRefinement(const std::vector<Axis>& first,
                                                        const std::vector<Axis>& second);

}  // namespace p2
