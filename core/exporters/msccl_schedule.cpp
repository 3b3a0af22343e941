// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/msccl_schedule.h"

#include <algorithm>
#include <set>

#include "exporters/msccl_rounds.h"

namespace p2 {
namespace {

/// Whom a round makes send to whom, all around.
using RingSet = std::set<MscclRing>;

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

/// Adds the steps of a program one by one.
class MscclScheduler {
 public:
  MscclScheduler(std::size_t ranks, std::int64_t chunks) : m_before(ranks), m_now(ranks) {
    m_schedule.chunks = chunks;
    m_schedule.ranks.resize(ranks);
  }

  void add(const std::vector<MscclRound>& step) {
    beginStep();
    RingSet rings[2];
    for (const MscclRound& round : step) rings[round.backwards].insert(fromSmallest(round.ring));
    for (const MscclRound& round : step) {
      m_channel = channelOf(rings[round.backwards]);
      addRound(round);
    }
  }

  /// Steps of the longest threadblock.
  [[nodiscard]] std::size_t mostSteps() const {
    std::size_t most = 0;
    for (const std::vector<MscclBlock>& blocks : m_schedule.ranks) {
      for (const MscclBlock& block : blocks) most = std::max(most, block.steps.size());
    }
    return most;
  }

  MscclSchedule take() {
    m_schedule.channels = m_channels.size();
    return std::move(m_schedule);
  }

 private:
  void beginStep() {
    for (std::size_t rank = 0; rank < m_now.size(); ++rank) {
      if (!m_now[rank].empty()) m_before[rank].clear();
      for (const std::size_t block : m_now[rank]) {
        m_before[rank][block] = static_cast<int>(m_schedule.ranks[rank][block].steps.size()) - 1;
      }
      m_now[rank].clear();
    }
  }

  std::size_t channelOf(const RingSet& rings) { return m_channels.emplace(rings, m_channels.size()).first->second; }

  void addRound(const MscclRound& round) {
    std::vector<ChunkSet> runs;
    std::size_t most = 0;
    for (const ChunkSet& piece : round.pieces) {
      runs.push_back(cutRuns(piece));
      most = std::max(most, runs.back().size());
    }
    // A run goes all the way before the next one sets out, so that nobody sends two ahead of what it receives.
    for (std::size_t run = 0; run < most; ++run) {
      std::vector<const ChunkRange*> ranges;
      for (const ChunkSet& piece : runs) ranges.push_back(run < piece.size() ? &piece[run] : nullptr);
      switch (round.collective) {
        case Collective::AllReduce:
        case Collective::ReduceScatter:
        case Collective::AllGather:
          addTurn(round, ranges);
          break;
        case Collective::Reduce:
        case Collective::Broadcast:
          addChain(round, *ranges[0]);
          break;
      }
    }
  }

  /// Once or twice round a ring: of every piece what `ranges` says. A sum of piece p begins behind member p and ends
  /// with it; from there, or from its holder, the piece goes round.
  void addTurn(const MscclRound& round, const std::vector<const ChunkRange*>& ranges) {
    const std::size_t members = round.ring.size();
    const bool sums = round.collective != Collective::AllGather;
    const bool gathers = round.collective != Collective::ReduceScatter;
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

  void addChain(const MscclRound& round, const ChunkRange& range) {
    const bool sums = round.collective == Collective::Reduce;
    addStep(round.ring, 0, "s", range);
    for (std::size_t member = 1; member + 1 < round.ring.size(); ++member) {
      addStep(round.ring, member, sums ? "rrs" : "rcs", range);
    }
    addStep(round.ring, round.ring.size() - 1, sums ? "rrc" : "r", range);
  }

  void addStep(const MscclRing& ring, std::size_t member, std::string_view type, const ChunkRange& range) {
    const std::size_t rank = ring[member];
    const std::size_t index = blockOf(rank);
    const auto neighbour = [&](std::size_t by) { return static_cast<std::int64_t>(ring[(member + by) % ring.size()]); };
    MscclBlock& block = m_schedule.ranks[rank][index];
    if (type.back() == 's') block.send = neighbour(1);
    if (type.front() == 'r') block.receive = neighbour(ring.size() - 1);
    MscclStep step{type, range.from, range.to - range.from};
    if (m_now[rank].insert(index).second) waitForOthers(rank, index, step);
    block.steps.push_back(step);
  }

  /// Lets the step wait for all that the rank did in its latest step of the program. A step waits for one other; for
  /// more there are steps before it that do nothing else.
  void waitForOthers(std::size_t rank, std::size_t index, MscclStep& step) {
    std::vector<MscclBlock>& blocks = m_schedule.ranks[rank];
    for (const auto& [other, last] : m_before[rank]) {
      if (other == index) continue;
      if (step.block >= 0) {
        blocks[index].steps.push_back({"nop", 0, 0, step.block, step.step});
      }
      step.block = static_cast<int>(other);
      step.step = last;
      blocks[other].steps[static_cast<std::size_t>(last)].awaited = true;
    }
  }

  std::size_t blockOf(std::size_t rank) {
    std::vector<MscclBlock>& blocks = m_schedule.ranks[rank];
    const auto found =
        std::find_if(blocks.begin(), blocks.end(), [&](const MscclBlock& block) { return block.channel == m_channel; });
    if (found != blocks.end()) return static_cast<std::size_t>(found - blocks.begin());
    blocks.push_back({m_channel, -1, -1, {}});
    return blocks.size() - 1;
  }

  MscclSchedule m_schedule;
  std::map<RingSet, std::size_t> m_channels;
  std::vector<std::map<std::size_t, int>> m_before;  // by rank, threadblocks of its latest step, and where they ended
  std::vector<std::set<std::size_t>> m_now;          // by rank, threadblocks of the step that is being added
  std::size_t m_channel = 0;
};

Error tooMuch(std::size_t count, const std::string& of, std::size_t most) {
  return Error{"MSCCL takes at most " + std::to_string(most) + " " + of + ", and this program needs " +
                   std::to_string(count) + "; use comm-split, or a program of smaller groups",
               {},
               ErrorKind::TooLarge};
}

}  // namespace

Result<MscclSchedule> mscclSchedule(const Plan& plan) {
  P2_TRY_ASSIGN(const auto rounds, mscclRounds(plan));
  const std::size_t ranks = plan.reductionGroups()[0].size();
  if (ranks > kMostMscclRanks) return tooMuch(ranks, "ranks", kMostMscclRanks);
  MscclScheduler scheduler(ranks, rounds.chunks);
  for (const std::vector<MscclRound>& step : rounds.steps) {
    for (const MscclRound& round : step) {
      const std::size_t turns = round.pieces.size() > 1 ? round.ring.size() : 1;
      if (turns > kMostMscclSteps) return tooMuch(turns, "steps in a threadblock", kMostMscclSteps);
    }
    scheduler.add(step);
    if (scheduler.mostSteps() > kMostMscclSteps) {
      return tooMuch(scheduler.mostSteps(), "steps in a threadblock", kMostMscclSteps);
    }
  }
  MscclSchedule schedule = scheduler.take();
  if (schedule.channels > kMostMscclChannels) return tooMuch(schedule.channels, "channels", kMostMscclChannels);
  return schedule;
}

}  // namespace p2
