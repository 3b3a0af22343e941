// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "explore/explore.h"
#include "graphs/strategy_source.h"
#include "strategy_answer/system_figures.h"

namespace p2::inline strategy_answer {

/// A question about the strategies of a computation graph, as the command line and the window ask it. A plain value:
/// equal questions have equal answers, files aside.
struct StrategyQuestion {
  std::string graph;      ///< a bundled graph or model, or a path: see graphFromArgument() and namesGraph()
  GraphSizes sizes = {};  ///< where the graph leaves them open
  /// Sizes that an ONNX model leaves open and `sizes` does not give take suggested values; otherwise they are an error.
  bool suggestsSizes = false;
  GraphCostOptions options = {};       ///< as chosen; readStrategyInput() fills in zeros
  std::optional<System> system = {};   ///< under the hierarchical model, and only there
  ExploreOptions pricing = {};         ///< prices the system's collectives
  std::vector<StrategyPin> pins = {};  ///< under the hierarchical model, whose mesh depends on them
  friend bool operator==(const StrategyQuestion&, const StrategyQuestion&) = default;
};

/// A question whose graph or cost tables are read.
struct StrategyInput {
  std::shared_ptr<const ComputationGraph> graph;  ///< null for cost tables
  StrategyProblem problem;                        ///< the cost tables; empty until a graph is priced
  GraphCostOptions options = {};                  ///< filled in: filledIn(), withTrainingFigures()
  std::optional<System> system = {};
  ExploreOptions pricing = {};
  std::vector<std::string> warnings = {};   ///< sentences of the reader: approximated or unpriced parts of the file
  std::vector<std::string> notes = {};      ///< limits of the answer with their remedy: cutoffNote(), too few sequences
  std::vector<std::string> suggested = {};  ///< sizes that were suggested, "N = 1"
  /// Defaults that the question was completed with; a face leaves out the ones whose option was typed.
  std::vector<AssumedDefault> defaults = {};

  /// Whether strategies are found on a mesh of the system's devices.
  [[nodiscard]] bool isOnMesh() const { return graph && options.model == StrategyCostModel::Hierarchical; }
  /// Bytes that a strategy may take of each device; 0 without a bound.
  [[nodiscard]] Bytes deviceMemory() const { return graph ? options.deviceMemory.value_or(Bytes(0)) : Bytes(0); }
  /// Everything the answer takes for granted: of the graph, then `defaults`, a sentence each.
  [[nodiscard]] std::vector<std::string> assumed() const;
  /// "limits of the answer", one line; empty for none.
  [[nodiscard]] std::string note() const;
};

/// Reads the graph or the cost tables of a question; prices nothing. Errors: of the file, of the sizes, cancelled.
[[nodiscard]] Result<StrategyInput> readStrategyInput(const StrategyQuestion& question,
                                                      const std::stop_token& stop = {});

}  // namespace p2::inline strategy_answer
