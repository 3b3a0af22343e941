// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace p2::inline plan {

/// Whether a plan is right: its steps equal its program's, and run on integers, device by device and
/// chunk by chunk, they take every reduction group from where the goal
/// begins to where it ends. Independent of how plans are made. Every device has its own random 64-bit number, so that a
/// wrong sum goes unnoticed with a probability of about 2⁻⁶⁴. The error names the JSON pointer of the mistake in the
/// plan's file. O(steps · runs of chunks over all devices).
[[nodiscard]] Result<void> verify(const Plan& plan);

}  // namespace p2::inline plan
