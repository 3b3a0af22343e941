// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cost/prediction_ranges.h"

namespace p2 {

/// How well measurements predict each other. Errors are medians of |other / measured − 1|, where `other` is the median
/// of all other tables that count; of every size that both have, in place and not in place together (their median).
struct FloorError {
  std::int64_t times = 0;  ///< how many sizes were predicted
  double other = 0;        ///< by the other measurements
  double model = 0;        ///< of the same sizes, by the nccl model with its constants as they are
};

/// One machine and collective beside its twins: other machines that no description tells from it.
struct FloorTwin {
  std::string machine;
  std::string collective;
  int devices = 0;  ///< of each node
  int nodes = 0;
  std::array<FloorError, kSizeBands> byBand;
};

/// What the atlas says of itself. No predictor that knows a machine by its description alone can tell twins apart, so
/// that how far twins are from each other bounds what one may reach: where the logarithms of times scatter around what
/// is common to machines of a description, one machine differs from another by √2 times what it differs from that.
struct NoiseFloor {
  std::array<FloorError, kSizeBands> repeated;  ///< by other tables of the same machine
  std::array<FloorError, kSizeBands> twins;     ///< by other machines of the same description
  std::vector<FloorTwin> each;

  /// Of a band: the error of one who knows what machines of each description have in common, and nothing else.
  [[nodiscard]] double reachable(std::size_t band) const;
  /// The median over the lines of `each`, so that a machine with many tables counts as one with few; 0 where there are
  /// none.
  [[nodiscard]] double ofTwins(std::size_t band, double FloorError::*error) const;
};

/// Of the healthy tables. Two have the same description if systemOf() says so but for the type of the GPU and the
/// version, the versions do not differ where both are known, and the same algorithm and protocol were forced on the
/// same collective. O(tables² + rows).
[[nodiscard]] NoiseFloor noiseFloor();

}  // namespace p2
