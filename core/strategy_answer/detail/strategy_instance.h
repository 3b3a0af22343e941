// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/progress.h"
#include "explore/explore.h"
#include "graphs/strategy_source.h"
#include "mapping/mapping.h"
#include "mapping/strategy_plan.h"
#include "pipeline/pipeline_prices.h"
#include "strategy/graph_repeats.h"
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

/// The pricers of a question's collectives: one bandwidth under the flat model, otherwise simulations on the system.
/// Keeps every simulation, so one object for several answers is faster than several. Not to be shared between threads.
class StrategyPrices {
 public:
  /// `stop` ends every simulation. Errors: the hierarchical model without a system, or with one of another number of
  /// devices than the options ask for.
  [[nodiscard]] static Result<StrategyPrices> of(const StrategyInput& input, std::stop_token stop = {});

  /// The flat model's pricer. Precondition: the question is not on a mesh.
  [[nodiscard]] FlatPricer& flat() { return std::get<FlatPricer>(m_pricer); }
  /// The hierarchical model's pricers, all three over the same simulations. Precondition: the question is on a mesh.
  [[nodiscard]] HierarchicalPrices& simulated() { return std::get<OnSystem>(m_pricer)->prices; }
  [[nodiscard]] MeshPricer& onMesh() { return std::get<OnSystem>(m_pricer)->mesh; }
  [[nodiscard]] PipelinePricer& inPipelines() { return std::get<OnSystem>(m_pricer)->pipelines; }

 private:
  struct Simulated {
    Simulated(const ValidSystem& system, const ExploreOptions& pricing, std::stop_token stop)
        : prices(system, pricing, std::move(stop)), mesh(prices), pipelines(prices) {}
    HierarchicalPrices prices;
    SimulatedMeshPricer mesh;
    SimulatedPipelinePricer pipelines;
  };
  using OnSystem = std::unique_ptr<Simulated>;
  explicit StrategyPrices(std::variant<FlatPricer, OnSystem> pricer) : m_pricer(std::move(pricer)) {}

  std::variant<FlatPricer, OnSystem> m_pricer;
};

/// Options of the search for strategies.
struct StrategySearch {
  /// Numbers, memory and time; `pinned` holds the pins of cost tables and of the flat model.
  SolveOptions solving = {};
  /// Pins on a mesh. A pin of an unknown vertex, or with another number of dimensions, is ignored.
  std::vector<StrategyPin> pins = {};
  /// A given strategy, which is priced instead of a search; whether it fits the memory is reported, not required.
  std::optional<StrategyPlan> plan = {};
};

/// The best strategies on one mesh, found with the pins of the search.
struct MeshAnswer {
  MappedSolution solution;        ///< its problem's tables are moved to the instance
  std::vector<Mapping> mappings;  ///< for the first kMostMappings strategies
};
inline constexpr std::size_t kMostMappings = 10;

/// A question with its cost tables. On a mesh the tables belong to the best mesh, so the search for it is done.
struct StrategyInstance : StrategyInput {
  std::optional<MeshAnswer> onMesh = {};
  std::vector<Repeat> repeats = {};  ///< equal layers

  [[nodiscard]] const MappedProblem& mapped() const { return onMesh->solution.mapped; }
  /// Computation and transfers of a strategy on its mesh. Null off a mesh, and for a strategy that is not among
  /// `onMesh->mappings`.
  [[nodiscard]] const Mapping* mappingOf(const std::vector<std::size_t>& choice) const;
};

/// Prices the configurations of a question's graph; on a mesh also finds the best strategies. Errors: of the options,
/// too large, of the search, cancelled; a plan's matrix that does not fit the system.
[[nodiscard]] Result<StrategyInstance> strategyInstance(StrategyInput input, const StrategySearch& search,
                                                        StrategyPrices& prices, const std::stop_token& stop = {},
                                                        const Progress& progress = {});

/// Where the cost of every vertex goes: computation, reductions of its own, and resharding of its inputs; they add up
/// to the cost of the strategy. Sums along an edge count as reductions where the strategy has a mapping. Cost tables do
/// not separate computation from reductions: all that a vertex costs counts as computation. Seconds, or the unit of the
/// cost tables. O(vertices + edges).
[[nodiscard]] std::vector<CostSplit> costsOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice);
/// Σ of costsOf().
[[nodiscard]] CostSplit splitOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice);

/// Memory of each device. Precondition: the instance has a graph.
[[nodiscard]] StepMemory stepMemoryOf(const StrategyInstance& instance, const Strategy& strategy);

/// Largest number of devices that work on one vertex: ∏ parts, the largest of all vertices.
[[nodiscard]] std::int64_t devicesUsed(const StrategyProblem& problem, const std::vector<std::size_t>& choice);

}  // namespace p2::inline strategy_answer
