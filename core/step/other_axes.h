// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include "step/step_ranking.h"

namespace p2::inline step {

/// The cost of a placement for an axis that it was not chosen for.
struct OtherAxisCost {
  std::string axis;
  std::string crosses;       ///< the outermost level over which the axis is spread: "node"
  bool innermost = false;    ///< that is the innermost one: nothing leaves an instance of the level above
  std::string within;        ///< the level above `crosses`; "root" for the outermost
  double secondsPerGib = 0;  ///< an AllReduce of 1 GiB over the axis, by its best program
  double timesBest = 1;      ///< the cost over the best placement's for this axis
};

/// Costs of every axis that is not reduced over and larger than 1, by matrix; none if there is no such axis.
using OtherAxes = std::map<ParallelismMatrix, std::vector<OtherAxisCost>>;

/// The costs of every placement of a workspace for the axes that are not reduced over: a warning for
/// decisions based on one reduction. Model, rules and limit are the workspace's. Errors: as
/// rankSteps().
[[nodiscard]] Result<std::shared_ptr<const OtherAxes>> otherAxes(const Workspace& workspace, std::stop_token stop = {},
                                                                 const Progress& progress = {});

/// "tensor crosses nodes: 37.6 ms/GiB, 9.0× its best"; "tensor within a node: 4.18 ms/GiB".
[[nodiscard]] std::string otherAxisText(const OtherAxisCost& cost);

}  // namespace p2::inline step
