// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/shard_listing.h"

#include "base/units.h"
#include "cost/local_copy.h"
#include "synthesis/shard_order.h"

namespace p2::cli {

std::optional<ShardListing> shardListingOf(const Exploration& exploration, const PlacementResult& placement,
                                           const Program& program) {
  const Workspace& workspace = exploration.workspace;
  const ExploreOptions& options = workspace.options;
  // A vector that all devices get whole, or only the root, is in order.
  if (options.goal == kAllReduceGoal || placement.hierarchy->kind() != HierarchyKind::ReductionAxes) return {};
  const auto trace = ProgramTrace::run(Placement(workspace.axes, placement.matrix), *placement.hierarchy, program,
                                       options.rules, options.goal);
  if (!trace.ok()) return {};
  auto order = shardOrder(*trace);
  if (!order) return {};
  ShardListing shards{std::move(*order), {}};
  if (isInOrder(shards.order)) return shards;
  shards.copy = localCopySeconds(libraryViewOf(*exploration.topology), options.cost.bytes);
  if (shards.copy) {
    shards.copy->low *= options.cost.repeat;
    shards.copy->high *= options.cost.repeat;
  }
  return shards;
}

std::string shardsText(const ShardListing& shards) {
  if (isInOrder(shards.order)) return {};
  std::string text = "shards in the order " + shardOrderText(shards.order, 16);
  if (!shards.copy) return text;
  const bool single = shards.copy->low == shards.copy->high;
  return text + "; a copy of " + formatSeconds(shards.copy->low) +
         (single ? "" : " to " + formatSeconds(shards.copy->high)) + " puts them right";
}

}  // namespace p2::cli
