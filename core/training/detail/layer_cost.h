// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: what one layer costs one device for one microbatch.
#pragma once

#include "training/accelerator_data.h"
#include "training/detail/communication.h"
#include "training/detail/constants.h"

namespace p2::inline training {

/// Of one pass through one layer, in seconds.
struct PassCost {
  double kernels = 0;  ///< of the device's kernels, at their efficiency
  double busy = 0;     ///< with what the device waits for the host; at least `kernels`
  double weights = 0;  ///< of `busy`, for the gradients of the weights
  double tensor = 0;   ///< exposed communication
  double context = 0;
  double expert = 0;

  [[nodiscard]] double seconds() const { return busy + tensor + context + expert; }
  PassCost& operator+=(const PassCost& other);
  [[nodiscard]] PassCost times(double count) const;
};

struct LayerCost {
  PassCost forward;
  PassCost backward;
  PassCost again;               ///< what of the forward pass is recomputed
  double parameters = 0;        ///< elements of the layer on the device before sharding, without routed experts
  double expertParameters = 0;  ///< of its routed experts
};

/// What all costs of a configuration need.
struct CostContext {
  const ModelShape& model;
  const TrainingConfiguration& configuration;
  const TrainingAccelerator& accelerator;
  const CommunicationPrices& prices;
  const StepConstants& constants;
};

[[nodiscard]] LayerCost costOfLayer(const CostContext& context, bool hasExperts);
/// The head with its loss: its three products, and what is done to every logit.
[[nodiscard]] LayerCost costOfHead(const CostContext& context);

}  // namespace p2::inline training
