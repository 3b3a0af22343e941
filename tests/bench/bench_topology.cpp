// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include "cost/simulator.h"
#include "workspace/presets.h"

// Systems whose links are listed one by one: checking them with and without that list, and one step over all their
// devices, every route searched for (cold) or known (warm).
namespace {

p2::ValidSystem systemOf(const char* preset) { return p2::validated(p2::parseSystem(preset).value()).value(); }

/// All devices in that many groups: of neighbours, or each spread over the whole system.
p2::LoweredStep stepOver(const p2::System& system, std::int64_t groups, bool apart) {
  p2::LoweredStep step{p2::Collective::AllReduce, {}};
  const std::int64_t members = system.deviceCount() / groups;
  for (std::int64_t g = 0; g < groups; ++g) {
    p2::LoweredGroup group;
    for (std::int64_t m = 0; m < members; ++m) group.devices.emplace_back(apart ? m * groups + g : g * members + m);
    group.before = group.after = std::vector<double>(group.devices.size(), 1.0);
    step.groups.push_back(std::move(group));
  }
  return step;
}

void layOut(benchmark::State& state, const char* preset) {
  const p2::ValidSystem system = systemOf(preset);
  for (auto _ : state) benchmark::DoNotOptimize(p2::validated(*system).ok());
}

/// What a keystroke costs on the thread that draws: all that is checked without a list of links.
void checkedParts(benchmark::State& state, const char* preset) {
  const p2::ValidSystem system = systemOf(preset);
  for (auto _ : state) benchmark::DoNotOptimize(p2::checkParts(*system).ok());
}

void coldStep(benchmark::State& state, const char* preset, bool apart) {
  const p2::ValidSystem system = systemOf(preset);
  const p2::LoweredStep step = stepOver(system, 8, apart);
  for (auto _ : state) {
    state.PauseTiming();
    const p2::Topology topology(system);
    state.ResumeTiming();
    benchmark::DoNotOptimize(p2::simulateStep(topology, step, {}).seconds);
  }
}

void warmStep(benchmark::State& state, const char* preset, bool apart) {
  const p2::ValidSystem system = systemOf(preset);
  const p2::LoweredStep step = stepOver(system, 8, apart);
  const p2::Topology topology(system);
  benchmark::DoNotOptimize(p2::simulateStep(topology, step, {}).seconds);
  for (auto _ : state) benchmark::DoNotOptimize(p2::simulateStep(topology, step, {}).seconds);
}

#define P2_SYSTEM(name, preset)                                                           \
  BENCHMARK_CAPTURE(layOut, name, preset)->Unit(benchmark::kMillisecond);                 \
  BENCHMARK_CAPTURE(checkedParts, name, preset)->Unit(benchmark::kMillisecond);           \
  BENCHMARK_CAPTURE(coldStep, name, preset, false)->Unit(benchmark::kMillisecond);        \
  BENCHMARK_CAPTURE(coldStep, name##_apart, preset, true)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(warmStep, name##_apart, preset, true)->Unit(benchmark::kMillisecond)

P2_SYSTEM(dgx_1024, "dgx-h100:128");
P2_SYSTEM(v100_1024, "gcp-v100:128");
P2_SYSTEM(tpu_1024, "tpu-v4:64");
P2_SYSTEM(dgx_4096, "dgx-h100:512");
P2_SYSTEM(v100_4096, "gcp-v100:512");
P2_SYSTEM(tpu_4096, "tpu-v4:256");

}  // namespace

BENCHMARK_MAIN();
