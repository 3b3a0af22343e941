// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/strategy_input.h"
#include "strategy/graph_costs.h"

namespace p2::cli {

/// --model, --system, --space, --cutoff, --exactly, --flops, --bandwidth and --batch: what makes cost tables of a
/// computation graph.
void addGraphOptions(CLI::App& command, GraphRequest& request);

/// The cost tables of the graph that `file` names. Without devices those of the system, or 8. What an ONNX model has
/// that is not known is said on stderr. Errors begin with the argument that is wrong.
[[nodiscard]] Result<StrategyProblem> graphProblemOf(const std::string& file, const GraphRequest& request,
                                                     std::optional<std::int64_t> devices);
/// An error when one of the options is given although `file` has cost tables already.
[[nodiscard]] Result<void> checkNoGraphOptions(const std::string& file, const GraphRequest& request);

/// The bundled graphs.
void writeBundledGraphs(std::ostream& out, bool json);

}  // namespace p2::cli
