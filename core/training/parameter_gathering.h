// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/detail/configuration.h"

namespace p2::inline training {

/// Whether parameters of ZeRO 3 stay gathered for all microbatches of a pipeline.
[[nodiscard]] bool isGatheredOnce(const TrainingPlan& plan);

}  // namespace p2::inline training
