// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the layers and the head of a configuration, under the prices of a placement.
#pragma once

#include "training/detail/kernel_counts.h"

namespace p2::inline training {

/// Costs of one microbatch on a stage or a chunk of one, in parts.
struct StageCost {
  PassCost forward;
  PassCost backward;
  PassCost again;
  double overload = 0;         ///< seconds that uneven loads of experts add to both passes, host included
  double overloadKernels = 0;  ///< the part of it in kernels
  double gatherShown = 0;      ///< FSDP's gathers and scatters that computation does not hide
  [[nodiscard]] double slot() const { return forward.seconds() + backward.seconds() + again.seconds() + gatherShown; }
  void add(const LayerCost& layer, double count, double recomputed) {
    forward += layer.forward.times(count);
    backward += layer.backward.times(count);
    again += layer.again.times(recomputed);
  }
  StageCost& operator+=(const StageCost& other) {
    forward += other.forward;
    backward += other.backward;
    again += other.again;
    overload += other.overload;
    overloadKernels += other.overloadKernels;
    gatherShown += other.gatherShown;
    return *this;
  }
};

/// Numbers of layers, and of heads behind them: one, and one more for every further token that is predicted.
struct LayerRange {
  double dense = 0;       ///< layers without experts
  double experts = 0;     ///< layers with experts
  double recomputed = 1;  ///< share of them that is recomputed
  double heads = 0;
  friend bool operator==(const LayerRange&, const LayerRange&) = default;
};

/// Times of a layer of each kind and of the head, for one microbatch on one device. A value: other prices make another
/// one.
struct PricedLayers {
  LayerCost dense;
  LayerCost expert;      ///< with experts; zero in models without
  LayerCost evenExpert;  ///< with an even load of the experts
  LayerCost head;
  LayerCost projection;      ///< of multi-token prediction
  double denseGathers = 0;   ///< seconds of FSDP's gathers and scatters of a layer that computation does not hide
  double expertGathers = 0;  ///< and of a layer with experts

  [[nodiscard]] StageCost costOf(const LayerRange& range) const;
};

/// Kernels that are counted already, at the context's prices.
[[nodiscard]] PricedLayers priceLayers(const CostContext& context, const KernelCounts& counts);

/// A chunk's layers and heads. Multi-token prediction adds its own to the last chunk.
[[nodiscard]] LayerRange rangeOf(const CostContext& context, double dense, double experts, double recomputed,
                                 bool last);

/// Share of communication that computation hides.
[[nodiscard]] double hiddenShare(const CostContext& context, StepConstant constant);

/// Whether devices gather sharded parameters of ZeRO 3 for each microbatch.
[[nodiscard]] bool gathersEveryMicrobatch(const TrainingPlan& plan);

}  // namespace p2::inline training
