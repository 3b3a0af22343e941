// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/msccl_scheduler.h"

#include <algorithm>

#include "collective/collective_traits.h"

namespace p2::inline exporters {
namespace {

MscclRing fromSmallest(MscclRing ring) {
  std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
  return ring;
}

/// The runs of a set, none longer than MSCCL moves at once.
ChunkSet cutRuns(const ChunkSet& set) {
  ChunkSet runs;
  for (ChunkRange range : set) {
    for (; range.to - range.from > kMostMscclCount; range.from += kMostMscclCount) {
      runs.push_back({range.from, range.from + kMostMscclCount});
    }
    runs.push_back(range);
  }
  return runs;
}

void addPairs(const MscclRound& round, std::set<MscclRing>& pairs) {
  const std::size_t members = round.ring.size();
  for (std::size_t member = 0; member < members; ++member) {
    pairs.insert({round.ring[member], round.ring[(member + round.shift) % members]});
  }
}

}  // namespace

MscclScheduler::MscclScheduler(std::size_t ranks, char buffer)
    : m_buffer(buffer), m_ranks(ranks), m_before(ranks), m_now(ranks) {}

void MscclScheduler::add(const std::vector<MscclRound>& step) {
  beginStep();
  Wires rings[2];
  std::map<std::size_t, Wires> shifts;
  for (const MscclRound& round : step) {
    if (round.shift > 0) {
      addPairs(round, shifts[round.shift]);
    } else {
      rings[round.backwards].insert(fromSmallest(round.ring));
    }
  }
  for (const MscclRound& round : step) {
    m_channel = channelOf(round.shift > 0 ? shifts[round.shift] : rings[round.backwards]);
    addRound(round);
  }
}

void MscclScheduler::addCopy(std::size_t rank, MscclPlace from, MscclPlace to, std::int64_t count) {
  m_channel = kNoChannel;
  for (std::int64_t done = 0; done < count; done += kMostMscclCount) {
    append(rank, {"cpy",
                  {from.buffer, from.offset + done},
                  {to.buffer, to.offset + done},
                  std::min(kMostMscclCount, count - done)});
  }
}

std::size_t MscclScheduler::mostSteps() const {
  std::size_t most = 0;
  for (const std::vector<MscclBlock>& blocks : m_ranks) {
    for (const MscclBlock& block : blocks) most = std::max(most, block.steps.size());
  }
  return most;
}

void MscclScheduler::shareChannels() {
  std::vector<std::set<std::pair<std::size_t, std::int64_t>>> wires(m_channelCount);
  for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
    for (const MscclBlock& block : m_ranks[rank]) {
      if (block.channel != kNoChannel && block.send >= 0) wires[block.channel].insert({rank, block.send});
    }
  }
  std::vector<std::size_t> shared(wires.size());
  std::vector<std::set<std::pair<std::size_t, std::int64_t>>> taken;
  for (std::size_t channel = 0; channel < wires.size(); ++channel) {
    const auto isFree = [&](const auto& others) {
      return std::none_of(wires[channel].begin(), wires[channel].end(),
                          [&](const auto& wire) { return others.contains(wire); });
    };
    auto found = std::find_if(taken.begin(), taken.end(), isFree);
    if (found == taken.end()) found = taken.emplace(taken.end());
    found->insert(wires[channel].begin(), wires[channel].end());
    shared[channel] = static_cast<std::size_t>(found - taken.begin());
  }
  for (std::vector<MscclBlock>& blocks : m_ranks) {
    for (MscclBlock& block : blocks) {
      if (block.channel != kNoChannel) block.channel = shared[block.channel];
    }
  }
  for (auto& [wiresOf, channel] : m_channels) channel = shared[channel];
  m_channelCount = taken.size();
}

std::vector<std::vector<MscclBlock>> MscclScheduler::take() {
  for (std::vector<MscclBlock>& blocks : m_ranks) {
    for (MscclBlock& block : blocks) block.channel = block.channel == kNoChannel ? 0 : block.channel;
  }
  return std::move(m_ranks);
}

void MscclScheduler::beginStep() {
  for (std::size_t rank = 0; rank < m_now.size(); ++rank) {
    if (!m_now[rank].empty()) m_before[rank].clear();
    for (const std::size_t block : m_now[rank]) {
      m_before[rank][block] = static_cast<int>(m_ranks[rank][block].steps.size()) - 1;
    }
    m_now[rank].clear();
  }
}

std::size_t MscclScheduler::channelOf(const Wires& wires) {
  const auto [found, isNew] = m_channels.emplace(wires, m_channelCount);
  if (isNew) ++m_channelCount;
  return found->second;
}

void MscclScheduler::addRound(const MscclRound& round) {
  std::vector<ChunkSet> runs;
  std::size_t most = 0;
  for (const ChunkSet& piece : round.pieces) {
    runs.push_back(cutRuns(piece));
    most = std::max(most, runs.back().size());
  }
  // A run completes before the next one starts, so that no rank sends two ahead of its receives.
  for (std::size_t run = 0; run < most; ++run) {
    Ranges ranges;
    for (const ChunkSet& piece : runs) ranges.push_back(run < piece.size() ? &piece[run] : nullptr);
    const CollectiveTraits& traits = traitsOf(round.collective);
    if (traits.keepsApart) {
      addShift(round, ranges);
    } else if (traits.rooted()) {
      addChain(round, *ranges[0]);
    } else {
      addTurn(round, ranges);
    }
  }
}

/// Once or twice round a ring: of every piece what `ranges` says. A sum of piece p begins behind member p and ends
/// with it; from there, or from its holder, the piece goes round.
void MscclScheduler::addTurn(const MscclRound& round, const Ranges& ranges) {
  const std::size_t members = round.ring.size();
  const bool sums = traitsOf(round.collective).makes == Makes::Sum;
  const bool gathers = !traitsOf(round.collective).scatters();
  const auto piece = [&](std::size_t member, std::size_t back) {
    return ranges[(member + 2 * members - back) % members];
  };
  for (std::size_t member = 0; member < members; ++member) {
    const auto put = [&](std::string_view type, std::size_t back) {
      if (const ChunkRange* range = piece(member, back)) addStep(round.ring, member, type, *range);
    };
    put("s", sums ? 1 : 0);
    if (sums) {
      for (std::size_t back = 2; back < members; ++back) put("rrs", back);
      put(gathers ? "rrcs" : "rrc", members);
    }
    if (gathers) {
      for (std::size_t back = 1; back + 1 < members; ++back) put("rcs", back);
      put("r", members - 1);
    }
  }
}

void MscclScheduler::addChain(const MscclRound& round, const ChunkRange& range) {
  const bool sums = traitsOf(round.collective).makes == Makes::Sum;
  const std::size_t last = (round.reach > 0 ? round.reach : round.ring.size()) - 1;
  addStep(round.ring, 0, "s", range);
  for (std::size_t member = 1; member < last; ++member) addStep(round.ring, member, sums ? "rrs" : "rcs", range);
  addStep(round.ring, last, sums ? "rrc" : "r", range);
}

/// Cyclic shift: rank r sends to r + k and receives from r − k (mod n).
void MscclScheduler::addShift(const MscclRound& round, const Ranges& ranges) {
  const std::size_t members = round.ring.size();
  for (std::size_t member = 0; member < members; ++member) {
    const std::size_t back = (member + members - round.shift) % members;
    if (ranges[member] != nullptr) addStep(round.ring, member, "s", *ranges[member], round.shift);
    if (ranges[back] != nullptr) addStep(round.ring, member, "r", *ranges[back], round.shift);
  }
}

void MscclScheduler::addStep(const MscclRing& ring, std::size_t member, std::string_view type, const ChunkRange& range,
                             std::size_t shift) {
  const auto neighbour = [&](std::size_t by) { return static_cast<std::int64_t>(ring[(member + by) % ring.size()]); };
  const MscclPlace place{m_buffer, range.from};
  MscclBlock& block = append(ring[member], {type, place, place, range.to - range.from});
  if (type.back() == 's') block.send = neighbour(shift);
  if (type.front() == 'r') block.receive = neighbour(ring.size() - shift);
}

MscclBlock& MscclScheduler::append(std::size_t rank, MscclStep step) {
  const std::size_t index = blockOf(rank);
  if (m_now[rank].insert(index).second) waitForOthers(rank, index, step);
  m_ranks[rank][index].steps.push_back(step);
  return m_ranks[rank][index];
}

/// Lets the step wait for all that the rank did in its latest step of the program. A step waits for one other; for
/// more there are steps before it that do nothing else.
void MscclScheduler::waitForOthers(std::size_t rank, std::size_t index, MscclStep& step) {
  std::vector<MscclBlock>& blocks = m_ranks[rank];
  for (const auto& [other, last] : m_before[rank]) {
    if (other == index) continue;
    if (step.block >= 0) {
      blocks[index].steps.push_back({"nop", {}, {}, 0, step.block, step.step});
    }
    step.block = static_cast<int>(other);
    step.step = last;
    blocks[other].steps[static_cast<std::size_t>(last)].awaited = true;
  }
}

std::size_t MscclScheduler::blockOf(std::size_t rank) {
  std::vector<MscclBlock>& blocks = m_ranks[rank];
  const auto found =
      std::find_if(blocks.begin(), blocks.end(), [&](const MscclBlock& block) { return block.channel == m_channel; });
  if (found != blocks.end()) return static_cast<std::size_t>(found - blocks.begin());
  blocks.push_back({m_channel, -1, -1, {}});
  return blocks.size() - 1;
}

}  // namespace p2::inline exporters
