// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

#include "training/framework_placements.h"
#include "training/planner.h"
#include "workload/generate/training_recipe.h"
#include "workspace/workspace.h"

// The planner's whole search, placements and their prices included, on one core.
namespace {

/// `goal`: seconds on one core that the search is to take at most.
void planned(benchmark::State& state, const char* model, const char* system, std::int64_t batch, std::int64_t sequence,
             double goal) {
  p2::TrainingQuestion question;
  question.model = p2::resolved(p2::bundledRecipe(model).value().model);
  question.system = p2::systemFromArgument(system).value();
  question.batch = batch;
  question.sequence = sequence;
  question.frameworks.assign(p2::trainingFrameworks().begin(), p2::trainingFrameworks().end());
  std::int64_t considered = 0;
  for (auto _ : state) {
    const p2::TrainingPlacements placements = p2::trainingPlacements(question.model, question.system);
    const auto answer = p2::planTraining(question, placements.orders, {}, {}, placements.rankFiles);
    if (!answer.ok()) {
      std::fprintf(stderr, "%s\n", answer.error().text().c_str());
      std::abort();
    }
    considered = answer->considered;
  }
  state.counters["considered"] = static_cast<double>(considered);
  state.counters["goal_s"] = goal;
}

BENCHMARK_CAPTURE(planned, llama3_70b_128, "llama3-70b", "dgx-h100:16", 512, 4096, 0.3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(planned, gpt3_1024, "gpt3-175b", "dgx-h100:128", 1536, 2048, 1.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(planned, llama3_405b_16384, "llama3-405b", "dgx-h100:2048", 2048, 8192, 5.0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(planned, deepseek_2048, "deepseek-v3", "dgx-h100:256", 4096, 4096, 5.0)
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
