// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes to say everything about the next step of a program: 64 devices in two, three and four levels, and
// 1,024 by kinds. Argument: the steps that have run. Under the rule set `all` some next steps are dead ends, and saying
// why is part of the time.
#include <benchmark/benchmark.h>

#include "explore/composition.h"
#include "workspace/presets.h"

namespace {

struct Ground {
  explicit Ground(const char* text, p2::RuleSet rules = p2::RuleSet::Paper) {
    workspace.options.rules = rules;
    workspace.system = p2::parseSystem(text).value();
    workspace.axes = {{"data", workspace.system.deviceCount(), true}};
    p2::ExploreScope scope;
    scope.programsPerPlacement = 1;
    exploration = p2::exploreWorkspace(workspace, scope).value();
    guide = p2::guideOf(*exploration, 0).value();
  }
  p2::Workspace workspace;
  std::shared_ptr<const p2::Exploration> exploration;
  std::shared_ptr<const p2::ProgramGuide> guide;
};

void nextSteps(benchmark::State& state, const char* system, p2::RuleSet rules) {
  const Ground ground(system, rules);
  const auto& result = ground.exploration->placements[0];
  const p2::Placement placement(ground.workspace.axes, result.matrix);
  p2::Program program = result.programs[0].program;
  const auto steps = std::min<std::size_t>(program.size(), static_cast<std::size_t>(state.range(0)));
  program.resize(steps);
  const auto trace = p2::ProgramTrace::run(placement, *result.hierarchy, program, rules).value();
  std::size_t dead = 0;
  std::size_t all = 0;
  for (auto _ : state) {
    const p2::NextSteps next = ground.guide->after(trace, static_cast<int>(steps));
    all = next.steps.size();
    dead = 0;
    for (const p2::NextStep& step : next.steps) dead += step.deadEnd ? 1 : 0;
  }
  state.counters["instructions"] = static_cast<double>(all);
  state.counters["dead_ends"] = static_cast<double>(dead);
}

/// Once per placement: the graph of all ways to the goal, priced.
void guideOnce(benchmark::State& state, const char* system) {
  const Ground ground(system);
  for (auto _ : state) benchmark::DoNotOptimize(p2::guideOf(*ground.exploration, 0));
}

BENCHMARK_CAPTURE(nextSteps, 4x16, "node:4 gpu:16", p2::RuleSet::Paper)
    ->DenseRange(0, 2)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nextSteps, 4x4x4, "rack:4 node:4 gpu:4", p2::RuleSet::Paper)
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nextSteps, 4x4x4_all, "rack:4 node:4 gpu:4", p2::RuleSet::All)
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nextSteps, 2x2x4x4, "pod:2 rack:2 node:4 gpu:4", p2::RuleSet::Paper)
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nextSteps, 32x32, "node:32 gpu:32", p2::RuleSet::Paper)
    ->DenseRange(0, 2)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(guideOnce, 4x16, "node:4 gpu:16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(guideOnce, 2x2x4x4, "pod:2 rack:2 node:4 gpu:4")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
