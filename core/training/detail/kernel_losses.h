// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training.
#pragma once

#include "training/detail/laid_out_stages.h"
#include "training/step_detail.h"

namespace p2::inline training {

/// Why the kernels of a step take longer than the model's FLOP at the peak. Uneven loads of experts are not among the
/// causes: they are part of the imbalance.
[[nodiscard]] KernelLosses kernelLosses(const CostContext& context, const KernelCounts& counts,
                                        const PricedLayers& layers, const LaidOutStages& stages);

}  // namespace p2::inline training
