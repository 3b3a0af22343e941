// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "explore/explore.h"
#include "step/step_ranking.h"

namespace p2::views {

/// "tensor in the node", "data across nodes (16) and in the node (2)": the levels of an axis of a placement.
[[nodiscard]] QString axisWhereText(const System& system, const std::vector<Axis>& axes,
                                    const ParallelismMatrix& matrix, std::size_t axis);
/// As above for all axes larger than 1, "tensor in the node · data across nodes".
[[nodiscard]] QString whereText(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix);

/// The placement that one reduction, looked at alone, would choose.
struct ReductionWinner {
  std::size_t placement = 0;  ///< of StepRanking::placements
  QString reduction;          ///< "the AllReduce of data alone"
  friend bool operator==(const ReductionWinner&, const ReductionWinner&) = default;
};
/// The exploration's, if it is of the same system and axes; else the entry's that reduces the most bytes. None
/// if no entry reduces anything.
[[nodiscard]] std::optional<ReductionWinner> reductionWinner(const StepRanking& ranking,
                                                             const Exploration* exploration);

/// "32 nodes × 8 GPUs · llama3-70b · data 32 · tensor 8 · nccl model": the question, for pictures that leave the
/// window.
[[nodiscard]] QString askedText(const StepQuestion& question);

/// The finding of a ranking, in one sentence with the number that matters.
[[nodiscard]] QString findingOf(const StepRanking& ranking, const std::optional<ReductionWinner>& winner);
/// A placement in one line: matrix, step, its parts, and the orders that give it.
[[nodiscard]] QString placementText(const StepRanking& ranking, std::size_t placement,
                                    const std::optional<ReductionWinner>& winner);
/// Names of what leads to a placement: the reduction alone, framework orders. Empty if nothing does.
[[nodiscard]] QStringList leadersOf(const StepRanking& ranking, std::size_t placement,
                                    const std::optional<ReductionWinner>& winner);
/// "DeepSpeed, nanotron: it has no context axis": orders that lead to no matrix, and why, a line per reason.
[[nodiscard]] QString ordersWithoutMatrix(const StepRanking& ranking);

/// Name of an entry in a legend; repeated names with collective and axes: "resharding (AllGather over tensor)".
[[nodiscard]] QString legendName(const std::vector<WorkloadEntry>& entries, std::size_t entry);
/// "exposed", "overlapped with computation", "35 % overlapped with computation", "at most 100 ms overlapped with
/// computation".
[[nodiscard]] QString overlapText(const CommunicationOverlap& overlap);
/// "1/4", "4", "1.47": a ratio as text.
[[nodiscard]] QString ratioText(double ratio);

}  // namespace p2::views
