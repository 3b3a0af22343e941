// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

#include "whatif/what_if.h"

namespace p2::views {

/// "16.8 s (14.2–19.8), 44 % MFU, 0.717 J per token": a step on a number of devices, with price and energy where
/// these are known.
[[nodiscard]] QString figuresText(const PlannedConfiguration& planned, const RunningCost& cost, std::int64_t devices);
/// The effect of a change on the step of the kept configuration, which is `before` without it, in sentences. `best`:
/// the best configuration after the change, or null; named where the kept one does not run. `nearby`: fasterText() of
/// the point, or empty.
[[nodiscard]] QString findingText(const WhatIfPoint& point, const PlannedConfiguration& before,
                                  const PlannedConfiguration* best, const std::string& nearby);

}  // namespace p2::views
