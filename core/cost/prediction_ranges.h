// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "synthesis/lowering.h"

namespace p2::inline cost {}
namespace p2::inline system {
struct System;
}
namespace p2::inline cost {

/// Size bands of errors: below 64 KiB, to 4 MiB, above; of the working vector of a step.
inline constexpr std::size_t kSizeBands = 3;
inline constexpr std::array<std::string_view, kSizeBands> kSizeBandNames{"below 64 KiB", "to 4 MiB", "above 4 MiB"};
[[nodiscard]] std::size_t sizeBand(Bytes bytes);

/// Error classes of collectives: those that run the same way.
inline constexpr std::size_t kStepKinds = 4;
inline constexpr std::array<std::string_view, kStepKinds> kStepKindNames{"AllReduce", "ReduceScatter and AllGather",
                                                                         "Reduce and Broadcast", "AllToAll"};
/// Nothing for collectives without an error class.
[[nodiscard]] std::optional<std::size_t> stepKind(Collective collective);

/// A kind of step with common errors.
struct RangeCell {
  std::size_t kind = 0;      ///< kStepKinds if unknown
  bool acrossNodes = false;  ///< whether its groups span several nodes
  std::size_t band = 0;
  friend auto operator<=>(const RangeCell&, const RangeCell&) = default;
};
/// The kind of a lowered step on a system, with a working vector of this many bytes. O(devices of the step).
[[nodiscard]] RangeCell cellOf(const System& system, const LoweredStep& step, Bytes bytes);

/// Interval of 80 % of the times, as multiples of the prediction: low ≤ 1 ≤ high. Unknown unless high is above 0.
struct ErrorRange {
  double low = 0;
  double high = 0;
  std::int64_t measurements = 0;
  [[nodiscard]] bool isKnown() const { return high > 0; }
};

/// One range for every cell.
class PredictionRanges {
 public:
  [[nodiscard]] const ErrorRange& of(const RangeCell& cell) const { return m_ranges[cell.kind][place(cell)]; }
  [[nodiscard]] ErrorRange& of(const RangeCell& cell) { return m_ranges[cell.kind][place(cell)]; }
  /// A number of its own for every cell, from 0 on.
  [[nodiscard]] static int numberOf(const RangeCell& cell) {
    return static_cast<int>(2 * kSizeBands * cell.kind + place(cell));
  }
  /// The ranges that the other knows in place of its own.
  void overlay(const PredictionRanges& other);
  /// The nodes of the largest groups that were measured, beyond which no range holds; 0 where that is not counted.
  [[nodiscard]] std::int64_t mostNodes() const { return m_mostNodes; }
  void setMostNodes(std::int64_t nodes) { m_mostNodes = nodes; }

 private:
  static std::size_t place(const RangeCell& cell) { return (cell.acrossNodes ? kSizeBands : 0) + cell.band; }
  std::array<std::array<ErrorRange, 2 * kSizeBands>, kStepKinds> m_ranges{};
  std::int64_t m_mostNodes = 0;
};
[[nodiscard]] std::span<const RangeCell> rangeCells();

/// A measurement that was predicted without being used for the prediction.
struct HeldOutTime {
  RangeCell cell;
  double ratio = 1;   ///< measured / predicted
  double spread = 0;  ///< standard error of the prediction's logarithm that the fitted parameters leave
  double weight = 1;
  std::int64_t nodes = 0;  ///< of a group; 0 where that is not counted
};

/// The range of each cell from held-out times: from the 10 % to the 90 % quantile of their ratios,
/// corrected for their number n so that it covers one more of their kind (the quantile at 0.9
/// (n+1)/n, split conformal prediction); below nine of them to the 80 % quantile of their absolute
/// deviations, and below four none. Widens both ends by 1.28 standard errors of the fitted
/// parameters, added in quadrature: cross-validation underestimates extrapolation errors. O(n log
/// n).
[[nodiscard]] PredictionRanges rangesOf(std::span<const HeldOutTime> times);

/// Those that are shipped: of the nccl model where a system is not calibrated, from machines of the atlas that were
/// predicted by constants fitted to the others. resources/nccl/ranges.json, which bench_atlas writes.
[[nodiscard]] const PredictionRanges& ncclRanges();

}  // namespace p2::inline cost
