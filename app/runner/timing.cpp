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

Result<std::vector<double>> runOnce(Executor& executor, Transport& transport, std::size_t chunk,
                                    const std::function<void(StepId step)>& observer) {
  P2_TRY(transport.mark());
  for (const StepId step : IdRange<StepId>(std::ssize(executor.schedule().steps))) {
    P2_TRY(executor.run(step, chunk));
    P2_TRY(transport.mark());
    observer(step);
  }
  return transport.takeMarks();
}

/// What a rank begins with, whichever part of the vector it is.
std::vector<std::int64_t> startValues(const Schedule& schedule, const Ranks& ranks, Element element) {
  const ProbeValues values(ranks.all);
  return schedule.beginsSummed ? values.sums(schedule.contributors, element) : values.of(ranks.own, element);
}

/// How many elements differ from what a rank is to end with.
std::int64_t wrongAtEnd(const Schedule& schedule, const std::vector<std::byte>& vector, const Ranks& ranks,
                        Element element, const VectorPart& last) {
  const ProbeValues values(ranks.all);
  if (!schedule.keepsApart) return countWrong(vector, values.sums(schedule.contributors, element), element, last);
  const auto block = static_cast<std::ptrdiff_t>(last.elements() * sizeOf(element));
  std::int64_t wrong = 0;
  auto from = vector.begin();
  for (const int contributor : schedule.contributors) {
    wrong += countWrong({from, from + block}, values.of(contributor, element), element, last);
    from += block;
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
  const std::size_t steps = executor.schedule().steps.size();
  const std::size_t size = executor.vectorSize(what.chunk);
  const Ranks ranks = ranksOf(what.world);
  const Schedule& schedule = executor.schedule();
  const VectorPart first{schedule.first, what.chunk};
  const auto start = spread(startValues(schedule, ranks, Element::Float32), Element::Float32, first);
  P2_TRY(transport.reserve(Element::Float32, size));
  std::vector<double> seconds;  // repetition by repetition, each its whole and then its steps
  for (int repetition = -what.warmup; repetition < what.repeat; ++repetition) {
    P2_TRY(transport.load(start.data(), first.elements()));
    MPI_Barrier(what.world);
    const auto observe = [&](StepId step) { observer(repetition, step); };
    P2_TRY_ASSIGN(const auto times, runOnce(executor, transport, what.chunk, observe));
    if (repetition < 0) continue;
    seconds.push_back(std::accumulate(times.begin(), times.end(), 0.0));
    seconds.insert(seconds.end(), times.begin(), times.end());
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
  const std::size_t size = executor.vectorSize(what.chunk);
  const Ranks ranks = ranksOf(what.world);
  const Schedule& schedule = executor.schedule();
  P2_TRY(transport.reserve(element, size));
  const VectorPart first{schedule.first, what.chunk};
  auto vector = spread(startValues(schedule, ranks, element), element, first);
  P2_TRY(transport.load(vector.data(), first.elements()));
  P2_TRY(runOnce(executor, transport, what.chunk, [](StepId) {}));
  const VectorPart last{schedule.last, what.chunk};
  const std::size_t blocks = schedule.keepsApart ? schedule.contributors.size() : 1;
  vector.resize(blocks * last.elements() * sizeOf(element));
  P2_TRY(transport.store(vector.data(), blocks * last.elements()));
  const std::int64_t wrong = wrongAtEnd(schedule, vector, ranks, element, last);
  std::int64_t all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT64_T, MPI_SUM, what.world);
  return all;
}

}  // namespace p2::runner
