// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: what follows the last microbatch of a step.
#pragma once

#include "training/detail/laid_out_stages.h"

namespace p2::inline training {

/// Seconds that occur once a step.
struct OnceAStep {
  double data = 0;  ///< gradients and parameters of data parallelism that no pass hides
  double ends = 0;  ///< gradients of tied embeddings between the first and the last stage
  double optimizer = 0;
  double host = 0;  ///< the fixed cost of a step and of its microbatches
};

/// Costs of the fullest stage. `bounds`: the last backward pass hides nothing, so that a slower one never makes the
/// step shorter.
[[nodiscard]] OnceAStep onceAStep(const CostContext& context, const PricedLayers& layers, const LaidOutStages& stages,
                                  bool bounds);

}  // namespace p2::inline training
