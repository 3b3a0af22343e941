// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/step_pricer.h"

#include <mutex>

#include "step/detail/entry_pricer.h"
#include "step/detail/step_assembly.h"

namespace p2::inline step {
namespace {

/// The parts of a question on which the kept prices depend. What every entry brings itself is left out.
StepQuestion foundationOf(const StepQuestion& question) {
  StepQuestion foundation;
  foundation.system = question.system;
  foundation.axes = question.axes;
  foundation.options = question.options;
  foundation.options.goal = kAllReduceGoal;
  foundation.axes = withoutReplicas(std::move(foundation.axes));
  foundation.options.cost.bytes = CostOptions{}.bytes;
  foundation.options.cost.repeat = 1;
  return foundation;
}

/// The options with the workload's own, and then the default ones, where they say nothing.
StepOptions withOwnOf(const Workload& workload, StepOptions options) {
  if (!options.computeSeconds) options.computeSeconds = workload.computeSeconds;
  if (!options.slowdown) options.slowdown = workload.slowdown.value_or(kDefaultSlowdown);
  if (!options.usableShare) options.usableShare = workload.usableShare.value_or(kDefaultUsableShare);
  if (!options.concurrent) options.concurrent = workload.concurrent;
  return options;
}

}  // namespace

struct StepPricer::State {
  std::mutex busy;
  StepQuestion foundation;
  std::unique_ptr<EntryPricer> prices;
};

StepPricer::StepPricer() : m_state(std::make_unique<State>()) {}
StepPricer::~StepPricer() = default;

Result<std::shared_ptr<const StepRanking>> StepPricer::rank(const StepQuestion& asked, std::stop_token stop,
                                                            const Progress& progress) {
  StepQuestion question = asked;
  if (question.axes.empty()) question.axes = question.workload.axes;
  question.step = withOwnOf(question.workload, question.step);
  P2_TRY(checkQuestion(question));
  const std::lock_guard lock(m_state->busy);
  StepQuestion foundation = foundationOf(question);
  if (!m_state->prices || foundation != m_state->foundation) {
    P2_TRY_ASSIGN(m_state->prices, EntryPricer::of(question.system, question.axes, foundation.options, stop));
    m_state->foundation = std::move(foundation);
  }
  EntryPricer& prices = *m_state->prices;
  StepColumns columns;
  std::map<EntryPricer::Key, std::size_t> known;
  std::set<EntryPricer::Key> used;
  const std::vector<WorkloadEntry>& entries = question.workload.collectives;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string pointer = "/collectives/" + std::to_string(i);
    const EntryAxes axes = prices.axesOf(entries[i]);
    const auto key = EntryPricer::keyOf(entries[i], axes);
    const auto [at, isNew] = known.emplace(key, columns.columns.size());
    if (isNew) {
      P2_TRY_ASSIGN(auto column, prices.column(entries[i], axes, stop).about(pointer));
      columns.columns.push_back(std::move(column));
    }
    columns.columnOf.push_back(at->second);
    used.insert(key);
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(entries.size()));
  }
  prices.keepOnly(used);
  return assembled(std::move(question), prices.topology(), prices.matrices(), std::move(columns), stop);
}

Result<std::shared_ptr<const StepRanking>> rankSteps(const StepQuestion& question, std::stop_token stop,
                                                     const Progress& progress) {
  return StepPricer().rank(question, std::move(stop), progress);
}

}  // namespace p2::inline step
