// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "strategy/computation_graph.h"

namespace p2::inline graphs {

inline constexpr const char* kGraphFormat = "p2-graph";

/// The computation graph file: {"format": "p2-graph", "version": 1, …}; schema in resources/schemas. The graph read is
/// validated(). Errors name the JSON pointer of the mistake, or the line of a syntax error.
[[nodiscard]] Result<ComputationGraph> graphFromJson(std::string_view text, std::stop_token stop = {});
[[nodiscard]] std::string graphToJson(const ComputationGraph& graph);

}  // namespace p2::inline graphs
