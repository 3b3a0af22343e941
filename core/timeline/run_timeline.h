// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "timeline/timeline.h"
#include "workload/import/run_trace.h"

namespace p2::inline timeline {

/// A measured run: tracks of every rank for computation and communication, more where kernels overlap. Clocks of
/// different ranks are aligned so that their first collectives end together. O(slices · log slices).
[[nodiscard]] Timeline runTimeline(const std::vector<RunTrace>& traces);

/// A collective as it was measured on all ranks of a run. The last rank to arrive spends the least time in it, and that
/// is the time of the transfer; the others also wait.
struct MeasuredCollective {
  std::string name;
  std::optional<CommunicationKind> kind;
  double bytes = 0;          ///< full tensor; 0 where not known
  std::int64_t members = 0;  ///< devices of a group; 0 where not known
  std::string group;
  std::int64_t runs = 0;
  std::int64_t ranks = 0;  ///< that were recorded
  double transfer = 0;     ///< seconds, median over the runs
  double wait = 0;         ///< seconds that a rank waits for the last one, mean over runs and ranks
  std::int64_t late = -1;  ///< the rank that is last in most runs; −1 where none is
  double lateShare = 0;    ///< share of the runs in which it is

  std::optional<double> predicted;  ///< seconds of a transfer
  std::string link;                 ///< the busiest one of the prediction
};

/// Why a collective takes longer than it should.
enum class RunVerdict {
  Unknown,      ///< no prediction, and no rank is late
  AsPredicted,  ///< within kSlowFactor of the prediction
  Faster,       ///< less than the prediction over kSlowFactor
  SlowLink,     ///< no rank is fast: the transfer itself takes longer
  LateRank,     ///< one rank arrives late and the others wait for it
  Scattered,    ///< ranks wait for different ones
};
inline constexpr double kSlowFactor = 1.5;
/// Waiting below this share of the transfer is noise.
inline constexpr double kWaitShare = 0.25;
[[nodiscard]] RunVerdict verdictOf(const MeasuredCollective& measured);
/// "rank 3 is late in 98 % of the runs; the others wait 1.20 ms each": the verdict in words.
[[nodiscard]] std::string describeVerdict(const MeasuredCollective& measured);

/// The collectives of a run, equal ones together, most expensive first. Equal are kind, bytes and group. Slices with
/// the same number belong together; without numbers, the n-th slice of every rank.
[[nodiscard]] std::vector<MeasuredCollective> collectivesOf(const std::vector<RunTrace>& traces);
/// Adds the steps of a plan as predictions, by kind and the closest size. An unknown size gets a prediction only if the
/// plan has a single step of that kind.
void addPredictions(std::vector<MeasuredCollective>& measured, const Plan& plan);

}  // namespace p2::inline timeline
