// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "strategy/computation_graph.h"
#include "text/json_writer.h"

namespace p2::cli {

/// "not priced: Loop (2 times); NonMaxSuppression", and what is taken for granted, a line each; empty for neither.
[[nodiscard]] std::string reservationsText(const ComputationGraph& graph);

/// "optimal" of what is `proven`: true only where everything has a price, and beside it "optimal_for_priced" where
/// something has none; then "unpriced" and "assumed". Null for cost tables, which leave nothing out.
void writeOptimality(JsonWriter& json, bool proven, const ComputationGraph* graph);

}  // namespace p2::cli
