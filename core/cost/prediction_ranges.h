// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "cost/detail/library_view.h"
#include "synthesis/lowering.h"

namespace p2::inline cost {}
namespace p2::inline system {
struct System;
}
namespace p2::inline cost {

/// Size bands of errors: below 64 KiB, to 4 MiB, above, by the working vector of a step.
inline constexpr std::size_t kSizeBands = 3;
inline constexpr std::array<std::string_view, kSizeBands> kSizeBandNames{"below 64 KiB", "to 4 MiB", "above 4 MiB"};
[[nodiscard]] std::size_t sizeBand(Bytes bytes);

/// Error classes of collectives: those that run the same way.
inline constexpr std::size_t kStepKinds = 4;
inline constexpr std::array<std::string_view, kStepKinds> kStepKindNames{"AllReduce", "ReduceScatter and AllGather",
                                                                         "Reduce and Broadcast", "AllToAll"};
/// None for collectives without an error class.
[[nodiscard]] std::optional<std::size_t> stepKind(Collective collective);

/// A kind of step with common errors.
struct RangeCell {
  std::size_t kind = 0;      ///< kStepKinds if unknown
  bool acrossNodes = false;  ///< whether its groups span several nodes
  std::size_t band = 0;
  friend auto operator<=>(const RangeCell&, const RangeCell&) = default;
};
/// How far a group reaches, on which errors between nodes depend.
struct GroupReach {
  std::int64_t nodes = 0;    ///< that it spans; 0 where that is not counted
  std::int64_t members = 0;  ///< devices of the group; 0 for one of each node

  /// Devices on each node, relative to the eight of the largest nodes between which several machines were measured; at
  /// least 1. A rack of NVL72 is 9 of them.
  [[nodiscard]] double nodeSize() const;
  /// Number of nodes of eight devices with as many NICs, at least `nodes`: what network and congestion see.
  [[nodiscard]] std::int64_t equalNodes() const;
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

/// Sizes whose intervals differ in width: as size bands, with 256 MiB and more apart.
inline constexpr std::size_t kPowerSizes = 4;
inline constexpr std::array<std::string_view, kPowerSizes> kPowerSizeNames{"below 64 KiB", "to 4 MiB", "to 256 MiB",
                                                                           "from 256 MiB"};
[[nodiscard]] std::size_t powerSize(Bytes bytes);

/// The power by which an interval is wider than its cell's (below 1 for narrower): sizes of one band on one kind of
/// network and up to that many nodes. Inside a node the network is Other.
struct RangePower {
  NetworkKind network = NetworkKind::Other;
  std::int64_t upToNodes = 0;
  std::size_t sizes = 0;  ///< below kPowerSizes
  double power = 1;
  friend bool operator==(const RangePower&, const RangePower&) = default;
};
/// Power of the equal nodes, beyond those measured, and of the nodes' size by which intervals widen: repeats of one
/// configuration differ by ×1.1 to 1.25 on Slingshot. Less where the site itself was measured.
inline constexpr double kFurtherOfOthers = 0.15;
inline constexpr double kFurtherOfOwn = 0.08;

/// One range for every cell, and how it changes with the network and the number of nodes.
class PredictionRanges {
 public:
  [[nodiscard]] const ErrorRange& of(const RangeCell& cell) const { return m_ranges[cell.kind][place(cell)]; }
  [[nodiscard]] ErrorRange& of(const RangeCell& cell) { return m_ranges[cell.kind][place(cell)]; }
  /// A number of its own for every cell, from 0 on.
  [[nodiscard]] static int numberOf(const RangeCell& cell) {
    return static_cast<int>(2 * kSizeBands * cell.kind + place(cell));
  }
  /// The nodes of the largest groups that were measured, beyond which ranges widen; 0 where that is not counted.
  [[nodiscard]] std::int64_t mostNodes() const { return m_mostNodes; }
  void setMostNodes(std::int64_t nodes) { m_mostNodes = nodes; }
  /// mostNodes() of the groups whose nodes have more than eight devices, such as racks of NVL72; these nodes are
  /// counted as they are. 0 where none were measured.
  [[nodiscard]] std::int64_t mostLargeNodes() const { return m_mostLargeNodes; }
  void setMostLargeNodes(std::int64_t nodes) { m_mostLargeNodes = nodes; }
  /// Sorted by network, then nodes, then sizes.
  [[nodiscard]] const std::vector<RangePower>& powers() const { return m_powers; }
  void setPowers(std::vector<RangePower> powers) { m_powers = std::move(powers); }
  /// Power of the nodes, beyond mostNodes(), by which both ends move apart.
  void setFurther(double power) { m_further = power; }
  /// Ranges of other machines: for cells without a range here. With it, ranges here are of a fitted site, whose figures
  /// are known as well as the measured times of most nodes: beyond mostNodes() that error grows with the logarithm of
  /// the nodes, as congestion does. The widening is bounded by both ranges together.
  void setOthers(std::shared_ptr<const PredictionRanges> others) { m_others = std::move(others); }
  /// The range of a group's step with a working vector of that many bytes: its cell's range with the power of its
  /// network, number of equal nodes and size (for more nodes the last power). Both ends move apart by 2^0.15 for every
  /// doubling of the equal nodes beyond mostNodes() (of large nodes beyond mostLargeNodes(), if that is farther), and
  /// of the nodes' size beyond those measured: repeats of one configuration differ by ×1.1 to 1.25 on Slingshot.
  /// Unknown where the cell is. O(powers).
  [[nodiscard]] ErrorRange at(const RangeCell& cell, NetworkKind network, const GroupReach& reach, Bytes bytes) const;

 private:
  [[nodiscard]] double powerFor(NetworkKind network, std::int64_t nodes, std::size_t sizes) const;
  [[nodiscard]] ErrorRange ofFittedSite(ErrorRange range, const ErrorRange& others, std::int64_t nodes) const;
  static std::size_t place(const RangeCell& cell) { return (cell.acrossNodes ? kSizeBands : 0) + cell.band; }
  std::array<std::array<ErrorRange, 2 * kSizeBands>, kStepKinds> m_ranges{};
  std::int64_t m_mostNodes = 0;
  std::int64_t m_mostLargeNodes = 0;
  double m_further = kFurtherOfOthers;
  std::vector<RangePower> m_powers;
  std::shared_ptr<const PredictionRanges> m_others;
};
[[nodiscard]] std::span<const RangeCell> rangeCells();

/// A measurement that was predicted without being used for the prediction.
struct HeldOutTime {
  RangeCell cell;
  double ratio = 1;   ///< measured / predicted
  double spread = 0;  ///< standard error of the prediction's logarithm that the fitted parameters leave
  double weight = 1;
  GroupReach reach = {};
  NetworkKind network = NetworkKind::Other;
  Bytes bytes{};  ///< working vector
};

/// The range of each cell from held-out times: from the 10 % to the 90 % quantile of their ratios,
/// corrected for their number n so that it covers one more of their kind (the quantile at 0.9
/// (n+1)/n, split conformal prediction); below nine of them to the 80 % quantile of their absolute
/// deviations, and below four none. Widens both ends by 1.28 standard errors of the fitted
/// parameters, added in quadrature: cross-validation underestimates extrapolation errors. O(n log
/// n).
[[nodiscard]] PredictionRanges rangesOf(std::span<const HeldOutTime> times);

/// The power by which the ranges of their cells hold a share of these times, by weight; 1 where there are none. O(n log
/// n).
[[nodiscard]] double powerOf(std::span<const HeldOutTime> times, const PredictionRanges& ranges, double share);

/// "InfiniBand": as files say it; "other" for Other.
[[nodiscard]] std::string_view nameOf(NetworkKind network);

/// Those that are shipped: of the nccl model where a system is not calibrated, from machines of the atlas that were
/// predicted by constants fitted to the others. resources/nccl/ranges.json, which bench_atlas writes.
[[nodiscard]] const PredictionRanges& ncclRanges();

}  // namespace p2::inline cost
