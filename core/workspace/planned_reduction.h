// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collective/goal.h"
#include "cost/cost_options.h"
#include "placement/parallelism_matrix.h"
#include "workload/workload.h"
#include "workspace/training_choice.h"

namespace p2::inline workspace {

/// The part of a document that is about one reduction: axes, goal, size, placement, program, and the step around it.
struct DocumentReduction {
  std::vector<Axis> axes;
  Goal goal = kAllReduceGoal;
  Bytes bytes = CostOptions{}.bytes;
  int repeat = CostOptions{}.repeat;
  ParallelismMatrix matrix;
  std::string program;
  std::optional<Workload> workload;
  friend bool operator==(const DocumentReduction&, const DocumentReduction&) = default;
};

/// Marks the reduction of a document as one of a training plan.
struct PlannedReduction {
  ChosenConfiguration plan;
  std::optional<DocumentReduction>
      own;  ///< the user's own reduction, in whose place the plan's is; none if there was none
  friend bool operator==(const PlannedReduction&, const PlannedReduction&) = default;
};

}  // namespace p2::inline workspace
