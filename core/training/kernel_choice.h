// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/kernel_rates.h"
#include "training/accelerator_data.h"

namespace p2::inline training {

/// Rates of a configuration's kernels on an accelerator, by the bundled constants: for models of computation other than
/// a training step of a known model.
[[nodiscard]] KernelRates kernelRatesOf(const TrainingAccelerator& accelerator,
                                        const TrainingConfiguration& configuration);

}  // namespace p2::inline training
