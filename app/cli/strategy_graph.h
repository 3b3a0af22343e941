// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/strategy_input.h"

namespace p2::cli {

/// --model, --system, --space, --cutoff, --exactly, --flops, --bandwidth, --batch and --dim: what makes cost tables of
/// a computation graph.
void addGraphOptions(CLI::App& command, GraphRequest& request);

/// The cost tables of the graph that `file` names, and what they were made of. Without devices those of the system,
/// or 8. What an ONNX model has that is not known is said on stderr. Errors begin with the argument that is wrong.
[[nodiscard]] Result<StrategyQuestion> graphQuestionOf(const std::string& file, const GraphRequest& request,
                                                       std::optional<std::int64_t> devices);
/// What a strategy asks of the placement of its axes; nothing for cost tables.
[[nodiscard]] Result<std::vector<StrategyNeed>> needsOf(const StrategyQuestion& question, const Strategy& strategy);
/// An error when one of the options is given although `file` has cost tables already.
[[nodiscard]] Result<void> checkNoGraphOptions(const std::string& file, const GraphRequest& request);

/// The bundled graphs.
void writeBundledGraphs(std::ostream& out, bool json);

}  // namespace p2::cli
