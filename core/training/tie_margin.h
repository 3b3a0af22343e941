// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/step_estimate.h"

namespace p2::inline training {

/// Seconds up to which the model of a step cannot tell which of two is faster; areTied() compares with it. Errors that
/// both share cancel; the noise of a run (kRunNoise of the shorter) and a fifth of the difference of every part remain.
[[nodiscard]] double tieMargin(const StepEstimate& a, const StepEstimate& b);

}  // namespace p2::inline training
