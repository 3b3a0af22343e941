// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "app/cli/strategy_folds.h"
#include "app/cli/strategy_input.h"
#include "text/json_writer.h"

namespace p2::cli {

/// Finds the best strategy on one mesh, for questions of the hierarchical model; the question then has its problem.
[[nodiscard]] Result<void> solveOnMesh(const StrategyRequest& request, StrategyQuestion& question);

/// Keys of the answer that only a strategy on a mesh has: "mesh", "meshes", "axes", "split", "operators", "edges" and
/// "mapping".
void writeMapping(JsonWriter& json, const StrategyQuestion& question);
/// "mesh x 128 · y 8 …": where the strategy lies, and where its time goes.
[[nodiscard]] std::string meshLines(const StrategyQuestion& question);
/// "x on b, y on n": what the axes cut of a vertex; empty where all repeat its work.
[[nodiscard]] std::string cutText(const StrategyQuestion& question, std::size_t vertex);
/// A table of the edges along which something moves, dearest first, those of layers that are alike once.
void writeExchanges(std::ostream& out, const StrategyQuestion& question, const StrategyFolds& folds);

}  // namespace p2::cli
