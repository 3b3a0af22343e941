// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "training/accelerator_data.h"
#include "training/detail/configuration.h"

namespace p2::inline training {

/// The interval of 80 % of measured steps, as multiples of the prediction.
struct StepInterval {
  double low = 1;
  double high = 1;
};

/// Whether runs of three publishers or more were fitted to for a generation.
[[nodiscard]] bool isWellKnown(std::string_view generation);

/// By the spread of held-out errors of configurations of the same kind: dense models or mixtures of experts, on
/// generations with runs of several publishers, of few, or of none, and where the host starts the dispatch to experts.
[[nodiscard]] StepInterval intervalOf(const ModelShape& model, const TrainingConfiguration& configuration,
                                      const TrainingAccelerator& accelerator);

}  // namespace p2::inline training
