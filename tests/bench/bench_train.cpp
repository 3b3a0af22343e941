// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "training/framework_placements.h"
#include "training/planner.h"
#include "workload/generate/training_recipe.h"
#include "workspace/workspace.h"

// The planner's whole search, placements and their prices included, on one core.
namespace {

p2::TrainingQuestion questionOf(const char* model, const char* system, std::int64_t batch, std::int64_t sequence) {
  p2::TrainingQuestion question;
  question.model = p2::resolved(p2::bundledRecipe(model).value().model);
  question.system = p2::systemFromArgument(system).value();
  question.batch = batch;
  question.sequence = sequence;
  question.frameworks = p2::frameworksOn(p2::AcceleratorPlatform::Cuda, p2::trainingFrameworks());
  return question;
}

/// `goal`: seconds on one core that the search is to take at most.
void planned(benchmark::State& state, const char* model, const char* system, std::int64_t batch, std::int64_t sequence,
             double goal) {
  const p2::TrainingQuestion question = questionOf(model, system, batch, sequence);
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

/// The longest time from a stop request to the end of the search, over requests at several times of it.
void cancelled(benchmark::State& state, const char* model, const char* system, std::int64_t batch,
               std::int64_t sequence) {
  using Clock = std::chrono::steady_clock;
  const p2::TrainingQuestion question = questionOf(model, system, batch, sequence);
  const auto search = [&question](const std::stop_token& stop) {
    const p2::TrainingPlacements placements = p2::trainingPlacements(question.model, question.system);
    benchmark::DoNotOptimize(p2::planTraining(question, placements.orders, stop, {}, placements.rankFiles));
  };
  const auto start = Clock::now();
  search({});
  const auto whole = Clock::now() - start;
  double longest = 0;
  for (auto _ : state) {
    constexpr int kTries = 12;
    for (int i = 1; i < kTries; ++i) {
      std::jthread thread(search);
      std::this_thread::sleep_for(whole * i / kTries);
      const auto asked = Clock::now();
      thread.request_stop();
      thread.join();
      longest = std::max(longest, std::chrono::duration<double>(Clock::now() - asked).count());
    }
  }
  state.counters["longest_s"] = longest;
  state.counters["goal_s"] = 0.1;
}

BENCHMARK_CAPTURE(planned, llama3_70b_128, "llama3-70b", "dgx-h100:16", 512, 4096, 0.3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(planned, gpt3_1024, "gpt3-175b", "dgx-h100:128", 1536, 2048, 1.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(planned, llama3_405b_16384, "llama3-405b", "dgx-h100:2048", 2048, 8192, 5.0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(planned, deepseek_2048, "deepseek-v3", "dgx-h100:256", 4096, 4096, 5.0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cancelled, llama3_70b_128, "llama3-70b", "dgx-h100:16", 512, 4096)->Iterations(1);
BENCHMARK_CAPTURE(cancelled, llama3_405b_16384, "llama3-405b", "dgx-h100:2048", 2048, 8192)->Iterations(1);
BENCHMARK_CAPTURE(cancelled, deepseek_2048, "deepseek-v3", "dgx-h100:256", 4096, 4096)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
