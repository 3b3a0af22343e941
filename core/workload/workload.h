// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "placement/axis.h"
#include "workload/communication_kind.h"
#include "workload/generate/training_plan.h"

namespace p2::inline workload {

/// The share of a communication that overlaps with computation.
struct CommunicationOverlap {
  enum class Extent {
    None,      ///< exposed: devices wait for it
    Compute,   ///< all of it may
    Fraction,  ///< this share of it may, `value` in 0 … 1
    Window,    ///< `value` seconds of computation in every step can hide it
  };
  Extent extent = Extent::None;
  double value = 0;
  friend bool operator==(const CommunicationOverlap&, const CommunicationOverlap&) = default;
};

/// One of the numbers that a count is the product of, "layers" 80.
struct CountFactor {
  std::string name;
  std::int64_t value = 1;
  friend bool operator==(const CountFactor&, const CountFactor&) = default;
};

/// How a mixture of experts sends its tokens (kind Dispatch): a token goes to `expertsPerToken` of `experts`. With
/// `mostGroups` above 0 the experts a token goes to be in at most this many groups; the experts are cut into `groups`
/// groups of equal size, or, where that is 0, the experts of one node are a group, however many nodes there are.
struct ExpertRouting {
  std::int64_t experts = 0;
  std::int64_t expertsPerToken = 0;
  std::int64_t mostGroups = 0;
  std::int64_t groups = 0;
  friend auto operator<=>(const ExpertRouting&, const ExpertRouting&) = default;
};

/// One kind of communication of a training step, as often as it happens.
struct WorkloadEntry {
  std::string name = {};               ///< "layer weights"; several entries may have the same
  std::vector<std::string> axes = {};  ///< over which it goes, a set of names of axes
  CommunicationKind kind = CommunicationKind::AllReduce;
  /// Bytes of the full tensor: gathered or not yet reduced. A device sends (n − 1)/n of it for AllGather, ReduceScatter
  /// and AllToAll, twice that for AllReduce, and all of it for Shift. For a Dispatch the tokens of one device, each
  /// counted once for every expert it goes to.
  std::int64_t bytes = 0;
  std::int64_t count = 1;                 ///< how often in a step
  std::vector<CountFactor> factors = {};  ///< what `count` is the product of; empty where it is just a number
  CommunicationOverlap overlap = {};
  bool closed = true;                         ///< for Shift: the last sends to the first
  std::optional<ExpertRouting> routing = {};  ///< for Dispatch
  /// Axes of a ReduceScatter over which the sum is scattered; along the others it is replicated, as the gradients of
  /// hybrid sharding (HSDP) are. Empty for all.
  std::vector<std::string> scatter = {};
  std::string formula = {};  ///< how the bytes come about, for people: "β·b·(s/c)·h = 2·1·8192·16384"
  friend bool operator==(const WorkloadEntry&, const WorkloadEntry&) = default;
};

/// All that is communicated in one training step of one device. One AllReduce is the workload of one entry.
struct Workload {
  std::string name;
  std::vector<Axis> axes;  ///< names and sizes; `reduce` has no meaning here
  std::vector<WorkloadEntry> collectives;
  std::optional<double> computeSeconds;  ///< per step, where known
  /// The JSON text that it was read from, so that keys we do not know survive a round trip.
  std::string source;
  /// How communication overlaps with computation and with itself, where that is known: see StepOptions,
  /// which has the defaults. A factor of 1 or more, a share of 0 to 1.
  std::optional<double> slowdown = {};
  std::optional<double> usableShare = {};
  bool concurrent = false;
  /// Its training, where it is known: what computes follows from it (estimatedComputation() in core/training).
  std::optional<TrainedStep> training = {};
  friend bool operator==(const Workload&, const Workload&) = default;
};

/// Limits of a workload that is accepted.
inline constexpr std::size_t kMostWorkloadEntries = 100'000;
inline constexpr std::int64_t kMostExperts = std::int64_t{1} << 20;
inline constexpr std::int64_t kMostExpertsPerToken = 4096;
inline constexpr std::int64_t kMostExpertGroups = 4096;

/// Whether the groups of a routing are possible: they divide the experts evenly, a token goes to no more of them than
/// there are, and those have room for its experts.
[[nodiscard]] Result<void> checkExpertGroups(const ExpertRouting& routing);

/// Everything that can be wrong with a workload by itself: axes and sizes, names that entries give, bytes and counts
/// from 1, factors whose product is the count, totals that overflow, entries over axes of size 1 alone, routing,
/// seconds, slowdown and share out of their ranges. The error's part is a JSON pointer, "/collectives/3/bytes".
/// O(entries · log axes).
[[nodiscard]] Result<void> checkWorkload(const Workload& workload);

/// The workload with entries of equal kind, axes, scatter, bytes, overlap and routing merged, their counts
/// added up and their names listed; for a workload that checkWorkload() lets pass. O(entries · log entries).
[[nodiscard]] Workload collapsed(const Workload& workload);

/// "3 passes · 160 blocks": the factors of an entry's count, without ones; empty where nothing else is left.
[[nodiscard]] std::string factorsText(const WorkloadEntry& entry);

/// The workload file: {"format": "p2-workload", "version": 1, …}; schema in resources/schemas. Errors name the JSON
/// pointer of the mistake, or the line of a syntax error.
[[nodiscard]] Result<Workload> workloadFromJson(std::string_view text);
[[nodiscard]] std::string workloadToJson(const Workload& workload);

}  // namespace p2::inline workload
