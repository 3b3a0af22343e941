// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include "explore/sweep_map.h"
#include "workspace/presets.h"

// What one move of a slider asks for: a link's bandwidth is another, and the whole sweep of sixty sizes over all
// placements, or the map of them, is found anew, from the system to the crossovers.
namespace {

p2::Workspace asked(const char* system, const char* axes, const char* reduce) {
  p2::Workspace workspace;
  workspace = p2::withSystem(std::move(workspace), p2::parseSystem(system).value());
  workspace.axes = p2::withReduction(p2::parseAxes(axes).value(), reduce).value();
  return workspace;
}

p2::Workspace withNccl(p2::Workspace workspace) {
  workspace.options.cost.model = "nccl";
  workspace.options.cost.algorithm = p2::Algorithm::Auto;
  return workspace;
}

template <class Find>
void moved(benchmark::State& state, const p2::Workspace& workspace, const Find& find) {
  p2::Workspace changed = workspace;
  double factor = 1;
  for (auto _ : state) {
    factor = factor > 4 ? 0.25 : factor * 1.07;
    changed.system.levels[0].interconnect.bandwidth = workspace.system.levels[0].interconnect.bandwidth * factor;
    benchmark::DoNotOptimize(find(changed));
  }
  state.SetLabel(workspace.options.cost.model);
}

void sliderOnCurves(benchmark::State& state, const char* system, const char* axes, const char* reduce) {
  moved(state, asked(system, axes, reduce), [](const p2::Workspace& each) { return p2::sweep(each, {}).value(); });
}
void sliderOnMap(benchmark::State& state, const char* system, const char* axes, const char* reduce) {
  moved(state, asked(system, axes, reduce), [](const p2::Workspace& each) { return p2::sweepMap(each, {}).value(); });
}

// All algorithms and protocols in every step.
void sliderUnderNccl(benchmark::State& state, const char* system, const char* axes, const char* reduce) {
  moved(state, withNccl(asked(system, axes, reduce)),
        [](const p2::Workspace& each) { return p2::sweep(each, {}).value(); });
}

BENCHMARK_CAPTURE(sliderOnCurves, a100_two_axes, "gcp-a100:4", "4,16", "0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderOnCurves, a100_three_axes, "gcp-a100:4", "8,2,4", "0,2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderOnCurves, v100_two_axes, "gcp-v100:4", "4,8", "0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderOnCurves, v100_three_axes, "gcp-v100:4", "8,2,2", "0,2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderUnderNccl, a100_two_axes, "gcp-a100:4", "4,16", "0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderUnderNccl, a100_three_axes, "gcp-a100:4", "8,2,4", "0,2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderUnderNccl, v100_two_axes, "gcp-v100:4", "4,8", "0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderUnderNccl, v100_three_axes, "gcp-v100:4", "8,2,2", "0,2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderOnMap, a100_three_axes, "gcp-a100:4", "8,2,4", "0,2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderOnMap, v100_three_axes, "gcp-v100:4", "8,2,2", "0,2")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
