// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/exporters.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/nccl/nccl_channels.h"
#include "cost/simulator.h"
#include "plan/plan.h"

namespace p2::inline exporters {

/// The cheapest algorithm and protocol of a collective for vectors of `from` to `to` bytes, both included, with the
/// channels that NCCL takes for them.
struct NcclRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  Algorithm algorithm = Algorithm::Ring;
  Protocol protocol = Protocol::None;
  NcclChannels channels;
};

/// A communicator of a plan and the choices for one collective on it, by size. Bytes are counted as NCCL's tuner counts
/// them: the larger of the sent and the received vector of a rank.
struct NcclChoices {
  Collective collective = Collective::AllReduce;
  std::int64_t ranks = 1;
  std::int64_t nodes = 1;
  std::uint64_t planned = 0;  ///< bytes in the plan
  std::vector<NcclRange> ranges;

  /// The range that holds the planned bytes.
  [[nodiscard]] const NcclRange& plannedRange() const;
};

/// Choices for every collective, rank count and node count of the plan's steps and of its goal's single collective,
/// each once, from 0 bytes on. The first group of a step stands for all. AllToAll and Scatter are sends
/// and receives, for which NCCL's tuner has no choice. O(steps · sizes · price of a step). Errors: a model without
/// protocols, no step with a choice.
[[nodiscard]] Result<std::vector<NcclChoices>> ncclChoices(const Plan& plan);

}  // namespace p2::inline exporters
