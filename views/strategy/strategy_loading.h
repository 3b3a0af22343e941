// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "strategy_answer/strategy_answer.h"
#include "workspace/workspace.h"

namespace p2::views {

/// Strategies that are listed; on a mesh each has its mapping.
inline constexpr std::size_t kListedStrategies = kMostMappings;

/// The question that a workspace's choice of a graph asks. Under the flat model it has no system and no pins, so that
/// edits of these change nothing.
[[nodiscard]] StrategyQuestion questionOf(const Workspace& workspace);

/// Options of the window's search: kListedStrategies strategies.
[[nodiscard]] StrategySearch listedSearch(const StrategyQuestion& question);

/// The question read and priced. Errors of readStrategyInput() and strategyInstance().
[[nodiscard]] Result<std::shared_ptr<const StrategyInstance>> loadStrategy(const StrategyQuestion& question,
                                                                           const std::stop_token& stop = {},
                                                                           const Progress& progress = {});

/// The graphs that come with the program, smallest first.
[[nodiscard]] QStringList bundledGraphNames();

}  // namespace p2::views
