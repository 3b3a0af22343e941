// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <map>
#include <stop_token>
#include <string>

#include "explore/cheapest_program.h"
#include "strategy/graph_costs.h"
#include "workspace/workspace.h"

namespace p2::inline graphs {

/// Prices collectives by simulation on a system: the cheapest program for a goal over the reduced axes of a placement,
/// at exactly the bytes that are asked for. Every price equals the answer of exploreWorkspace() to the same question.
///
/// The price of a group depends only on the factors of its own axes in every level, so simulations are kept by these
/// and by the bytes.
class HierarchicalPrices {
 public:
  /// `options` says how programs are synthesized and priced; its goal, bytes, repeats and overlap do not matter.
  HierarchicalPrices(const ValidSystem& system, ExploreOptions options, std::stop_token stop = {});

  /// A program of a placement.
  struct Program {
    std::string text;    ///< in DSL form
    double seconds = 0;  ///< run once
    friend bool operator==(const Program&, const Program&) = default;
  };
  /// Seconds of the cheapest program for a goal over the reduced axes of one placement, run once; else of the single
  /// collective where no program has as few steps as the options allow. O(1) for a question that was asked before.
  [[nodiscard]] Result<double> secondsOn(const Placement& placement, const Goal& goal, Bytes bytes);
  /// The best program, run once, with the same seconds; its text is empty where no program has as few steps as the
  /// options allow.
  [[nodiscard]] Result<Program> programOn(const Placement& placement, const Goal& goal, Bytes bytes);

  [[nodiscard]] const System& system() const { return *m_topology->system(); }
  [[nodiscard]] const Topology& topology() const { return *m_topology; }
  /// Options of the prices of steps.
  [[nodiscard]] const CostOptions& costOptions() const { return m_options.cost; }

 private:
  /// All groups of one signature, with the seconds of their best programs by goal and bytes.
  struct Group {
    Placement placement;  ///< of one of them
    std::shared_ptr<const SynthesisHierarchy> hierarchy = {};
    std::unique_ptr<PatternPricer> pricer = {};
    std::map<std::pair<std::string_view, double>, double> seconds = {};
  };

  [[nodiscard]] Result<CheapestProgram*> programsFor(const SynthesisHierarchy& hierarchy, const Goal& goal);
  [[nodiscard]] Result<double> simulated(Group& group, const Goal& goal, Bytes bytes);

  std::shared_ptr<const Topology> m_topology;  // one for all simulations, with its routes
  ExploreOptions m_options;
  std::stop_token m_stop;
  std::map<std::vector<std::int64_t>, Group> m_groups;  ///< by groupSignature()
  /// By goal and the sizes of a hierarchy.
  std::map<std::pair<std::string_view, std::vector<std::int64_t>>, CheapestProgram> m_programs;
};

/// A transfer that the placement of a strategy's axes must carry: a collective that some of its operators share.
struct StrategyNeed {
  std::vector<std::string> operators;
  std::vector<Axis> axes;    ///< named after the dimensions they split, "copies" for the rest; reduced ones marked
  Bytes bytes;               ///< on each device in a step, Σ over the operators
  double seconds = 0;        ///< in a step, Σ over the operators
  double times = 0;          ///< collectives in a step, Σ over the operators
  Bytes largest;             ///< of one of them, at most
  double once = 0;           ///< seconds of one collective of the largest size, with its best program
  ParallelismMatrix matrix;  ///< the placement that `prices` chose; empty without prices
  std::string program;       ///< its best program in DSL form; empty without prices
  std::string collective = "AllReduce";
  friend bool operator==(const StrategyNeed&, const StrategyNeed&) = default;
};

/// The needs of a strategy under the flat model, for a problem made from a graph with these options: one for each
/// different combination of axes and reduction; most expensive first. Times are FlatPricer's.
[[nodiscard]] Result<std::vector<StrategyNeed>> strategyNeeds(const ComputationGraph& graph,
                                                              const GraphCostOptions& options,
                                                              const StrategyProblem& problem, const Strategy& strategy);

}  // namespace p2::inline graphs
