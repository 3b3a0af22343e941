// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

#include "cost/cost_model.h"
#include "step/step_pricer.h"
#include "workspace/presets.h"

// Whole training steps on large systems, from the system to the ranking, and one move of a slider on 256 devices.
namespace {

using p2::CommunicationKind;
using p2::CommunicationOverlap;

p2::WorkloadEntry entryOf(std::vector<std::string> axes, CommunicationKind kind, std::int64_t bytes, std::int64_t count,
                          bool overlaps) {
  p2::WorkloadEntry entry;
  entry.name = "entry";
  entry.axes = std::move(axes);
  entry.kind = kind;
  entry.bytes = bytes;
  entry.count = count;
  if (overlaps) entry.overlap.extent = CommunicationOverlap::Extent::Compute;
  return entry;
}

p2::StepQuestion questionOf(const char* system, const char* axes, std::vector<p2::WorkloadEntry> entries,
                            const char* model) {
  p2::StepQuestion question;
  question.system = p2::parseSystem(system).value();
  question.workload.axes = p2::parseAxes(axes).value();
  question.workload.collectives = std::move(entries);
  question.options.cost.model = model;
  question.options.cost.algorithm = p2::defaultAlgorithm(model);
  return question;
}

/// Eight entries over four axes and pairs of them: all kinds that frameworks use.
std::vector<p2::WorkloadEntry> eightEntries() {
  using enum CommunicationKind;
  return {entryOf({"tp"}, AllGather, 268'435'456, 6'400, false),
          entryOf({"tp"}, ReduceScatter, 268'435'456, 6'400, false),
          entryOf({"cp"}, AllGather, 67'108'864, 2'560, false),
          entryOf({"cp"}, ReduceScatter, 67'108'864, 1'280, false),
          entryOf({"dp", "cp"}, AllGather, 6'375'407'616, 1, true),
          entryOf({"dp", "cp"}, ReduceScatter, 12'750'815'232, 1, true),
          entryOf({"pp"}, Shift, 33'554'432, 1'024, true),
          entryOf({"dp"}, AllReduce, 1'048'576, 4, false)};
}

/// Llama 3 405B at 8,192 tokens on 16,384 devices: TP8 PP16 DP128.
std::vector<p2::WorkloadEntry> llama405B() {
  using enum CommunicationKind;
  return {entryOf({"tp"}, AllGather, 268'435'456, 768, false), entryOf({"tp"}, ReduceScatter, 268'435'456, 512, false),
          entryOf({"dp"}, AllGather, 6'375'407'616, 1, true), entryOf({"dp"}, ReduceScatter, 12'750'815'232, 1, true),
          entryOf({"pp"}, Shift, 33'554'432, 256, true)};
}

void ranked(benchmark::State& state, const p2::StepQuestion& question, std::size_t placements) {
  for (auto _ : state) {
    const auto ranking = p2::rankSteps(question);
    if (!ranking.ok() || (*ranking)->placements.size() != placements) {
      std::fprintf(
          stderr, "%s\n",
          ranking.ok() ? std::to_string((*ranking)->placements.size()).c_str() : ranking.error().text().c_str());
      std::abort();
    }
    benchmark::DoNotOptimize(ranking);
  }
}

void devices65536(benchmark::State& state, const char* model) {
  ranked(state, questionOf("zone:64 rack:16 node:8 gpu:8", "dp=256,pp=32,cp=2,tp=4", eightEntries(), model), 1324);
}
void devices16384(benchmark::State& state, const char* model) {
  ranked(state, questionOf("pod:8 rack:128 node:2 gpu:8", "dp=128,pp=16,tp=8", llama405B(), model), 210);
}

// Bytes and counts of one entry are dragged, of all entries in turn.
void slider(benchmark::State& state, const char* system, const char* model) {
  p2::StepQuestion question = questionOf(system, "dp=16,cp=2,pp=2,tp=4", eightEntries(), model);
  p2::StepPricer pricer;
  benchmark::DoNotOptimize(pricer.rank(question));
  std::size_t at = 0;
  for (auto _ : state) {
    p2::WorkloadEntry& entry = question.workload.collectives[at++ % question.workload.collectives.size()];
    entry.bytes += entry.bytes / 8;
    if (entry.bytes > 1'000'000'000'000) entry.bytes = 1'000'000;
    entry.count += 1;
    benchmark::DoNotOptimize(pricer.rank(question));
  }
}

BENCHMARK_CAPTURE(devices65536, paper, "paper")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(devices65536, nccl, "nccl")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(devices16384, paper, "paper")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(devices16384, nccl, "nccl")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(slider, uniform_paper, "node:32@50GB/s gpu:8@450GB/s", "paper")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(slider, uniform_nccl, "node:32@50GB/s gpu:8@450GB/s", "nccl")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(slider, listed_paper, "dgx-h100:32", "paper")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(slider, listed_nccl, "dgx-h100:32", "nccl")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
