// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/msccl_schedule.h"

#include <algorithm>
#include <limits>
#include <optional>
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
  MscclScheduler(std::size_t ranks, char buffer) : m_buffer(buffer), m_before(ranks), m_now(ranks) {
    m_ranks.resize(ranks);
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

  /// Copies inside a rank, as a step of their own.
  void beginCopies() { beginStep(); }
  void addCopy(std::size_t rank, MscclPlace from, MscclPlace to, std::int64_t count) {
    m_channel = kNoChannel;
    for (std::int64_t done = 0; done < count; done += kMostMscclCount) {
      append(rank, {"cpy",
                    {from.buffer, from.offset + done},
                    {to.buffer, to.offset + done},
                    std::min(kMostMscclCount, count - done)});
    }
  }

  /// Steps of the longest threadblock.
  [[nodiscard]] std::size_t mostSteps() const {
    std::size_t most = 0;
    for (const std::vector<MscclBlock>& blocks : m_ranks) {
      for (const MscclBlock& block : blocks) most = std::max(most, block.steps.size());
    }
    return most;
  }

  [[nodiscard]] std::size_t channels() const { return std::max<std::size_t>(m_channels.size(), 1); }

  /// Threadblocks that do not leave their rank are on channel 0 like any other.
  std::vector<std::vector<MscclBlock>> take() {
    for (std::vector<MscclBlock>& blocks : m_ranks) {
      for (MscclBlock& block : blocks) block.channel = block.channel == kNoChannel ? 0 : block.channel;
    }
    return std::move(m_ranks);
  }

 private:
  void beginStep() {
    for (std::size_t rank = 0; rank < m_now.size(); ++rank) {
      if (!m_now[rank].empty()) m_before[rank].clear();
      for (const std::size_t block : m_now[rank]) {
        m_before[rank][block] = static_cast<int>(m_ranks[rank][block].steps.size()) - 1;
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
        case Collective::Scatter:
          addChain(round, *ranges[0]);
          break;
        case Collective::AllToAll:
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
    const std::size_t last = (round.reach > 0 ? round.reach : round.ring.size()) - 1;
    addStep(round.ring, 0, "s", range);
    for (std::size_t member = 1; member < last; ++member) addStep(round.ring, member, sums ? "rrs" : "rcs", range);
    addStep(round.ring, last, sums ? "rrc" : "r", range);
  }

  void addStep(const MscclRing& ring, std::size_t member, std::string_view type, const ChunkRange& range) {
    const auto neighbour = [&](std::size_t by) { return static_cast<std::int64_t>(ring[(member + by) % ring.size()]); };
    const MscclPlace place{m_buffer, range.from};
    MscclBlock& block = append(ring[member], {type, place, place, range.to - range.from});
    if (type.back() == 's') block.send = neighbour(1);
    if (type.front() == 'r') block.receive = neighbour(ring.size() - 1);
  }

  MscclBlock& append(std::size_t rank, MscclStep step) {
    const std::size_t index = blockOf(rank);
    if (m_now[rank].insert(index).second) waitForOthers(rank, index, step);
    m_ranks[rank][index].steps.push_back(step);
    return m_ranks[rank][index];
  }

  /// Lets the step wait for all that the rank did in its latest step of the program. A step waits for one other; for
  /// more there are steps before it that do nothing else.
  void waitForOthers(std::size_t rank, std::size_t index, MscclStep& step) {
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

  std::size_t blockOf(std::size_t rank) {
    std::vector<MscclBlock>& blocks = m_ranks[rank];
    const auto found =
        std::find_if(blocks.begin(), blocks.end(), [&](const MscclBlock& block) { return block.channel == m_channel; });
    if (found != blocks.end()) return static_cast<std::size_t>(found - blocks.begin());
    blocks.push_back({m_channel, -1, -1, {}});
    return blocks.size() - 1;
  }

  static constexpr std::size_t kNoChannel = std::numeric_limits<std::size_t>::max();

  char m_buffer;  // that the steps of the program work in
  std::vector<std::vector<MscclBlock>> m_ranks;
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

/// What MSCCL calls a goal; nothing for one that no algorithm is written for.
std::optional<std::string_view> mscclName(Collective collective) {
  switch (collective) {
    case Collective::AllReduce:
      return "allreduce";
    case Collective::ReduceScatter:
      return "reducescatter";
    case Collective::AllGather:
      return "allgather";
    case Collective::Reduce:
      return "reduce";
    case Collective::Broadcast:
      return "broadcast";
    case Collective::Scatter:
      return "scatter";
    case Collective::AllToAll:
      break;
  }
  return std::nullopt;
}

/// Where the chunks of the vector lie in a buffer that has each rank's part in the place of its rank, or the whole of a
/// single rank's alone: copies to and from the scratch buffer.
class MscclCopies {
 public:
  MscclCopies(const MscclRounds& rounds, bool inParts) : m_rounds(rounds), m_inParts(inParts) {}

  /// Into the scratch buffer, of what a rank holds at first.
  void load(MscclScheduler& scheduler) const {
    scheduler.beginCopies();
    for (std::size_t rank = 0; rank < m_rounds.before.size(); ++rank) {
      const std::int64_t held = countOf(m_rounds.before[rank]);
      if (m_inParts && held == m_rounds.chunks) {
        // The part that a rank shall have lies in its place, whatever the chunks of it are called.
        std::int64_t at = 0;
        for (const ChunkSet& part : m_rounds.after) at = copy(scheduler, rank, 'i', at, part);
      } else {
        copy(scheduler, rank, 'i', 0, m_rounds.before[rank]);
      }
    }
  }

  /// Out of it, of what a rank shall hold at last.
  void store(MscclScheduler& scheduler) const {
    scheduler.beginCopies();
    for (std::size_t rank = 0; rank < m_rounds.after.size(); ++rank)
      copy(scheduler, rank, 'o', 0, m_rounds.after[rank]);
  }

 private:
  /// The set's chunks side by side from `at` on in the buffer i or o; where the next would be.
  static std::int64_t copy(MscclScheduler& scheduler, std::size_t rank, char buffer, std::int64_t at,
                           const ChunkSet& set) {
    for (const ChunkRange& range : set) {
      const MscclPlace outside{buffer, at};
      const MscclPlace scratch{'s', range.from};
      scheduler.addCopy(rank, buffer == 'i' ? outside : scratch, buffer == 'i' ? scratch : outside,
                        range.to - range.from);
      at += range.to - range.from;
    }
    return at;
  }

  const MscclRounds& m_rounds;
  bool m_inParts;
};

Result<void> addProgram(MscclScheduler& scheduler, const MscclRounds& rounds) {
  for (const std::vector<MscclRound>& step : rounds.steps) {
    for (const MscclRound& round : step) {
      const std::size_t turns = round.pieces.size() > 1 ? round.ring.size() : 1;
      if (turns > kMostMscclSteps) return tooMuch(turns, "steps in a threadblock", kMostMscclSteps);
    }
    scheduler.add(step);
    if (scheduler.mostSteps() > kMostMscclSteps) break;
  }
  return {};
}

std::int64_t mostHeld(const std::vector<ChunkSet>& held) {
  std::int64_t most = 0;
  for (const ChunkSet& set : held) most = std::max(most, countOf(set));
  return most;
}

}  // namespace

Result<MscclSchedule> mscclSchedule(const Plan& plan) {
  const Goal& goal = plan.workspace().options.goal;
  const auto name = mscclName(goal.flat);
  if (!name) return Error{"no MSCCL algorithm is written for " + std::string(goal.name) + "; use comm-split"};
  P2_TRY_ASSIGN(const auto rounds, mscclRounds(plan));
  const std::size_t ranks = rounds.before.size();
  if (ranks > kMostMscclRanks) return tooMuch(ranks, "ranks", kMostMscclRanks);
  if (rounds.chunks > kMostMscclChunks) {
    return tooMuch(static_cast<std::size_t>(rounds.chunks), "chunks", static_cast<std::size_t>(kMostMscclChunks));
  }
  const bool inPlace = goal.flat == Collective::AllReduce;
  MscclScheduler scheduler(ranks, inPlace ? 'i' : 's');
  const MscclCopies copies(rounds, goal.after.chunks == Distribution::Chunks::OneEach);
  if (!inPlace) copies.load(scheduler);
  P2_TRY(addProgram(scheduler, rounds));
  if (!inPlace) copies.store(scheduler);
  if (scheduler.mostSteps() > kMostMscclSteps) {
    return tooMuch(scheduler.mostSteps(), "steps in a threadblock", kMostMscclSteps);
  }
  if (scheduler.channels() > kMostMscclChannels) return tooMuch(scheduler.channels(), "channels", kMostMscclChannels);
  return MscclSchedule{*name,
                       rounds.chunks,
                       mostHeld(rounds.before),
                       mostHeld(rounds.after),
                       inPlace ? 0 : rounds.chunks,
                       scheduler.channels(),
                       scheduler.take()};
}

}  // namespace p2
