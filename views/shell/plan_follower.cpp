// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/plan_follower.h"

#include <algorithm>
#include <utility>

#include "training_answer/plan_reduction.h"
#include "views/shell/step_planner.h"

namespace p2::views {

bool haveSameAxes(const Workspace& a, const Workspace& b) {
  return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(), [](const Axis& one, const Axis& other) {
    return one.name == other.name && one.size == other.size && one.inside == other.inside;
  });
}

Workspace withReductionOf(Workspace workspace, const PlannerAnswer& answer, const PlannedConfiguration& planned) {
  auto next = withPlan(workspace, answer.question.model, planned);
  return next.ok() ? std::move(*next) : std::move(workspace);
}

std::optional<Workspace> PlanFollower::followed(const Workspace& workspace, const StepPlanner& planner) {
  const PlannedConfiguration* shown = planner.shown();
  if (!workspace.planned || !shown || !planner.isCurrent() || !planner.answer()->isComplete) return std::nullopt;
  ChosenConfiguration chosen = chosenFrom(*shown);
  const auto answer = planner.answer();
  if (m_answer == answer && m_chosen == chosen && m_planned == workspace.planned) return std::nullopt;
  Workspace next = withReductionOf(workspace, *answer, *shown);
  m_answer = answer;
  m_chosen = std::move(chosen);
  m_planned = next.planned;
  const bool same =
      haveSameAxes(next, workspace) && next.workload == workspace.workload && next.planned == workspace.planned;
  return same ? std::nullopt : std::optional(std::move(next));
}

bool PlanFollower::awaits(const StepPlanner& planner) {
  return planner.awaitsAxes() && !planner.problem() && !planner.chosenProblem() && !planner.wasCancelled() &&
         (!planner.isCurrent() || !planner.answer()->isComplete || !planner.shown());
}

}  // namespace p2::views
