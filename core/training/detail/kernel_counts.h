// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: kernels of a configuration, shared by all configurations that have the same.
#pragma once

#include <map>
#include <tuple>

#include "training/detail/kernels.h"
#include "training/detail/layer_cost.h"

namespace p2::inline training {

/// Kernels of the layers and the head of one microbatch on one device, and the work of a step.
struct KernelCounts {
  CountedLayer dense;
  CountedLayer experts;
  CountedLayer evenExperts;  ///< with the same tokens for all experts
  LayerCost head;
  LayerCost projection;    ///< of multi-token prediction
  double flop = 0;         ///< on all devices together
  double peakSeconds = 0;  ///< that the FLOP take at the peak, spread over all devices
};

/// O(layers' kernels), some 3 µs.
[[nodiscard]] KernelCounts countKernels(const ModelShape& model, const TrainingConfiguration& configuration,
                                        const TrainingAccelerator& accelerator, const StepConstants& constants,
                                        KnownProducts* products = nullptr);

/// Sets all choices that countKernels() does not read to their defaults: stages and their layouts, virtual stages,
/// schedule, microbatches of a step, replicas, ZeRO stages below 3, recomputation. Configurations that are equal
/// afterwards have equal counts.
void keepCountedPart(TrainingConfiguration& configuration);

/// The counts of the configurations of one search; each is counted once. Model, accelerator and constants outlive it.
class KernelCountCache {
 public:
  KernelCountCache(const ModelShape& model, const TrainingAccelerator& accelerator, const StepConstants& constants)
      : m_model(model), m_accelerator(accelerator), m_constants(constants) {}
  /// Valid until the next call.
  [[nodiscard]] const KernelCounts& of(const TrainingConfiguration& configuration);

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, ContextCollective, std::int64_t, std::int64_t, std::int64_t,
                         SequenceParallelism, bool, FrameworkFamily, bool>;
  struct Known {
    TrainingConfiguration part;
    KernelCounts counts;
  };
  const ModelShape& m_model;
  const TrainingAccelerator& m_accelerator;
  const StepConstants& m_constants;
  std::map<Key, Known> m_known;
  KnownProducts m_products;
  TrainingConfiguration m_part;  ///< the counted part that is looked up
};

}  // namespace p2::inline training
