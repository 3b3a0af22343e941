// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cost/cost_model.h"

namespace p2::inline cost {

/// Cost of one run of a step, and the busy time of each interconnect's busiest link.
struct BusyStep {
  double seconds = 0;
  double lowSeconds = 0;  ///< as StepCost::lowSeconds; 0 where no interval is known
  double highSeconds = 0;
  std::vector<double> busy;  ///< seconds, by Topology::interconnectOf()
  Algorithm algorithm = Algorithm::Ring;
};
/// Such a step on a vector of that many bytes.
using BusyStepOf = std::function<BusyStep(Bytes)>;

/// The steps of a program one after the other on every chunk of the vector, but on different chunks at the same time.
struct Overlapped {
  double seconds = 0;  ///< seconds of all repeats
  int chunks = 1;      ///< into which the vector is cut; 1 where nothing is gained
  /// Interval of 80 % of such times in seconds, scaled like the sum of the chunk's steps, since a system's errors
  /// mostly agree. None if the interval of a step is unknown.
  std::optional<SecondsRange> range = std::nullopt;
  friend bool operator==(const Overlapped&, const Overlapped&) = default;
};

/// Largest number of chunks that a vector is cut into.
inline constexpr int kMostChunks = 256;

/// The time of a program whose vector is cut into that many equal chunks (1 or more):
///   (Σ_s t_s(c) + (chunks − 1) · max(max_s t_s(c), max_i Σ_s b_si(c))) · repeat,   c = bytes / chunks,
/// with t_s the seconds of step s on a chunk and b_si those for which it keeps interconnect i's busiest link at work.
/// O(steps · (interconnects + one price)).
[[nodiscard]] Overlapped overlappedIn(int chunks, std::span<const BusyStepOf> steps, const CostOptions& options);

/// Time of a program when the vector is cut into equal chunks that follow each other through its steps, see
/// overlappedIn(): the first takes the sum of all steps, every further one as long as the busiest resource: a step,
/// which handles one chunk at a time, or a link, which all steps share. Chunks pay the fixed costs of a step again, so
/// the best of 1, 2, 4 … kMostChunks is taken: never more than the sequential time. The busiest links of every
/// interconnect count as one, so the time is too long where steps load different links (up a chain, then down). Not
/// modelled: contention of concurrent steps inside a device, and in processors that move the bytes. O(steps ·
/// (interconnects + one price) · log kMostChunks).
[[nodiscard]] Overlapped overlapped(std::span<const BusyStepOf> steps, const CostOptions& options);

}  // namespace p2::inline cost
