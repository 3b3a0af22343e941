// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "tests/support/fixtures.h"
#include "views/strategy/strategy_answer.h"
#include "views/strategy/strategy_loading.h"

namespace p2::test {

/// Eight devices and the smallest of the bundled graphs.
inline Workspace strategyWorkspace() { return workspaceOf("node:2 gpu:4", "data=8", "data"); }

inline std::shared_ptr<const views::StrategyInstance> instanceOf(const Workspace& workspace) {
  return valueOf(views::loadStrategy(views::questionOf(workspace)));
}

/// The best strategies of a workspace, found at once.
inline std::shared_ptr<const views::StrategyAnswer> answerOf(const Workspace& workspace, std::size_t best,
                                                             const views::Pins& pins = {}) {
  const auto instance = instanceOf(workspace);
  SolveOptions options;
  options.best = best;
  options.pinned = pins;
  return std::make_shared<const views::StrategyAnswer>(
      views::StrategyAnswer{instance, pins, valueOf(solveExactly(instance->problem, options))});
}

}  // namespace p2::test
