// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/shard_order.h"

namespace p2::inline synthesis {
namespace {

std::vector<std::int64_t> scatterOrder(const ProgramTrace& trace) {
  const SynthesisHierarchy& hierarchy = trace.hierarchy();
  // Of replicas the first stands for all.
  GroupPattern shards{0, hierarchy.levelCount(), false};
  shards.fixed = trace.goal().after.replicated;
  std::vector<std::int64_t> order;
  const DeviceGroup members = hierarchy.groups(shards)[0];
  for (const Device member : members) {
    for (const ChunkRange& range : trace.chunksOf(member, trace.validSteps())) {
      for (std::int64_t chunk = range.from; chunk < range.to; ++chunk) order.push_back(chunk);
    }
  }
  return order;
}

/// The levels of a hierarchy from the one whose digit changes most slowly along the gathered vector: those gathered
/// last, which set whole pieces side by side. The first member takes part in every gather, each level in one of them.
std::vector<std::size_t> levelsByPlace(const Program& program) {
  std::vector<std::size_t> levels;
  for (auto step = program.rbegin(); step != program.rend(); ++step) {
    if (step->collective != Collective::AllGather) continue;
    for (int level = step->pattern.outer + 1; level <= step->pattern.inner; ++level) {
      if (step->pattern.varies(level)) levels.push_back(static_cast<std::size_t>(level - 1));
    }
  }
  return levels;
}

std::vector<std::int64_t> gatheredOrder(const ProgramTrace& trace) {
  const std::vector<std::int64_t> sizes = trace.hierarchy().sizes();
  std::vector<std::int64_t> strides(sizes.size(), 1);  // in member numbers
  for (std::size_t level = sizes.size(); level-- > 1;) strides[level - 1] = strides[level] * sizes[level];
  std::vector<std::int64_t> order{0};
  for (const std::size_t level : levelsByPlace(trace.program())) {
    std::vector<std::int64_t> finer;
    for (const std::int64_t first : order) {
      for (std::int64_t digit = 0; digit < sizes[level]; ++digit) finer.push_back(first + digit * strides[level]);
    }
    order = std::move(finer);
  }
  return order;
}

}  // namespace

std::optional<std::vector<std::int64_t>> shardOrder(const ProgramTrace& trace) {
  if (!trace.complete() || trace.hierarchy().kind() != HierarchyKind::ReductionAxes) return std::nullopt;
  const Goal& goal = trace.goal();
  if (goal.after.chunks == Distribution::Chunks::OneEach) return scatterOrder(trace);
  if (goal.before.chunks == Distribution::Chunks::OneEach) return gatheredOrder(trace);
  return std::nullopt;
}

bool isInOrder(const std::vector<std::int64_t>& order) {
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (order[place] != static_cast<std::int64_t>(place)) return false;
  }
  return true;
}

std::string shardOrderText(const std::vector<std::int64_t>& order, std::size_t most) {
  std::string text;
  for (std::size_t place = 0; place < order.size() && place < most; ++place) {
    text += (place == 0 ? "" : ",") + std::to_string(order[place]);
  }
  return order.size() > most ? text + ",…" : text;
}

}  // namespace p2::inline synthesis
