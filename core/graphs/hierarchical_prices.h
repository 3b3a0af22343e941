// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <map>
#include <stop_token>
#include <string>

#include "explore/cheapest_program.h"
#include "strategy/graph_costs.h"
#include "workspace/workspace.h"

namespace p2 {

/// Prices all-reduces by simulation on a system: over every placement of the axes the cheapest program is synthesized,
/// and the demands of one operator get the placement that is cheapest for all of them together.
///
/// What a group costs depends on where its own axes lie in every level, whatever the others are called, so simulations
/// are kept by that and, where the system has latencies, by the power of two below the bytes. Without latencies a
/// program's time is proportional to the bytes and one simulation is exact for all of them. With latencies the best
/// time is a concave function of the bytes; between two powers of two the chord is taken, which is never above it and
/// at most 18 % below.
class HierarchicalPrices : public CollectivePricer {
 public:
  /// `options` says how programs are synthesized and priced; its bytes and repeats do not matter.
  HierarchicalPrices(const ValidSystem& system, ExploreOptions options, std::stop_token stop = {});

  [[nodiscard]] Result<double> seconds(const std::vector<std::int64_t>& axes,
                                       const std::vector<AllReduceDemand>& demands) override;

  /// A program of a placement.
  struct Program {
    std::string text;    ///< in DSL form
    double seconds = 0;  ///< run once
    friend bool operator==(const Program&, const Program&) = default;
  };
  /// Seconds of the cheapest program for a goal over the reduced axes of one placement, on 2^exponent bytes.
  [[nodiscard]] Result<double> secondsOn(const Placement& placement, const Goal& goal, int exponent);
  /// The best program at so many bytes, run once; of empty text if none has so few steps as the options allow.
  [[nodiscard]] Result<Program> programOn(const Placement& placement, const Goal& goal, Bytes bytes);
  /// Whether times are more than proportional to the bytes.
  [[nodiscard]] bool hasLatency() const { return m_hasLatency; }

  [[nodiscard]] const System& system() const { return *m_topology->system(); }
  [[nodiscard]] const Topology& topology() const { return *m_topology; }
  /// How steps are priced.
  [[nodiscard]] const CostOptions& costOptions() const { return m_options.cost; }

 private:
  /// By level the factors of a group's axes, and how far apart they stand where that matters.
  using Signature = std::vector<std::int64_t>;
  /// Groups that lie alike, and what their best program for a goal takes by the exponent of the bytes.
  struct Group {
    Placement placement;  ///< one of them
    std::shared_ptr<const SynthesisHierarchy> hierarchy = {};
    std::unique_ptr<PatternPricer> pricer = {};
    std::map<std::pair<std::string_view, int>, double> seconds = {};
  };
  /// Per placement in enumeration order, the seconds of its best program.
  using Curve = std::vector<double>;
  using Reduced = std::pair<std::vector<std::int64_t>, std::vector<bool>>;  ///< axes, and which of them

  [[nodiscard]] Workspace workspaceFor(const std::vector<std::int64_t>& axes, const AllReduceDemand& demand) const;
  [[nodiscard]] Signature signatureOf(const ParallelismMatrix& matrix, const std::vector<bool>& reduced) const;
  [[nodiscard]] const std::vector<Group*>& groupsOf(const Reduced& reduced);
  [[nodiscard]] Result<CheapestProgram*> programsFor(const SynthesisHierarchy& hierarchy, const Goal& goal);
  [[nodiscard]] Result<double> simulated(Group& group, const Goal& goal, int exponent);
  [[nodiscard]] Result<Curve> priced(const std::vector<std::int64_t>& axes, const AllReduceDemand& demand);
  [[nodiscard]] Result<Curve> pricedTogether(const std::vector<std::int64_t>& axes,
                                             const std::vector<AllReduceDemand>& demands);

  std::shared_ptr<const Topology> m_topology;  // one for all simulations, with its routes
  ExploreOptions m_options;
  std::stop_token m_stop;
  bool m_hasLatency = false;
  std::map<Signature, Group> m_groups;
  std::map<Reduced, std::vector<Group*>> m_groupsOf;  // per placement in enumeration order
  /// By goal and the sizes of a hierarchy.
  std::map<std::pair<std::string_view, std::vector<std::int64_t>>, CheapestProgram> m_programs;
};

/// What a strategy asks of the placement of its axes: a collective that some of its operators share.
struct StrategyNeed {
  std::vector<std::string> operators;
  std::vector<Axis> axes;  ///< named after the dimensions they split, "copies" for the rest; reduced ones marked
  Bytes bytes;             ///< on each device in a step, Σ over the operators
  double seconds = 0;      ///< the same
  double times = 0;        ///< collectives in a step, Σ over the operators
  Bytes largest;           ///< of one of them, at most
  /// Of one of the largest with its best program: what a placement of its own says of it. `seconds` may be up to 18 %
  /// below: see HierarchicalPrices.
  double once = 0;
  ParallelismMatrix matrix;  ///< the placement that `prices` chose; empty without prices
  std::string program;       ///< its best program in DSL form; empty without prices
  std::string collective = "AllReduce";
  friend bool operator==(const StrategyNeed&, const StrategyNeed&) = default;
};

/// The needs of a strategy under the flat model, for a problem made from a graph with these options: one for each
/// different combination of axes and reduction; most expensive first. Times are those of FlatPricer.
[[nodiscard]] Result<std::vector<StrategyNeed>> strategyNeeds(const ComputationGraph& graph,
                                                              const GraphCostOptions& options,
                                                              const StrategyProblem& problem, const Strategy& strategy);

}  // namespace p2
