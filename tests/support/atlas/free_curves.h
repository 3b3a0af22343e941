// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "cost/prediction_ranges.h"

namespace p2 {

/// What is left of the nccl model's errors, medians of |predicted / measured − 1| over the healthy tables, where it may
/// be corrected by whatever fits best.
struct FreeCurve {
  std::int64_t times = 0;
  double model = 0;  ///< with its constants as they are
  /// By one factor for each collective, inside a node or between nodes, and size: more freedom than any model of these
  /// has, however it is made. The factors are the medians of the same times.
  double inSample = 0;
  double heldOut = 0;  ///< the same by factors from other machines alone
  /// By one factor for each machine, collective and band, of the same times: what is left scatters within a machine.
  double byMachine = 0;
};

/// By band. O(rows · machines).
[[nodiscard]] std::array<FreeCurve, kSizeBands> freeCurves();

}  // namespace p2
