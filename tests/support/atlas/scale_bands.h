// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/atlas/validation.h"

namespace p2 {

/// Bands of nodes: one, 2 to 8, 9 to 48, 49 to 128, more.
inline constexpr std::array<std::string_view, 5> kNodeBandNames{"one", "2-8", "9-48", "49-128", "more"};
[[nodiscard]] std::size_t nodeBand(std::int64_t nodes);

/// Bands of sizes: sizeBand(), with 256 MiB and more apart.
inline constexpr std::array<std::string_view, 4> kScaleSizeNames{"< 64 KiB", "to 4 MiB", "to 256 MiB", "more"};
[[nodiscard]] std::size_t scaleSize(Bytes bytes);

/// How the nccl model predicts the healthy tables of one fabric, band of nodes and band of sizes.
struct ScaleBand {
  std::string fabric;  ///< "InfiniBand"; "all" for all of them
  std::size_t nodes = 0;
  std::size_t sizes = 0;  ///< kScaleSizeNames.size() for all of them
  std::size_t times = 0;
  std::size_t machines = 0;
  /// Medians of |ln(predicted / measured)|, and of the logarithm itself: below 0 where predictions are too fast.
  double nominal = 0;
  double nominalSigned = 0;
  double heldOut = 0;
  double heldOutSigned = 0;
  /// Share of the times within the 80 % intervals that the other machines give; below 0 where nothing was held out.
  double coverage = -1;
  std::size_t judged = 0;  ///< times with such an interval
  std::size_t inside = 0;  ///< of those

  /// Whether intervals hold 75 to 90 % of the times, or as many as 80 % of so few can be (heldByChance()).
  [[nodiscard]] bool holds() const;
};

/// How many of some independent times 80 % intervals hold in 95 of 100 cases: at least the first and at most the
/// second, by the binomial distribution. O(times).
[[nodiscard]] std::pair<std::size_t, std::size_t> heldByChance(std::size_t times);
/// In the order of fabrics, nodes and sizes; `all` last.
[[nodiscard]] std::vector<ScaleBand> scaleBands(const AtlasValidation& validation);
/// One line for each band. The columns of held-out errors are those of `nominal` where nothing was held out.
void printScaleBands(const std::vector<ScaleBand>& bands);

}  // namespace p2
