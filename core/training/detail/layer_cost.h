// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the cost of one layer on one device for one microbatch.
#pragma once

#include <array>

#include "training/accelerator_data.h"
#include "training/detail/communication.h"
#include "training/detail/constants.h"

namespace p2::inline training {

class KnownProducts;

/// Of one pass through one layer, in seconds.
struct PassCost {
  double kernels = 0;  ///< seconds of the device's kernels, at their efficiency
  double busy = 0;     ///< with waits for the host; at least `kernels`
  double weights = 0;  ///< of `busy`, for the gradients of the weights
  double tensor = 0;   ///< exposed communication
  double context = 0;
  double expert = 0;

  [[nodiscard]] double seconds() const { return busy + tensor + context + expert; }
  PassCost& operator+=(const PassCost& other) {
    kernels += other.kernels;
    busy += other.busy;
    weights += other.weights;
    tensor += other.tensor;
    context += other.context;
    expert += other.expert;
    return *this;
  }
  [[nodiscard]] PassCost times(double count) const {
    return {kernels * count, busy * count, weights * count, tensor * count, context * count, expert * count};
  }
};

struct LayerCost {
  PassCost forward;
  PassCost backward;
  PassCost again;               ///< the recomputed part of the forward pass
  double parameters = 0;        ///< elements of the layer on the device before sharding, without routed experts
  double expertParameters = 0;  ///< parameters of its routed experts
};

/// What all costs of a configuration need.
struct CostContext {
  const ModelShape& model;
  const TrainingConfiguration& configuration;
  const TrainingAccelerator& accelerator;
  const CommunicationPrices& prices;
  const StepConstants& constants;
  KnownProducts* products = nullptr;  ///< found by earlier counts; may be null
};

/// Forward kernels of a module that may be recomputed.
struct ModuleWork {
  double kernels = 0;   ///< seconds
  double launches = 0;  ///< of kernels, and of each checkpoint
  double started = 0;   ///< launches by the host; those that a CUDA graph starts count in part
};

/// A layer without communication and recomputation: the same for all placements.
struct CountedLayer {
  LayerCost cost;
  std::array<ModuleWork, kRecomputedModules.size()> modules{};  ///< by RecomputedModule
  double attention = 0;  ///< seconds of attention's core, of its backward pass, and of passes over memory
  double attentionBack = 0;
  double elementwise = 0;
  double again = 0;        ///< seconds of a forward pass that is done again: with the launches of checkpointing
  double lastProduct = 0;  ///< forward seconds of the last product, whose output no gradient needs; 0 with experts
  double products = 0;     ///< seconds of products in both passes, a part of the kernels, and their FLOP
  double productFlop = 0;
};

/// Seconds of a pass whose kernels take so long on the device: with a floor for each launch, and the waits for the host
/// that starts these launches and collectives.
[[nodiscard]] double busySeconds(const CostContext& context, double kernels, double launches, double started,
                                 double collectives);

[[nodiscard]] CountedLayer countLayer(const CostContext& context, bool hasExperts);
/// The layer at the context's prices.
[[nodiscard]] LayerCost costOfLayer(const CostContext& context, const CountedLayer& counted, bool hasExperts);
/// The head with its loss: its three products, and the work on every logit. Without communication, and with it.
[[nodiscard]] LayerCost countHead(const CostContext& context);
/// The projection of multi-token prediction: the output of a layer and the embedding of the next token, side by side.
[[nodiscard]] LayerCost countProjection(const CostContext& context);
[[nodiscard]] LayerCost costOfHead(const CostContext& context, LayerCost counted);

}  // namespace p2::inline training
