// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/strategy_folds.h"
#include "strategy_answer/strategy_answer.h"
#include "text/document.h"

namespace p2::cli {

/// The fields of a strategy on a mesh, and the lines with its mesh and its cost split: "mesh", "meshes", "axes",
/// "split", "operators", "edges", "mapping". Precondition: the instance is on a mesh.
void addMapping(Document& document, const StrategyAnswer& answer);

/// Text table of the edges with transfers, most expensive first; edges of equal layers are listed once.
[[nodiscard]] std::string transfersTable(const StrategyAnswer& answer, const StrategyFolds& folds);

}  // namespace p2::cli
