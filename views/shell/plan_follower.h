// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "training/planner.h"
#include "workspace/workspace.h"

namespace p2::views {

class StepPlanner;
struct PlannerAnswer;

[[nodiscard]] bool haveSameAxes(const Workspace& a, const Workspace& b);

/// The document with the reduction of a plan, if the plan communicates.
[[nodiscard]] Workspace withReductionOf(Workspace workspace, const PlannerAnswer& answer,
                                        const PlannedConfiguration& planned);

/// Updates the axes and the workload that a document took from a plan when cluster, model, batch or the chosen
/// configuration change.
class PlanFollower {
 public:
  /// The document with the axes and the workload of the shown configuration; none where it has them, where they are
  /// not a plan's, or while the planner has no complete answer. Works only for another configuration than the last
  /// time.
  [[nodiscard]] std::optional<Workspace> followed(const Workspace& workspace, const StepPlanner& planner);

  /// Whether axes that do not fit the cluster are about to be replaced.
  [[nodiscard]] static bool awaits(const StepPlanner& planner);

 private:
  /// The configuration followed last. Edits of axes and workload end the following, so nothing else matters.
  std::shared_ptr<const PlannerAnswer> m_answer;
  std::optional<ChosenConfiguration> m_chosen;
  std::optional<PlannedReduction> m_planned;
};

}  // namespace p2::views
