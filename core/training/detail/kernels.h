// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: seconds of single kernels on one device.
#pragma once

#include "kernels/kernel_rates.h"
#include "training/accelerator_data.h"
#include "training/detail/constants.h"

namespace p2::inline training {

/// Rates of one configuration's kernels on one accelerator, by the fitted constants.
class Kernels : public KernelRates {
 public:
  Kernels(const TrainingAccelerator& accelerator, const StepConstants& constants,
          const TrainingConfiguration& configuration);
};

}  // namespace p2::inline training
