// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "cost/bounds/detail/listed_lower_bound.h"

namespace p2::inline cost {

void ListedLowerBound::nameShards(const SynthesisHierarchy& hierarchy) {
  const auto isReplicated = [&](int level) { return (hierarchy.replicatedLevels() >> level & 1) != 0; };
  for (const Device device : IdRange<Device>(m_topology.deviceCount())) {
    std::int64_t shard = 0;
    for (int level = 0; level < hierarchy.levelCount(); ++level) {
      if (isReplicated(level)) continue;
      for (const Digit& digit : hierarchy.levels()[static_cast<std::size_t>(level)].digits) {
        shard = shard * digit.size + digit.of(device);
      }
    }
    m_shardOf.push_back(shard);
  }
  for (int level = 0; level < hierarchy.levelCount(); ++level) {
    if (isReplicated(level)) m_replicas *= hierarchy.levels()[static_cast<std::size_t>(level)].size;
  }
}

/// By group, how many members of each shard are in a part.
std::map<std::int32_t, std::map<std::int64_t, std::int64_t>> ListedLowerBound::holdersIn(
    const std::vector<std::int32_t>& part) const {
  std::map<std::int32_t, std::map<std::int64_t, std::int64_t>> inside;
  for (const std::int32_t at : part) {
    const auto device = static_cast<std::size_t>(at);
    ++inside[m_grouped.groupOf[device]][m_shardOf[device]];
  }
  return inside;
}

CutDemand ListedLowerBound::shardDemandOf(const Cut& cut) const {
  struct Held {
    std::int64_t members = 0;  // in all parts
    std::int64_t parts = 0;
    std::int64_t holders = 0;  // over all shards, the parts that have it
    CutDemand apart;           // part by part
  };
  const auto size = static_cast<std::int64_t>(m_groups[0].size());
  const std::int64_t shards = size / m_replicas;
  std::map<std::int32_t, Held> held;
  for (const std::vector<std::int32_t>& part : cut.parts) {
    for (const auto& [group, own] : holdersIn(part)) {
      Held& all = held[group];
      std::int64_t members = 0;
      std::int64_t complete = 0;  // shards without a copy outside
      for (const auto& [shard, count] : own) {
        members += count;
        complete += count == m_replicas ? 1 : 0;
      }
      const CutDemand demand =
          members == size ? CutDemand{} : p2::demandOf(ShardCut{shards, std::ssize(own), shards - complete});
      all.members += members;
      all.holders += std::ssize(own);
      ++all.parts;
      all.apart = {all.apart.out + demand.out, all.apart.in + demand.in};
    }
  }
  CutDemand sum;
  for (const auto& [group, all] : held) {
    const double holders = static_cast<double>(all.holders) / static_cast<double>(shards);
    const bool together = all.members == size && !cut.reduces;
    const CutDemand own = together ? shardCrossingsOf(all.parts, holders) : all.apart;
    sum = {sum.out + own.out, sum.in + own.in};
  }
  return sum;
}

}  // namespace p2::inline cost
