// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "timeline/step_timeline.h"

namespace p2::views {

/// "A step takes 69.9 s (56.9–85.8): 77 % is computation; most of the rest is imbalance, 9.02 s.": the finding of the
/// page.
[[nodiscard]] QString findingOf(const StepStudy& study);
/// "Hidden behind computation, and not in the step: tp 2.10 s, dp 1.05 s."
[[nodiscard]] QString hiddenOf(const StepStudy& study);
/// "tp 8 · pp 4×10 · dp 4, Megatron-Core, 43 % MFU, 75.5 of 80.0 GB", and hiddenOf().
[[nodiscard]] QString aboutOf(const StepStudy& study, const System& system);
/// "5.96 s, 8.5 %": seconds and their share of the step.
[[nodiscard]] QString secondsAndShareText(double seconds, double step);

}  // namespace p2::views
