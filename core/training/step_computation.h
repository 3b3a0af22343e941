// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "step/step_ranking.h"

namespace p2::inline training {

/// Seconds of computation in a step of a workload that knows its training, by the kernels of the system's accelerator:
/// computation and recomputation of the average device, without bubbles and launches that the host delays. Empty for
/// other workloads, an accelerator without figures, or another number of devices. O(stages).
[[nodiscard]] std::optional<double> estimatedComputation(const Workload& workload, const System& system);

/// The question with estimatedComputation(), where neither it nor its workload has seconds of computation and its axes
/// have the workload's sizes.
[[nodiscard]] StepQuestion withComputation(StepQuestion question);

}  // namespace p2::inline training
