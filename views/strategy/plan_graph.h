// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "training_answer/training_request.h"
#include "workspace/workspace.h"

namespace p2::views {

class StepPlanner;

/// The document's model, batch, sequence, ZeRO stage, recomputation, microbatches and pipeline stages as a question
/// about its graph on the document's system. `planned` is the shown configuration, null while none is known: then a
/// step is one microbatch. Nothing without a model, or for one without a bundled graph.
[[nodiscard]] std::optional<StrategyChoice> graphOfPlan(const Workspace& document, const PlannedConfiguration* planned);
/// Whether the planner has the configuration that graphOfPlan() needs, or will have none.
[[nodiscard]] bool isPlanned(const StepPlanner& planner);

}  // namespace p2::views
