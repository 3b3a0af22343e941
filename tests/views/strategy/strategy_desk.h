// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "strategy_answer/strategy_baselines.h"
#include "tests/support/fixtures.h"
#include "views/strategy/strategy_answer.h"
#include "views/strategy/strategy_loading.h"

namespace p2::test {

/// Eight devices and the smallest of the bundled graphs.
inline Workspace strategyWorkspace() { return workspaceOf("node:2 gpu:4", "data=8", "data"); }

inline std::shared_ptr<const StrategyInstance> instanceOf(const Workspace& workspace) {
  return valueOf(views::loadStrategy(views::questionOf(workspace)));
}

/// The best strategies of a workspace, found at once.
inline std::shared_ptr<const StrategyAnswer> answerOf(const Workspace& workspace, std::size_t best,
                                                      const Pins& pins = {}) {
  const auto instance = instanceOf(workspace);
  SolveOptions options;
  options.best = best;
  options.pinned = pins;
  return std::make_shared<const StrategyAnswer>(
      StrategyAnswer{instance, pins, valueOf(solveExactly(instance->problem, options))});
}

inline std::vector<StrategyBaseline> baselinesOf(const StrategyInstance& instance) {
  auto prices = valueOf(StrategyPrices::of(instance));
  return valueOf(p2::baselinesOf(instance, prices));
}

}  // namespace p2::test
