// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "base/assumed_default.h"
#include "strategy/graph_costs.h"
#include "system/system.h"

namespace p2::inline strategy_answer {

/// Options with the figures that the model of a training step (core/training) has for the system's accelerator and the
/// type of numbers: rates of kernels, bytes of parameters and gradients, memory that a device keeps free. `asked` are
/// the options before filledIn(): a memory bandwidth and a limit that were chosen there stay, and a chosen speed is
/// the peak. Under the flat model, or where no figures are known of the accelerator, only the
/// bytes of parameters and gradients change.
[[nodiscard]] GraphCostOptions withTrainingFigures(GraphCostOptions filled, const GraphCostOptions& asked,
                                                   const std::optional<System>& system);

/// The defaults of a question with these options, in the order of the options.
[[nodiscard]] std::vector<AssumedDefault> defaultsOf(const GraphCostOptions& filled, const GraphCostOptions& asked,
                                                     const std::optional<System>& system);

}  // namespace p2::inline strategy_answer
