// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/msccl_rounds.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace p2 {
namespace {

bool isChain(Collective collective) {
  switch (collective) {
    case Collective::Reduce:
    case Collective::Broadcast:
      return true;
    case Collective::AllReduce:
    case Collective::ReduceScatter:
    case Collective::AllGather:
      return false;
  }
  return false;
}

/// Equal parts that the chunks of a group's members are cut into.
std::int64_t partsOf(Collective collective, const PlanGroup& group) {
  const auto members = static_cast<std::int64_t>(group.devices.size());
  if (isChain(collective)) return members > 2 ? 2 : 1;
  return collective == Collective::AllGather ? 1 : members;
}

ChunkSet scaled(ChunkSet set, std::int64_t factor) {
  for (ChunkRange& range : set) range = {range.from * factor, range.to * factor};
  return set;
}

/// The group's members as ranks of the communicator; nothing if they are not in it.
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
  if (collective == Collective::Reduce) {
    std::rotate(up.begin(), up.begin() + 1, up.end());
    std::reverse(down.begin(), down.end());
  } else {
    std::reverse(down.begin() + 1, down.end());
  }
  std::vector<MscclRound> rounds{{collective, up, {halves[0]}}};
  if (halves.size() > 1) rounds.push_back({collective, down, {halves[1]}, true});
  return rounds;
}

std::vector<MscclRound> roundsOf(Collective collective, const MscclRing& ring, const PlanGroup& group,
                                 std::int64_t factor) {
  if (collective == Collective::AllGather) {
    MscclRound round{collective, ring, {}};
    for (std::size_t member = 0; member < ring.size(); ++member) {
      round.pieces.push_back(scaled(group.heldBefore(member), factor));
    }
    return {round};
  }
  const auto parts = dealtOut(scaled(group.heldBefore(0), factor), partsOf(collective, group));
  if (isChain(collective)) return chainsOf(collective, ring, parts);
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
  };
  forEachRange([&unit](const ChunkRange& range) { unit = std::gcd(unit, std::gcd(range.from, range.to)); });
  forEachRange([&unit](ChunkRange& range) { range = {range.from / unit, range.to / unit}; });
  rounds.chunks /= unit;
}

}  // namespace

Result<MscclRounds> mscclRounds(const Plan& plan) {
  if (plan.reductionGroups().empty()) return Error{"the plan has no reduction group", "/reduction_groups"};
  DeviceGroup communicator = plan.reductionGroups()[0];
  std::sort(communicator.begin(), communicator.end());
  std::int64_t factor = 1;
  for (const PlanStep& step : plan.steps()) {
    for (const PlanGroup& group : step.groups) {
      const std::int64_t parts = partsOf(step.collective, group);
      factor = std::lcm(factor, parts / std::gcd(parts, countOf(group.heldBefore(0))));
    }
  }
  MscclRounds rounds{plan.cut().chunks * factor, {}};
  for (const PlanStep& step : plan.steps()) {
    std::vector<MscclRound>& made = rounds.steps.emplace_back();
    for (const PlanGroup& group : step.groups) {
      const auto ring = ringOf(communicator, group);
      if (!ring || ring->size() < 2) continue;
      for (MscclRound& round : roundsOf(step.collective, *ring, group, factor)) made.push_back(std::move(round));
    }
  }
  coarsen(rounds);
  return rounds;
}

}  // namespace p2
