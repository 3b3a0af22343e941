// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/mscclpp_schedule.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/counted.h"
#include "exporters/detail/mscclpp_exchange.h"
#include "placement/realisation.h"

namespace p2::inline exporters {
namespace {

ChunkSet scaledBy(ChunkSet set, std::int64_t factor) {
  for (ChunkRange& range : set) range = {range.from * factor, range.to * factor};
  return set;
}

/// Parts that every chunk has to be cut into, so that all members of all groups get whole chunks.
std::int64_t chunkFactor(const Plan& plan) {
  std::int64_t factor = 1;
  for (const PlanStep& step : plan.steps()) {
    if (step.collective == Collective::AllGather) continue;
    for (const PlanGroup& group : step.groups) {
      const auto members = static_cast<std::int64_t>(group.devices.size());
      factor = std::lcm(factor, members / std::gcd(members, countOf(group.heldBefore(0))));
    }
  }
  return factor;
}

class Scheduler {
 public:
  explicit Scheduler(const Plan& plan)
      : m_plan(plan), m_factor(chunkFactor(plan)), m_devices(plan.reductionGroups()[0]) {
    std::sort(m_devices.begin(), m_devices.end());
    m_chunks = plan.cut().chunks * m_factor;
    m_schedule.ranks.resize(m_devices.size());
  }

  Result<MscclppSchedule> run() {
    P2_TRY(placeParts());
    MscclppExchanges exchanges(m_schedule, nodes());
    for (const PlanStep& step : m_plan.steps()) {
      for (const PlanGroup& group : step.groups) {
        if (std::binary_search(m_devices.begin(), m_devices.end(), group.devices[0]))
          add(step.collective, group, exchanges);
      }
    }
    for (const MscclppRank& rank : m_schedule.ranks) {
      if (rank.operations.size() > kMostMscclppOperations) {
        return Error{"a rank of this program has " + countedText(rank.operations.size(), "operation") +
                     ", and a threadblock of MSCCL++ takes " + std::to_string(kMostMscclppOperations) +
                     "; export msccl-xml or torchrun"};
      }
      if (std::max(rank.memoryPeers.size(), rank.portPeers.size()) > kMostMscclppPeers) {
        return Error{"a rank of this program has more than " + std::to_string(kMostMscclppPeers) +
                     " peers, as many as a threadblock of MSCCL++ has channels for; export msccl-xml or torchrun"};
      }
    }
    return std::move(m_schedule);
  }

 private:
  [[nodiscard]] int rankOf(Device device) const {
    return static_cast<int>(std::lower_bound(m_devices.begin(), m_devices.end(), device) - m_devices.begin());
  }

  /// By rank the node of its device.
  [[nodiscard]] std::vector<std::int64_t> nodes() const {
    const std::int64_t perNode = devicesPerNode(m_plan.workspace().system);
    std::vector<std::int64_t> nodes;
    for (const Device device : m_devices) nodes.push_back(device.value() / perNode);
    return nodes;
  }

  /// Buffers of the goal, and new numbers of chunks where the vector is scattered before or after.
  Result<void> placeParts() {
    const Goal& goal = m_plan.workspace().options.goal;
    const bool gathers = goal == kAllGatherGoal;
    m_schedule.collective = gathers ? "allgather" : goal == kAllReduceGoal ? "allreduce" : "reducescatter";
    m_schedule.buffer = gathers ? 'o' : 'i';
    m_schedule.input = m_schedule.output = m_chunks;
    if (goal == kAllReduceGoal) return {};
    const auto ranks = static_cast<std::int64_t>(m_devices.size());
    if (m_chunks % ranks != 0) return unequalParts();
    const std::int64_t each = m_chunks / ranks;
    (gathers ? m_schedule.input : m_schedule.output) = each;
    m_newOf.assign(static_cast<std::size_t>(m_chunks), -1);
    for (std::size_t rank = 0; rank < m_devices.size(); ++rank) {
      std::int64_t next = static_cast<std::int64_t>(rank) * each;
      const std::int64_t end = next + each;
      for (const ChunkRange& range : partOf(m_devices[rank], gathers)) {
        for (std::int64_t chunk = range.from; chunk < range.to; ++chunk) {
          std::int64_t& number = m_newOf[static_cast<std::size_t>(chunk)];
          if (number >= 0 || next == end) return unequalParts();
          number = next++;
        }
      }
      if (next != end) return unequalParts();
    }
    return {};
  }

  static Error unequalParts() {
    return {
        "the devices do not hold one equal part each, and MSCCL++ gives every rank its own; export msccl-xml or "
        "torchrun"};
  }

  /// Chunks of a device before its first step, or after its last; none without a step.
  [[nodiscard]] ChunkSet partOf(Device device, bool first) const {
    ChunkSet part;
    for (const PlanStep& step : m_plan.steps()) {
      for (const PlanGroup& group : step.groups) {
        const auto found = std::find(group.devices.begin(), group.devices.end(), device);
        if (found == group.devices.end()) continue;
        const auto member = static_cast<std::size_t>(found - group.devices.begin());
        part = scaledBy(first ? group.heldBefore(member) : group.heldAfter(member), m_factor);
        if (first) return part;
      }
    }
    return part;
  }

  /// Renumbers the chunks of a set.
  [[nodiscard]] ChunkSet renumbered(const ChunkSet& set) const {
    if (m_newOf.empty()) return set;
    std::vector<std::int64_t> numbers;
    for (const ChunkRange& range : set) {
      for (std::int64_t chunk = range.from; chunk < range.to; ++chunk) {
        numbers.push_back(m_newOf[static_cast<std::size_t>(chunk)]);
      }
    }
    std::sort(numbers.begin(), numbers.end());
    ChunkSet renumbered;
    for (const std::int64_t number : numbers) {
      if (!renumbered.empty() && renumbered.back().to == number) {
        ++renumbered.back().to;
      } else {
        renumbered.push_back({number, number + 1});
      }
    }
    return renumbered;
  }

  void add(Collective collective, const PlanGroup& group, MscclppExchanges& exchanges) {
    std::vector<int> ranks;
    for (const Device device : group.devices) ranks.push_back(rankOf(device));
    const auto members = static_cast<std::int64_t>(ranks.size());
    std::vector<ChunkSet> parts;
    if (collective == Collective::AllGather) {
      for (std::size_t i = 0; i < ranks.size(); ++i) parts.push_back(scaledBy(group.heldBefore(i), m_factor));
    } else {
      parts = scatteredSets(scaledBy(group.heldBefore(0), m_factor), members);
    }
    for (ChunkSet& part : parts) part = renumbered(part);
    const bool sums = collective != Collective::AllGather && collective != Collective::Broadcast;
    if (sums) exchanges.add(ranks, scattering(ranks, parts), true);
    if (collective == Collective::Reduce) exchanges.add(ranks, toRoot(ranks, parts), false);
    if (collective == Collective::Broadcast) exchanges.add(ranks, fromRoot(ranks, parts), false);
    if (collective == Collective::AllReduce || collective == Collective::AllGather) {
      exchanges.add(ranks, gathering(ranks, parts, 0), false);
    }
    if (collective == Collective::Broadcast && members > 2) exchanges.add(ranks, gathering(ranks, parts, 1), false);
  }

  static MscclppTransfers scattering(const std::vector<int>& ranks, const std::vector<ChunkSet>& parts) {
    MscclppTransfers transfers;
    for (const int from : ranks) {
      for (std::size_t to = 0; to < ranks.size(); ++to) {
        if (ranks[to] != from) transfers.push_back({from, ranks[to], parts[to]});
      }
    }
    return transfers;
  }
  /// Every member's part to all others, the members before `first` left out.
  static MscclppTransfers gathering(const std::vector<int>& ranks, const std::vector<ChunkSet>& parts,
                                    std::size_t first) {
    MscclppTransfers transfers;
    for (std::size_t from = first; from < ranks.size(); ++from) {
      for (std::size_t to = first; to < ranks.size(); ++to) {
        if (to != from) transfers.push_back({ranks[from], ranks[to], parts[from]});
      }
    }
    return transfers;
  }
  static MscclppTransfers toRoot(const std::vector<int>& ranks, const std::vector<ChunkSet>& parts) {
    MscclppTransfers transfers;
    for (std::size_t from = 1; from < ranks.size(); ++from) transfers.push_back({ranks[from], ranks[0], parts[from]});
    return transfers;
  }
  /// The root's own part to all members, and each its own.
  static MscclppTransfers fromRoot(const std::vector<int>& ranks, const std::vector<ChunkSet>& parts) {
    MscclppTransfers transfers;
    for (std::size_t to = 1; to < ranks.size(); ++to) {
      transfers.push_back({ranks[0], ranks[to], parts[0]});
      transfers.push_back({ranks[0], ranks[to], parts[to]});
    }
    return transfers;
  }

  const Plan& m_plan;
  std::int64_t m_factor;
  DeviceGroup m_devices;
  std::int64_t m_chunks = 1;
  std::vector<std::int64_t> m_newOf;  // by chunk; empty where the numbers stay
  MscclppSchedule m_schedule;
};

}  // namespace

Result<MscclppSchedule> mscclppSchedule(const Plan& plan) {
  const Goal& goal = plan.workspace().options.goal;
  if (!(goal == kAllReduceGoal) && !(goal == kReduceScatterGoal) && !(goal == kAllGatherGoal)) {
    return Error{"plans for MSCCL++ are written for AllReduce, ReduceScatter and AllGather, and this one is for " +
                 std::string(goal.name) + "; export msccl-xml or torchrun"};
  }
  for (const PlanStep& step : plan.steps()) {
    constexpr std::array kRun{Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather,
                              Collective::Reduce, Collective::Broadcast};
    if (std::find(kRun.begin(), kRun.end(), step.collective) != kRun.end()) continue;
    return Error{"the program has the step " + std::string(nameOf(step.collective)) +
                 ", which no operations are written for; export msccl-xml or torchrun"};
  }
  if (plan.reductionGroups().empty()) return Error{"the plan has no reduction group", "/reduction_groups"};
  return Scheduler(plan).run();
}

}  // namespace p2::inline exporters
