// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/timing.h"

#include <numeric>

#include "app/runner/probe_values.h"

namespace p2::runner {
namespace {

struct Ranks {
  int own = 0;
  int all = 1;
};

Ranks ranksOf(MPI_Comm world) {
  Ranks ranks;
  MPI_Comm_rank(world, &ranks.own);
  MPI_Comm_size(world, &ranks.all);
  return ranks;
}

/// The seconds of each step, or of all of them where they overlap.
Result<std::vector<double>> runOnce(Executor& executor, Transport& transport, const TimingTask& what,
                                    const std::function<void(StepId step)>& observer) {
  const std::int64_t steps = std::ssize(executor.schedule().steps);
  const auto begin = [&] {
    MPI_Barrier(what.world);
    return transport.mark();
  };
  if (what.pieces > 1) {
    P2_TRY(PieceFlow(executor, what.pieces, what.chunk, what.giveUp).run(begin));
    P2_TRY(transport.mark());
    observer(StepId(steps - 1));
    return transport.takeMarks();
  }
  P2_TRY(begin());
  for (const StepId step : IdRange<StepId>(steps)) {
    P2_TRY(executor.run(step, 0, what.chunk));
    P2_TRY(transport.mark());
    observer(step);
  }
  return transport.takeMarks();
}

VectorPart partOf(const ChunkSet& chunks, const TimingTask& what, int piece) {
  return {chunks, what.chunk, std::size_t(what.pieces), std::size_t(piece)};
}

ProbeValues valuesFor(const Schedule& schedule, const Ranks& ranks, const TimingTask& what) {
  return ProbeValues(ranks.all, std::size_t(schedule.chunks) * what.chunk * std::size_t(what.pieces));
}

/// A rank's input, whichever part of the vector it is.
std::vector<std::int64_t> startValues(const Schedule& schedule, const Ranks& ranks, Element element,
                                      const TimingTask& what) {
  const ProbeValues values = valuesFor(schedule, ranks, what);
  return schedule.beginsSummed ? values.sums(schedule.contributors, element) : values.of(ranks.own, element);
}

/// How many elements of all pieces differ from a rank's right result.
std::int64_t wrongAtEnd(const Schedule& schedule, const std::vector<std::vector<std::byte>>& pieces, const Ranks& ranks,
                        Element element, const TimingTask& what) {
  const ProbeValues values = valuesFor(schedule, ranks, what);
  const std::size_t blocks = schedule.keepsApart ? schedule.contributors.size() : 1;
  std::int64_t wrong = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto expected = schedule.keepsApart ? values.of(schedule.contributors[block], element)
                                              : values.sums(schedule.contributors, element);
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
      const VectorPart last = partOf(schedule.last, what, int(piece));
      if (blocks == 1) {
        wrong += countWrong(pieces[piece], expected, element, last);
        continue;
      }
      const auto bytes = static_cast<std::ptrdiff_t>(last.elements() * sizeOf(element));
      const auto from = pieces[piece].begin() + std::ptrdiff_t(block) * bytes;
      wrong += countWrong({from, from + bytes}, expected, element, last);
    }
  }
  return wrong;
}

/// The largest over all ranks, element by element, on rank 0.
std::vector<double> slowest(std::vector<double> seconds, MPI_Comm world) {
  std::vector<double> all(seconds.size());
  MPI_Reduce(seconds.data(), all.data(), int(seconds.size()), MPI_DOUBLE, MPI_MAX, 0, world);
  return all;
}

}  // namespace

Result<Timings> measure(Executor& executor, Transport& transport, const TimingTask& what,
                        const StepObserver& observer) {
  const Schedule& schedule = executor.schedule();
  const std::size_t steps = what.pieces > 1 ? 0 : schedule.steps.size();
  const auto values = startValues(schedule, ranksOf(what.world), Element::Float32, what);
  std::vector<std::vector<std::byte>> start;  // of each piece
  for (int piece = 0; piece < what.pieces; ++piece) {
    start.push_back(spread(values, Element::Float32, partOf(schedule.first, what, piece)));
  }
  P2_TRY(transport.reserve(Element::Float32, what.pieces, executor.pieceSize(what.chunk)));
  std::vector<double> seconds;  // repetition by repetition, each its whole and then its steps
  for (int repetition = -what.warmup; repetition < what.repeat; ++repetition) {
    for (int piece = 0; piece < what.pieces; ++piece) {
      const auto& vector = start[std::size_t(piece)];
      P2_TRY(transport.load(piece, vector.data(), vector.size() / sizeOf(Element::Float32)));
    }
    const auto observe = [&](StepId step) { observer(repetition, step); };
    P2_TRY_ASSIGN(const auto times, runOnce(executor, transport, what, observe));
    if (repetition < 0) continue;
    seconds.push_back(std::accumulate(times.begin(), times.end(), 0.0));
    if (steps > 0) seconds.insert(seconds.end(), times.begin(), times.end());
  }
  const std::vector<double> all = slowest(std::move(seconds), what.world);
  Timings timings{{}, std::vector<std::vector<double>>(steps)};
  for (std::size_t at = 0; at < all.size(); at += steps + 1) {
    timings.whole.push_back(all[at]);
    for (std::size_t step = 0; step < steps; ++step) timings.steps[step].push_back(all[at + 1 + step]);
  }
  return timings;
}

Result<std::int64_t> countWrongElements(Executor& executor, Transport& transport, const TimingTask& what,
                                        Element element) {
  const Ranks ranks = ranksOf(what.world);
  const Schedule& schedule = executor.schedule();
  P2_TRY(transport.reserve(element, what.pieces, executor.pieceSize(what.chunk)));
  const auto values = startValues(schedule, ranks, element, what);
  for (int piece = 0; piece < what.pieces; ++piece) {
    const VectorPart first = partOf(schedule.first, what, piece);
    P2_TRY(transport.load(piece, spread(values, element, first).data(), first.elements()));
  }
  P2_TRY(runOnce(executor, transport, what, [](StepId) {}));
  const std::size_t blocks = schedule.keepsApart ? schedule.contributors.size() : 1;
  std::vector<std::vector<std::byte>> ended;
  for (int piece = 0; piece < what.pieces; ++piece) {
    const std::size_t elements = blocks * partOf(schedule.last, what, piece).elements();
    P2_TRY(transport.store(piece, ended.emplace_back(elements * sizeOf(element)).data(), elements));
  }
  const std::int64_t wrong = wrongAtEnd(schedule, ended, ranks, element, what);
  std::int64_t all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT64_T, MPI_SUM, what.world);
  return all;
}

}  // namespace p2::runner
