// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <memory>
#include <stop_token>

#include "base/progress.h"
#include "graphs/strategy_source.h"
#include "graphs/strategy_workload.h"
#include "views/strategy/strategy_answer.h"
#include "workspace/workspace.h"

namespace p2::views {

/// Strategies that are listed.
inline constexpr std::size_t kListedStrategies = 10;

/// The part of a workspace that decides what the cost tables of its graph are.
struct StrategyQuestion {
  std::string graph;
  GraphSizes sizes;          ///< where the graph leaves them open
  GraphCostOptions options;  ///< with the number of devices that is meant
  /// What hierarchical prices depend on; left empty for flat ones, so that edits of it change nothing.
  std::optional<System> system;
  ExploreOptions pricing;
  /// Where the mesh depends on them: under the hierarchical model.
  std::vector<StrategyPin> pins = {};
  GraphCostOptions asked = {};  ///< the options as they were chosen: a graph may say how large its numbers are
  friend bool operator==(const StrategyQuestion&, const StrategyQuestion&) = default;
};

[[nodiscard]] StrategyQuestion questionOf(const Workspace& workspace);

/// The graphs that come with the program, smallest first.
[[nodiscard]] QStringList bundledGraphNames();

/// A question whose graph is read: with the sizes that were left open, and options that suit its numbers.
struct SizedQuestion {
  StrategyQuestion question;
  LoadedGraph loaded;
  QStringList said;  ///< which sizes were taken
};
/// Reads the graph alone. Errors: of the file, cancelled.
[[nodiscard]] Result<SizedQuestion> loadGraph(const StrategyQuestion& question, const std::stop_token& stop);

/// Reads the graph, by name or from a file, and prices its configurations. A file of cost tables brings its own devices
/// and prices. Errors: of the file, of the options, too large, cancelled.
[[nodiscard]] Result<std::shared_ptr<const StrategyInstance>> loadStrategy(const StrategyQuestion& question,
                                                                           std::stop_token stop = {},
                                                                           const Progress& progress = {});

/// The collectives that a strategy of the instance needs, dearest first; none for cost tables, which do not tell.
[[nodiscard]] Result<std::vector<StrategyNeed>> needsOf(const StrategyQuestion& question,
                                                        const StrategyInstance& instance, const Strategy& strategy,
                                                        const std::stop_token& stop);

/// What a training step communicates under a strategy of the instance, which has a graph.
[[nodiscard]] Result<WorkloadSource> workloadOf(const StrategyInstance& instance, const Strategy& strategy,
                                                const std::stop_token& stop);

/// What people choose without a search, priced as the instance is. Errors: cancelled; others are the reasons of
/// answers.
[[nodiscard]] Result<std::vector<BaselineAnswer>> baselinesOf(const StrategyInstance& instance,
                                                              const std::stop_token& stop, const Progress& progress);

}  // namespace p2::views
