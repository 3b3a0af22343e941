// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/accelerator_data.h"
#include "training/detail/configuration.h"

namespace p2::inline training {

/// The interval of 80 % of measured steps, as multiples of the prediction.
struct StepInterval {
  double low = 1;
  double high = 1;
};

/// By the spread of held-out errors of configurations of the same kind: dense models or mixtures of experts, on
/// generations that runs were fitted to or not.
[[nodiscard]] StepInterval intervalOf(const ModelShape& model, const TrainingConfiguration& configuration,
                                      const TrainingAccelerator& accelerator);

}  // namespace p2::inline training
