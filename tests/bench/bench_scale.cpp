// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <string>

#include "explore/explore.h"
#include "explore/sweep.h"
#include "synthesis/program_count.h"
#include "workspace/presets.h"

// Systems whose size must not matter: the ten best programs over all placements. And every program of five and six
// levels, counted.
namespace {

void bestTen(benchmark::State& state, const char* system, const char* axes, const char* reduce) {
  p2::Workspace workspace;
  workspace.system = p2::parseSystem(system).value();
  workspace.axes = p2::withReduction(p2::parseAxes(axes).value(), reduce).value();
  p2::ExploreScope scope;
  scope.bestOverall = 10;
  scope.programsPerPlacement = 10;
  std::size_t placements = 0;
  for (auto _ : state) placements = p2::exploreWorkspace(workspace, scope).value()->placements.size();
  state.counters["devices"] = static_cast<double>(workspace.system.deviceCount());
  state.counters["placements"] = static_cast<double>(placements);
  state.counters["per placement"] = benchmark::Counter(
      static_cast<double>(placements), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(bestTen, sixteen_devices, "a:2 b:2 c:2 d:2", "4,4", "0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bestTen, pods_two_axes, "pod:16 rack:16 node:16 gpu:16", "256,256", "0")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bestTen, pods_three_axes, "pod:16 rack:16 node:16 gpu:16", "64,32,32", "0,2")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bestTen, million_six_levels, "a:10 b:10 c:10 d:10 e:10 f:10", "1000,1000", "0")
    ->Unit(benchmark::kMillisecond);

// Rails and a spine: every link listed, every route searched for.
BENCHMARK_CAPTURE(bestTen, rails_16384, "dgx-h100:2048", "2048,8", "0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bestTen, rails_65536, "dgx-h100:8192", "8192,8", "0")->Unit(benchmark::kMillisecond);

// Goal: under 2 s, and an AllToAll over all members.
BENCHMARK_CAPTURE(bestTen, rails_65536_three_axes, "dgx-h100:8192", "64,128,8", "0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bestTen, racks_of_rails_65536, "dgx-h100-racks:1024", "64,128,8", "0")->Unit(benchmark::kMillisecond);

void allToAll(benchmark::State& state, const char* system, const char* axes) {
  p2::Workspace workspace;
  workspace.system = p2::parseSystem(system).value();
  workspace.axes = p2::withReduction(p2::parseAxes(axes).value(), "0").value();
  workspace.options.goal = p2::kAllToAllGoal;
  p2::ExploreScope scope;
  scope.bestOverall = 1;
  for (auto _ : state) benchmark::DoNotOptimize(p2::exploreWorkspace(workspace, scope).value()->bestPlacement);
}

/// Every preset at 65,536 devices, or as near as whole nodes come: the best of all placements of three axes. Goal:
/// under 2 s.
void preset(benchmark::State& state, const std::string& name) {
  constexpr std::int64_t kDevices = 65536;
  constexpr std::int64_t kFirstAxis = 64;
  p2::Workspace workspace;
  const std::int64_t each = p2::presetSystem(name, 2).value().deviceCount() / 2;
  workspace.system = p2::presetSystem(name, kDevices / each).value();
  const std::int64_t devices = workspace.system.deviceCount();
  const std::int64_t inside = std::max<std::int64_t>(p2::devicesPerNode(workspace.system), 2);
  std::int64_t first = kFirstAxis;
  while (devices / inside % first != 0) --first;
  const std::string axes =
      std::to_string(first) + "," + std::to_string(devices / inside / first) + "," + std::to_string(inside);
  workspace.axes = p2::withReduction(p2::parseAxes(axes).value(), "0").value();
  p2::ExploreScope scope;
  scope.bestOverall = 1;
  for (auto _ : state) benchmark::DoNotOptimize(p2::exploreWorkspace(workspace, scope).value()->bestPlacement);
  state.counters["devices"] = static_cast<double>(devices);
}

BENCHMARK_CAPTURE(allToAll, rails_65536, "dgx-h100:8192", "65536")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(allToAll, torus_65536, "tpu-v4:4096", "65536")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(allToAll, torus_65536_two_axes, "tpu-v4:4096", "4096,16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(allToAll, torus_65536_three_axes, "tpu-v4:4096", "64,64,16")->Unit(benchmark::kMillisecond);

// One placement whose reduction spans all four levels: small factors against large ones.
BENCHMARK_CAPTURE(bestTen, whole_2x2x2x2, "a:2 b:2 c:2 d:2", "16", "0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bestTen, whole_16x16x16x16, "a:16 b:16 c:16 d:16", "65536", "0")->Unit(benchmark::kMillisecond);

// Sixty sizes with their crossovers, over all placements of as many devices.
void sixtySizes(benchmark::State& state, const char* system, const char* axes, const char* reduce, const char* model) {
  p2::Workspace workspace;
  workspace.system = p2::parseSystem(system).value();
  workspace.axes = p2::withReduction(p2::parseAxes(axes).value(), reduce).value();
  workspace.options.cost.model = model;
  workspace.options.cost.algorithm = p2::Algorithm::Auto;
  std::size_t crossovers = 0;
  for (auto _ : state) crossovers = p2::sweep(workspace, {}).value()->crossovers.size();
  state.counters["devices"] = static_cast<double>(workspace.system.deviceCount());
  state.counters["crossovers"] = static_cast<double>(crossovers);
}

BENCHMARK_CAPTURE(sixtySizes, pods_paper, "pod:16 rack:16@25GB/s,5us node:16@50GB/s,3us gpu:16@200GB/s,1us", "256,256",
                  "0", "paper")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sixtySizes, pods_nccl, "pod:16 rack:16@25GB/s,5us node:16@50GB/s,3us gpu:16@200GB/s,1us", "256,256",
                  "0", "nccl")
    ->Unit(benchmark::kMillisecond);

// The label lists the programs of at most 1, 2, … steps.
void countBySize(benchmark::State& state, std::size_t levels, p2::RuleSet rules) {
  std::vector<p2::Count> counts;
  for (auto _ : state) {
    counts = p2::countPrograms(std::vector<std::int64_t>(levels, 2), rules, p2::kMostSizeLimit).value();
  }
  std::string label;
  for (std::size_t i = 0; i < counts.size() && (i == 0 || counts[i] > counts[i - 1]); ++i) {
    label += (i == 0 ? "" : " ") + counts[i].toString();
  }
  state.SetLabel(label);
}

BENCHMARK_CAPTURE(countBySize, five_levels_paper, 5, p2::RuleSet::Paper)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(countBySize, six_levels_paper, 6, p2::RuleSet::Paper)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(countBySize, five_levels_all, 5, p2::RuleSet::All)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(countBySize, six_levels_all, 6, p2::RuleSet::All)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const p2::Preset& each : p2::presets()) {
    benchmark::RegisterBenchmark(("preset/" + each.name).c_str(),
                                 [name = each.name](benchmark::State& state) { preset(state, name); })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
