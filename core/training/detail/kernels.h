// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: seconds of single kernels on one device.
#pragma once

#include <unordered_map>

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

/// Seconds of products at the rates of one configuration after the other, each found once: layers with experts and
/// without have the same attention, and configurations the same layers.
class KnownProducts {
 public:
  /// Forgets all products unless the rates are equal to the ones before.
  void setRates(const KernelRates& rates);
  /// KernelRates::grouped() where there are several, else KernelRates::product().
  [[nodiscard]] double seconds(const Product& product);

 private:
  struct Hash {
    std::size_t operator()(const Product& product) const;
  };
  KernelRates m_rates;
  std::unordered_map<Product, double, Hash> m_known;
};

}  // namespace p2::inline training
