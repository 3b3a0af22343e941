// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/msccl_schedule.h"

#include <algorithm>
#include <cctype>

#include "collective/collective_traits.h"
#include "exporters/detail/msccl_rounds.h"
#include "exporters/detail/msccl_scheduler.h"

namespace p2::inline exporters {
namespace {

Error tooMuch(std::size_t count, const std::string& of, std::size_t most) {
  return Error{"MSCCL takes at most " + std::to_string(most) + " " + of + ", and this program needs " +
                   std::to_string(count) + "; use comm-split, or a program of smaller groups",
               {},
               ErrorKind::TooLarge};
}

/// MSCCL's name of a collective: "allreduce".
std::string mscclName(Collective collective) {
  std::string name(nameOf(collective));
  for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return name;
}

/// Places of the vector's chunks in a buffer that has each rank's part in the place of its rank, or the whole of a
/// single rank's alone: copies to and from the scratch buffer.
class MscclCopies {
 public:
  MscclCopies(const MscclRounds& rounds, const Goal& goal)
      : m_rounds(rounds),
        m_inParts(goal.after.chunks == Distribution::Chunks::OneEach),
        m_apart(traitsOf(goal.single).keepsApart) {}

  /// Copies a rank's input into the scratch buffer.
  void load(MscclScheduler& scheduler) const {
    scheduler.beginCopies();
    for (std::size_t rank = 0; rank < m_rounds.before.size(); ++rank) {
      const std::int64_t held = countOf(m_rounds.before[rank]);
      if (m_apart) {
        // The block for each rank in turn: of the chunk that it ends with, from this rank.
        std::int64_t at = 0;
        const auto source = static_cast<std::int64_t>(rank);
        for (const ChunkSet& part : m_rounds.after) {
          const std::int64_t block = part[0].from + source;
          at = copy(scheduler, rank, 'i', at, {{block, block + 1}});
        }
      } else if (m_inParts && held == m_rounds.chunks) {
        // The part that a rank shall have is in its place, for every naming of its chunks.
        std::int64_t at = 0;
        for (const ChunkSet& part : m_rounds.after) at = copy(scheduler, rank, 'i', at, part);
      } else {
        copy(scheduler, rank, 'i', 0, m_rounds.before[rank]);
      }
    }
  }

  /// Copies a rank's result out of it.
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
  bool m_apart;
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
  const bool apart = traitsOf(goal.single).keepsApart;
  const std::size_t ranks = plan.reductionGroups().empty() ? 0 : plan.reductionGroups()[0].size();
  if (!scatteredAxes(plan.workspace().axes).empty()) {
    return Error{
        "MSCCL has no collective that leaves replicas of every shard; use comm-split, or the degrees of a "
        "framework that runs it"};
  }
  // Checked before the rounds are made: an AllToAll has a block for any two ranks.
  if (ranks > kMostMscclRanks) return tooMuch(ranks, "ranks", kMostMscclRanks);
  if (apart && ranks * ranks > static_cast<std::size_t>(kMostMscclChunks)) {
    return tooMuch(ranks * ranks, "chunks", static_cast<std::size_t>(kMostMscclChunks));
  }
  P2_TRY_ASSIGN(const auto rounds, mscclRounds(plan));
  if (rounds.chunks > kMostMscclChunks) {
    return tooMuch(static_cast<std::size_t>(rounds.chunks), "chunks", static_cast<std::size_t>(kMostMscclChunks));
  }
  const bool inPlace = goal.single == Collective::AllReduce;
  MscclScheduler scheduler(ranks, inPlace ? 'i' : 's');
  const MscclCopies copies(rounds, goal);
  if (!inPlace) copies.load(scheduler);
  P2_TRY(addProgram(scheduler, rounds));
  if (!inPlace) copies.store(scheduler);
  if (scheduler.mostSteps() > kMostMscclSteps) {
    return tooMuch(scheduler.mostSteps(), "steps in a threadblock", kMostMscclSteps);
  }
  if (apart) scheduler.shareChannels();
  if (scheduler.channels() > kMostMscclChannels) return tooMuch(scheduler.channels(), "channels", kMostMscclChannels);
  return MscclSchedule{
      mscclName(goal.single),      rounds.chunks,        mostHeld(rounds.before), mostHeld(rounds.after),
      inPlace ? 0 : rounds.chunks, scheduler.channels(), scheduler.take()};
}

}  // namespace p2::inline exporters
