// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/compared_run.h"

namespace p2::views {
namespace {

double secondsOf(const Replay& replay) {
  double seconds = 0;
  for (const StepFacts& facts : replay.facts) seconds += facts.cost ? facts.cost->seconds : 0;
  return seconds;
}

}  // namespace

Result<ComparedRun> comparedRun(std::shared_ptr<const Replay> replay, std::stop_token stop) {
  P2_TRY_ASSIGN(auto ports, portBytes(*replay->topology, replay->trace, replay->cost, std::move(stop)));
  return ComparedRun{std::move(replay), std::move(ports)};
}

Contestant contestantOf(const ComparedRun& run, const std::string& name) {
  Contestant one{name, secondsOf(*run.replay), {}, run.ports};
  for (const StepFacts& facts : run.replay->facts) one.latencySeconds += facts.cost ? facts.cost->latencySeconds : 0;
  if (const auto problem = run.replay->trace.problem()) one.problem = problem->text();
  return one;
}

Race::Runner runnerOf(const Replay& replay) {
  Race::Runner runner{{}, replay.playedSteps()};
  for (int step = 0; step < replay.validSteps(); ++step) {
    const auto& cost = replay.facts[std::size_t(step)].cost;
    runner.seconds.push_back(cost ? cost->seconds : 0);
  }
  return runner;
}

}  // namespace p2::views
