// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/msccl_rounds.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "collective/collective_traits.h"

namespace p2::inline exporters {
namespace {

/// Whether the whole vector goes along a chain that begins or ends at the root.
bool isChain(const CollectiveTraits& traits) { return traits.rooted() && !traits.scatters(); }

/// Number of equal parts that the chunks of a group's members are cut into.
std::int64_t partsOf(Collective collective, const PlanGroup& group) {
  const CollectiveTraits& traits = traitsOf(collective);
  const auto members = static_cast<std::int64_t>(group.devices.size());
  if (isChain(traits)) return members > 2 ? 2 : 1;
  return traits.makes == Makes::Pieces ? 1 : members;
}

ChunkSet scaled(ChunkSet set, std::int64_t factor) {
  for (ChunkRange& range : set) range = {range.from * factor, range.to * factor};
  return set;
}

/// The group's members as ranks of the communicator; none if they are not in it.
std::optional<MscclRing> ringOf(const DeviceGroup& communicator, const PlanGroup& group) {
  MscclRing ring;
  for (const Device device : group.devices) {
    const auto found = std::lower_bound(communicator.begin(), communicator.end(), device);
    if (found == communicator.end() || *found != device) return std::nullopt;
    ring.push_back(static_cast<std::size_t>(found - communicator.begin()));
  }
  return ring;
}

/// A chain in the direction in which members send to the next, and the other one.
std::vector<MscclRound> chainsOf(Collective collective, const MscclRing& ring, const std::vector<ChunkSet>& halves) {
  MscclRing up = ring;
  MscclRing down = ring;
  if (traitsOf(collective).leaves == Leaves::AtRoot) {
    std::rotate(up.begin(), up.begin() + 1, up.end());
    std::reverse(down.begin(), down.end());
  } else {
    std::reverse(down.begin() + 1, down.end());
  }
  std::vector<MscclRound> rounds{{collective, up, {halves[0]}}};
  if (halves.size() > 1) rounds.push_back({collective, down, {halves[1]}, true});
  return rounds;
}

/// The members' parts one after the other, the last member's first: the others pass it on.
std::vector<MscclRound> handedOn(const MscclRing& ring, const std::vector<ChunkSet>& parts) {
  std::vector<MscclRound> rounds;
  for (std::size_t to = ring.size(); to-- > 1;) {
    rounds.push_back({Collective::Scatter, ring, {parts[to]}, false, to + 1});
  }
  return rounds;
}

/// The sends of one group of a step. Blocks that stay apart (AllToAll) are not part of a sum: BlockRounds follows them.
std::vector<MscclRound> roundsOf(Collective collective, const MscclRing& ring, const PlanGroup& group,
                                 std::int64_t factor) {
  const CollectiveTraits& traits = traitsOf(collective);
  if (traits.keepsApart) return {};
  if (traits.makes == Makes::Pieces) {
    MscclRound gather{collective, ring, {}};
    for (std::size_t member = 0; member < ring.size(); ++member) {
      gather.pieces.push_back(scaled(group.heldBefore(member), factor));
    }
    return {gather};
  }
  const std::vector<ChunkSet> parts = scatteredSets(scaled(group.heldBefore(0), factor), partsOf(collective, group));
  if (isChain(traits)) return chainsOf(collective, ring, parts);
  if (traits.makes == Makes::RootCopy) return handedOn(ring, parts);
  return {{collective, ring, parts}};
}

/// Makes the chunks as large as the pieces allow.
void coarsen(MscclRounds& rounds) {
  std::int64_t unit = rounds.chunks;
  const auto forEachRange = [&rounds](const auto& visit) {
    for (auto& step : rounds.steps) {
      for (MscclRound& round : step) {
        for (ChunkSet& piece : round.pieces) std::for_each(piece.begin(), piece.end(), visit);
      }
    }
    for (ChunkSet& held : rounds.before) std::for_each(held.begin(), held.end(), visit);
    for (ChunkSet& held : rounds.after) std::for_each(held.begin(), held.end(), visit);
  };
  forEachRange([&unit](const ChunkRange& range) { unit = std::gcd(unit, std::gcd(range.from, range.to)); });
  forEachRange([&unit](ChunkRange& range) { range = {range.from / unit, range.to / unit}; });
  rounds.chunks /= unit;
}

/// The ranks' holdings under such a distribution, chunks being numbered by member where each has one.
std::vector<ChunkSet> heldIn(const Distribution& distribution, std::size_t ranks, std::int64_t chunks) {
  const std::int64_t share = chunks / static_cast<std::int64_t>(ranks);
  std::vector<ChunkSet> held(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (rank > 0 && distribution.holders != Distribution::Holders::EveryMember) continue;
    const std::int64_t from =
        distribution.chunks == Distribution::Chunks::All ? 0 : static_cast<std::int64_t>(rank) * share;
    held[rank] = {{from, distribution.chunks == Distribution::Chunks::All ? chunks : from + share}};
  }
  return held;
}

/// Equal parts that every chunk has to be cut into, so that all pieces are whole chunks.
std::int64_t cutOf(const Plan& plan) {
  std::int64_t factor = 1;
  for (const PlanStep& step : plan.steps()) {
    for (const PlanGroup& group : step.groups) {
      const std::int64_t parts = partsOf(step.collective, group);
      factor = std::lcm(factor, parts / std::gcd(parts, countOf(group.heldBefore(0))));
    }
  }
  return factor;
}

/// For every of these chunks its blocks from each of these sources, of k².
ChunkSet blocksOf(const ChunkSet& chunks, const std::set<std::int64_t>& sources, std::int64_t k) {
  ChunkSet blocks;
  for (const ChunkRange& range : chunks) {
    for (std::int64_t chunk = range.from; chunk < range.to; ++chunk) {
      for (const std::int64_t source : sources) {
        const std::int64_t block = chunk * k + source;
        if (!blocks.empty() && blocks.back().to == block) {
          ++blocks.back().to;
        } else {
          blocks.push_back({block, block + 1});
        }
      }
    }
  }
  return blocks;
}

/// Follows the blocks of an AllToAll through its steps: every rank has some chunks, of some sources.
class BlockRounds {
 public:
  explicit BlockRounds(const DeviceGroup& communicator)
      : m_communicator(communicator), m_k(static_cast<std::int64_t>(communicator.size())) {
    for (std::int64_t rank = 0; rank < m_k; ++rank) m_sources.push_back({rank});
  }

  [[nodiscard]] MscclRounds of(const Plan& plan) {
    MscclRounds rounds{m_k * m_k, {}, {}, {}};
    for (const auto& own : m_sources) rounds.before.push_back(blocksOf({{0, m_k}}, own, m_k));
    rounds.after = rounds.before;
    for (const PlanStep& step : plan.steps()) {
      std::vector<MscclRound>& made = rounds.steps.emplace_back();
      for (const PlanGroup& group : step.groups) {
        const auto ring = ringOf(m_communicator, group);
        if (ring && ring->size() > 1) addGroup(*ring, group, made, rounds.after);
      }
    }
    return rounds;
  }

 private:
  void addGroup(const MscclRing& ring, const PlanGroup& group, std::vector<MscclRound>& made,
                std::vector<ChunkSet>& after) {
    const std::size_t members = ring.size();
    std::set<std::int64_t> all;
    for (const std::size_t rank : ring) all.insert(m_sources[rank].begin(), m_sources[rank].end());
    for (std::size_t shift = 1; shift < members; ++shift) {
      MscclRound round{Collective::AllToAll, ring, {}};
      round.shift = shift;
      for (std::size_t from = 0; from < members; ++from) {
        round.pieces.push_back(blocksOf(group.heldAfter((from + shift) % members), m_sources[ring[from]], m_k));
      }
      made.push_back(std::move(round));
    }
    for (std::size_t member = 0; member < members; ++member) {
      m_sources[ring[member]] = all;
      after[ring[member]] = blocksOf(group.heldAfter(member), all, m_k);
    }
  }

  const DeviceGroup& m_communicator;
  std::int64_t m_k;
  std::vector<std::set<std::int64_t>> m_sources;  // by rank
};

}  // namespace

Result<MscclRounds> mscclRounds(const Plan& plan) {
  if (plan.reductionGroups().empty()) return Error{"the plan has no reduction group", "/reduction_groups"};
  DeviceGroup communicator = plan.reductionGroups()[0];
  std::sort(communicator.begin(), communicator.end());
  const Goal& goal = plan.workspace().options.goal;
  if (traitsOf(goal.single).keepsApart) return BlockRounds(communicator).of(plan);
  const std::int64_t factor = cutOf(plan);
  MscclRounds rounds{plan.cut().chunks * factor, {}, {}, {}};
  rounds.before = heldIn(goal.before, communicator.size(), rounds.chunks);
  rounds.after = rounds.before;
  for (const PlanStep& step : plan.steps()) {
    std::vector<MscclRound>& made = rounds.steps.emplace_back();
    for (const PlanGroup& group : step.groups) {
      const auto ring = ringOf(communicator, group);
      if (!ring || ring->size() < 2) continue;
      for (MscclRound& round : roundsOf(step.collective, *ring, group, factor)) made.push_back(std::move(round));
      for (std::size_t i = 0; i < ring->size(); ++i) rounds.after[(*ring)[i]] = scaled(group.heldAfter(i), factor);
    }
  }
  if (goal.after.holders != Distribution::Holders::EveryMember) {
    std::for_each(rounds.after.begin() + 1, rounds.after.end(), [](ChunkSet& held) { held.clear(); });
  }
  coarsen(rounds);
  return rounds;
}

}  // namespace p2::inline exporters
