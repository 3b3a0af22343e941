// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/plan_graph.h"

#include <algorithm>

#include "views/common/text.h"
#include "views/shell/step_planner.h"
#include "views/strategy/strategy_loading.h"

namespace p2::views {

std::optional<StrategyChoice> graphOfPlan(const Workspace& document, const PlannedConfiguration* planned) {
  const TrainingChoice& training = document.training;
  if (training.model.empty() || !bundledGraphNames().contains(qs(training.model))) return {};
  StrategyChoice choice;
  choice.graph = training.model;
  choice.batch = training.batch;
  choice.sequence = training.sequence;
  choice.options.model = StrategyCostModel::Hierarchical;
  choice.options.space.cutoff = 1;
  if (planned == nullptr) return choice;
  const TrainingPlan& plan = planned->configuration.plan;
  const std::int64_t together = std::max<std::int64_t>(1, plan.microbatch * plan.data);
  choice.options.microbatches = std::max<std::int64_t>(1, training.batch / together);
  choice.batch = std::max<std::int64_t>(1, training.batch / choice.options.microbatches);
  choice.stages = plan.pipeline;
  choice.options.memory.zero = int(plan.zero);
  const RecomputeKind recomputed = planned->configuration.recomputation;
  choice.options.memory.recomputation = recomputed == RecomputeKind::None   ? Recomputation::None
                                        : recomputed == RecomputeKind::Full ? Recomputation::Full
                                                                            : Recomputation::Selective;
  return choice;
}

bool isPlanned(const StepPlanner& planner) {
  return planner.shown() != nullptr || planner.problem() || planner.chosenProblem() || planner.wasCancelled();
}

}  // namespace p2::views
