// SPDX-License-Identifier: GPL-3.0-or-later
// Run under mpirun, one rank per GPU or one alone: every collective of the NCCL transport over all ranks, alone and in
// programs of several steps, in pieces or not, checked element by element. One CSV row per run on standard output.
//   gpu_collectives LEAST MOST PIECES REPEAT SECONDS     bytes per device; no run begins after so many seconds
// With one rank every group has one member: NCCL's calls, streams and events are the same, and every result is its
// input.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "app/runner/backends.h"
#include "app/runner/executor.h"
#include "app/runner/timing.h"
#include "runs/run_result.h"

using namespace p2;
using namespace p2::runner;

namespace {

constexpr double kMostProgramBytes = 1e8;

[[noreturn]] void fail(const std::string& sentence) {
  std::cerr << sentence << std::endl;
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

template <class T>
T valueOf(Result<T> result) {
  if (!result.ok()) fail(result.error().text());
  return std::move(result).value();
}

struct Case {
  std::string name;
  std::vector<Collective> steps;
  bool scattersFirst = false;  ///< begins with one chunk of each rank, as an AllGather does
  bool scattersLast = false;
};

const std::vector<Case>& cases() {
  using enum Collective;
  static const std::vector<Case> kCases{{"AllReduce", {AllReduce}},
                                        {"ReduceScatter", {ReduceScatter}, false, true},
                                        {"AllGather", {AllGather}, true},
                                        {"Reduce", {Reduce}},
                                        {"Broadcast", {Broadcast}},
                                        {"Scatter", {Scatter}, false, true},
                                        {"AllToAll", {AllToAll}, false, true},
                                        {"ReduceScatter; AllGather", {ReduceScatter, AllGather}},
                                        {"Reduce; Broadcast", {Reduce, Broadcast}},
                                        {"Scatter; AllGather", {Scatter, AllGather}}};
  return kCases;
}

bool scatters(Collective collective) {
  return collective == Collective::ReduceScatter || collective == Collective::Scatter;
}

/// The schedule of one rank of so many that all communicate in every step.
Schedule scheduleOf(const Case& run, int rank, int ranks) {
  Schedule schedule;
  schedule.chunks = ranks;
  const bool rooted = run.steps[0] == Collective::Broadcast || run.steps[0] == Collective::Scatter;
  for (int each = 0; each < ranks; ++each) schedule.contributors.push_back(each);
  schedule.keepsApart = run.steps[0] == Collective::AllToAll;
  schedule.beginsSummed = rooted || run.scattersFirst;
  schedule.first = run.scattersFirst ? ChunkSet{{rank, rank + 1}} : ChunkSet{{0, ranks}};
  if (rooted && rank != 0) schedule.first.clear();
  std::int64_t held = countOf(schedule.first);
  for (const Collective collective : run.steps) {
    RankStep step{collective, 0, rank, ranks, 0, held, held, {}};
    if (scatters(collective)) held = 1;
    if (collective == Collective::Reduce && rank != 0) held = 0;
    if (collective == Collective::Broadcast || collective == Collective::AllGather) held = ranks;
    step.chunksAfter = held;
    schedule.steps.push_back(step);
  }
  schedule.last = run.scattersLast ? ChunkSet{{rank, rank + 1}} : ChunkSet{{0, ranks}};
  if (run.steps.back() == Collective::Reduce && rank != 0) schedule.last.clear();
  return schedule;
}

void runCase(const Case& run, Transport& transport, double bytes, int pieces, int repeat, int rank, int ranks) {
  Executor executor = valueOf(Executor::prepare(scheduleOf(run, rank, ranks), transport));
  const auto chunkOf = [&](Element element) {
    return std::max<std::size_t>(1, std::size_t(bytes) / sizeOf(element) / std::size_t(ranks * pieces));
  };
  TimingTask task{
      MPI_COMM_WORLD, chunkOf(Element::Float32), repeat, 1, pieces, [](const Error& error) { fail(error.text()); }};
  const Timings timings = valueOf(measure(executor, transport, task, [](int, StepId) {}));
  for (const Element element : {Element::Float32, Element::Int64}) {
    task.chunk = chunkOf(element);
    const std::int64_t wrong = valueOf(countWrongElements(executor, transport, task, element));
    if (rank != 0) continue;
    const Spread seconds = spreadOf(timings.whole);
    std::printf("%s,%s,%.0f,%d,%d,%.9g,%.9g,%lld\n", run.name.c_str(),
                element == Element::Float32 ? "float32" : "int64", bytes, ranks, pieces, seconds.min, seconds.median,
                static_cast<long long>(wrong));
    std::fflush(stdout);
    if (wrong != 0) fail(run.name + ": " + std::to_string(wrong) + " wrong elements");
  }
}

/// Whether there is time for another run, as rank 0 sees it.
bool isTimeLeft(std::chrono::steady_clock::time_point end) {
  int left = std::chrono::steady_clock::now() < end ? 1 : 0;
  MPI_Bcast(&left, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return left != 0;
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 6) fail("usage: gpu_collectives LEAST MOST PIECES REPEAT SECONDS");
  const double least = std::strtod(argv[1], nullptr);
  const double most = std::strtod(argv[2], nullptr);
  const auto pieces = int(std::strtol(argv[3], nullptr, 10));
  const auto repeat = int(std::strtol(argv[4], nullptr, 10));
  if (least < 1 || pieces < 1 || repeat < 1) fail("bytes, pieces and repetitions are 1 or more");
  if (rank == 0) std::printf("program,type,bytes,ranks,pieces,min_seconds,median_seconds,wrong_elements\n");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::strtol(argv[5], nullptr, 10));
  {
    const auto transport = valueOf(makeTransport("nccl", MPI_COMM_WORLD));
    std::vector<double> sizes;
    for (double bytes = least; bytes < most; bytes *= 8) sizes.push_back(bytes);
    sizes.push_back(most);
    for (const double bytes : sizes) {
      for (const Case& run : cases()) {
        // Filling and checking vectors on the host takes seconds for the largest, so that programs stop before.
        if (run.steps.size() > 1 && bytes > kMostProgramBytes) continue;
        if (isTimeLeft(end)) runCase(run, *transport, bytes, pieces, repeat, rank, ranks);
      }
    }
  }
  MPI_Finalize();
  return 0;
}
