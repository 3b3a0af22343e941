// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "timeline/step_timeline.h"

namespace p2::views {

/// "A step takes 69.9 s (56.9–85.8): 22.0 s at the peak of the devices, 31.8 s more because kernels do not reach it;
/// the largest part of the rest is imbalance, 9.02 s.", and a way to shorten that part: for the best configuration
/// another question, as the search has compared the rest.
[[nodiscard]] QString findingOf(const StepStudy& study, bool isBest);
/// "Hidden behind computation, and not in the step: tp 2.10 s, dp 1.05 s."
[[nodiscard]] QString hiddenOf(const StepStudy& study);
/// "tp 8 · pp 4×10 · dp 4, Megatron-Core, 43 % MFU, 75.5 of 80.0 GB", and hiddenOf().
[[nodiscard]] QString aboutOf(const StepStudy& study, const System& system);
/// "5.96 s, 8.5 %": seconds and their share of the step.
[[nodiscard]] QString secondsAndShareText(double seconds, double step);

}  // namespace p2::views
