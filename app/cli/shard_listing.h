// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/explore.h"

namespace p2::cli {

/// The order in which a program leaves the shards of the vector.
struct ShardListing {
  std::vector<std::int64_t> order;   ///< shardOrder()
  std::optional<SecondsRange> copy;  ///< of putting them in order, all runs together; where the memory is known
};

/// Empty where the goal leaves no parts and gathers none.
[[nodiscard]] std::optional<ShardListing> shardListingOf(const Exploration& exploration,
                                                         const PlacementResult& placement, const Program& program);

/// "shards in the order 0,2,4,1,3,5, a copy of 1.29–1.38 ms to put right"; empty where they are in order.
[[nodiscard]] std::string shardsText(const ShardListing& shards);

}  // namespace p2::cli
