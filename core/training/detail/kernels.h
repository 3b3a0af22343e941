// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: seconds of single kernels on one device.
#pragma once

#include "training/accelerator_data.h"
#include "training/detail/constants.h"

namespace p2::inline training {

/// A product (rows × depth)·(depth × columns), `count` of them side by side.
struct Product {
  double rows = 0;
  double depth = 0;
  double columns = 0;
  double count = 1;
  double outputBytes = 2;  ///< of an element of the result
  [[nodiscard]] double flop() const { return 2 * rows * depth * columns * count; }
};

/// The work of a tiled product over what it would be if its tiles filled all multiprocessors evenly, by the best of
/// five tiles and three ways to split the sums; at least 1.
[[nodiscard]] double waveWaste(const Product& product, double multiprocessors);

/// Kernels of one configuration on one accelerator.
class Kernels {
 public:
  Kernels(const TrainingAccelerator& accelerator, const StepConstants& constants,
          const TrainingConfiguration& configuration);

  /// Of the large products' number type, or of 16 bits.
  [[nodiscard]] double product(const Product& product, bool in16Bits = false) const;
  /// The same of the experts of a device, as one grouped kernel.
  [[nodiscard]] double grouped(const Product& product) const;
  [[nodiscard]] double fusedAttention(double flop, bool backward) const;
  /// Passes over so many bytes.
  [[nodiscard]] double passes(double bytes) const { return bytes / m_bandwidth; }

 private:
  [[nodiscard]] double seconds(const Product& product, double rate) const;

  const TrainingAccelerator& m_accelerator;
  const StepConstants& m_constants;
  double m_rate = 0;  ///< FLOP/s that large products reach
  double m_rate16 = 0;
  double m_attention = 0;
  double m_bandwidth = 0;
  double m_inputBytes = 2;
};

}  // namespace p2::inline training
