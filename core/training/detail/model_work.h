// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training.
#pragma once

#include "training/detail/configuration.h"

namespace p2::inline training {

/// FLOP of a step by the type of numbers that do them.
struct ModelWork {
  double products = 0;
  double in16Bits = 0;   ///< attention and head
  double attention = 0;  ///< the part of `in16Bits` that attention does
};
[[nodiscard]] ModelWork workOf(const ModelShape& model, const TrainingConfiguration& configuration);

}  // namespace p2::inline training
