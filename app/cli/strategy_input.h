// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/request.h"
#include "graphs/hierarchical_prices.h"
#include "mapping/mapped_needs.h"
#include "mapping/strategy_plan.h"

namespace p2::cli {

/// How a computation graph becomes cost tables, as typed.
struct GraphRequest {
  std::optional<std::string> model;
  std::optional<std::string> system;
  std::optional<std::string> costModel;  ///< of the system's collectives
  std::optional<std::string> space;
  std::optional<std::string> cutoff;
  std::optional<std::string> flops;
  std::optional<std::string> bandwidth;
  std::optional<std::string> batch;
  std::optional<std::string> sequence;
  std::optional<std::string> capacityFactor;
  std::vector<std::string> dimensions;  ///< NAME=SIZE each
  std::optional<std::string> elementType;
  std::optional<std::string> memoryBandwidth;
  std::optional<std::string> optimizer;
  std::optional<std::string> zero;
  std::optional<std::string> recomputation;
  std::optional<std::string> deviceMemory;
  std::optional<std::string> passes;
  bool exactly = false;
};

/// The arguments of p2 strategy, as typed.
struct StrategyRequest {
  std::string file;
  std::optional<std::string> devices;
  std::optional<std::string> solver;
  std::optional<std::string> best;
  std::optional<std::string> memory;
  std::optional<std::string> timeLimit;
  std::vector<std::string> pins;
  std::optional<std::string> stages;  ///< of a pipeline
  GraphRequest graph;
  std::optional<std::string> output;
  bool asWorkload = false;
  std::optional<std::string> evaluate;  ///< a file with a strategy, which is priced instead of a search
  bool compare = false;
  bool unfold = false;  ///< lists every layer
  bool list = false;
  bool json = false;
};

/// What the cost tables of a graph were made of.
struct PricedGraph {
  ComputationGraph graph;
  GraphCostOptions options;
  std::unique_ptr<CollectivePricer> pricer;
  std::optional<std::string> note;  ///< cutoffNote()
};

/// The answer of the hierarchical model, whose cost tables are those of the mesh that was found.
struct MappedAnswer {
  MappedSolution solution;  ///< without its problem's tables, which StrategyQuestion has
  Mapping mapping;          ///< of the best strategy
  std::vector<StrategyNeed> needs;
};

struct StrategyQuestion {
  StrategyProblem problem;
  std::optional<PricedGraph> source;  ///< nothing when the cost tables were given
  std::optional<MappedAnswer> mapped = {};
};

/// What is asked about, for the devices that are asked for. Errors begin with the argument that is wrong.
[[nodiscard]] Result<StrategyQuestion> strategyQuestionOf(const StrategyRequest& request);
/// --best, --memory, --time-limit and --pin.
/// On a mesh a vertex is pinned to parts, whose configurations differ from mesh to mesh.
[[nodiscard]] Result<std::vector<std::optional<MappedPin>>> mappedPinsOf(const StrategyRequest& request,
                                                                         const ComputationGraph& graph);
/// The strategy of --evaluate.
[[nodiscard]] Result<StrategyPlan> strategyPlanOf(const StrategyRequest& request, const ComputationGraph& graph);
[[nodiscard]] Result<SolveOptions> solveOptionsOf(const StrategyRequest& request, const StrategyProblem& problem);

}  // namespace p2::cli
