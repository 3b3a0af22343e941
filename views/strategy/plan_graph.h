// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "training_answer/training_request.h"
#include "workspace/workspace.h"

namespace p2::views {

/// The document's model, batch, sequence, ZeRO stage, recomputation and microbatches as a question about its graph on
/// the document's system. `planned` is the shown configuration, null while none is known: then a step is one
/// microbatch. Nothing without a model, or for one without a bundled graph.
[[nodiscard]] std::optional<StrategyChoice> graphOfPlan(const Workspace& document, const PlannedConfiguration* planned);

}  // namespace p2::views
