// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/explore.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/near.h"
#include "cost/pattern_pricer.h"
#include "cost/simulator.h"
#include "placement/containment.h"
#include "synthesis/program_count.h"

namespace p2::inline explore {
namespace {

/// overlapped() of programs of one placement; steps that several programs have are priced once.
class OverlapPricer {
 public:
  /// All must outlive it.
  OverlapPricer(PatternPricer& pricer, const StateGraph& graph, const CostOptions& options)
      : m_pricer(pricer), m_graph(graph), m_options(options) {}

  /// Price of the program with these edges of the graph.
  [[nodiscard]] Overlapped price(const std::vector<std::size_t>& edges);

 private:
  PatternPricer& m_pricer;
  const StateGraph& m_graph;
  const CostOptions& m_options;
  std::map<std::pair<std::size_t, double>, BusyStep> m_known;  // by edge and bytes
};

Overlapped OverlapPricer::price(const std::vector<std::size_t>& edges) {
  std::vector<BusyStepOf> steps;
  for (const std::size_t edge : edges) {
    steps.emplace_back([this, edge](Bytes bytes) {
      const auto known = m_known.find({edge, bytes.value()});
      if (known != m_known.end()) return known->second;
      return m_known.emplace(std::pair(edge, bytes.value()), m_pricer.busyStep(m_graph.edges()[edge], bytes))
          .first->second;
    });
  }
  return overlapped(steps, m_options);
}

/// A program of some placement, ordered as the answer to "the K best of all".
struct Candidate {
  double seconds;
  ProgramTie tie;
  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};
/// Candidates beyond the K best that are kept because they take as long as the K-th.
constexpr std::size_t kMostTies = 1000;

class Explorer {
 public:
  Explorer(std::shared_ptr<const Topology> topology, const Workspace& workspace, const ExploreScope& scope,
           std::stop_token stop)
      : m_scope(scope), m_stop(std::move(stop)), m_result(std::make_shared<Exploration>()) {
    m_result->workspace = workspace;
    m_result->topology = std::move(topology);
  }

  Result<std::shared_ptr<const Exploration>> run(bool onlyMatrix, const Progress& progress) {
    const Workspace& workspace = m_result->workspace;
    if (onlyMatrix) {
      m_result->placementCount = 1;
      P2_TRY(add(workspace.matrix));
      return finished();
    }
    m_result->placementCount = countMatricesOf(workspace.system, workspace.axes);
    if (m_result->placementCount > m_scope.mostPlacements) {
      return Error{"these axes have " + m_result->placementCount.toString() + " placements on this system, more than " +
                       std::to_string(m_scope.mostPlacements) +
                       "; use fewer axes, or choose one placement by its matrix",
                   {},
                   ErrorKind::TooLarge};
    }
    MatrixEnumerator enumerator = matricesOf(workspace.system, workspace.axes);
    while (enumerator.next()) {
      if (m_stop.stop_requested()) return cancelledError();
      P2_TRY(add(enumerator.matrix()));
      if (progress) progress(static_cast<double>(m_result->placements.size()) / m_result->placementCount.toDouble());
    }
    return finished();
  }

 private:
  struct Synthesis {
    std::shared_ptr<const StateGraph> graph;
    Count programs;
  };

  Result<Synthesis> synthesisFor(const SynthesisHierarchy& hierarchy) {
    const ExploreOptions& options = m_result->workspace.options;
    const SynthesisShape shape = synthesisShape(hierarchy, options.rules);
    const std::vector<std::int64_t>& sizes = shape.sizes;
    const Goal goal = goalOn(hierarchy, options.goal);
    if (const auto known = m_syntheses.find(shape); known != m_syntheses.end()) return known->second;
    const auto graph = StateGraph::build(sizes, options.rules, options.sizeLimit, m_stop, goal);
    Synthesis synthesis;
    if (graph.ok()) {
      synthesis = {*graph, (*graph)->countsUpTo(options.sizeLimit).back()};
    } else if (m_scope.countOnly && graph.error().kind == ErrorKind::TooLarge) {
      P2_TRY_ASSIGN(const auto counts, countPrograms(sizes, options.rules, options.sizeLimit, m_stop, goal));
      synthesis.programs = counts.back();
    } else {
      return graph.error();
    }
    return m_syntheses.emplace(shape, synthesis).first->second;
  }

  Result<void> add(const ParallelismMatrix& matrix) {
    const Workspace& workspace = m_result->workspace;
    const Placement placement(workspace.axes, matrix);
    PlacementResult result;
    result.matrix = matrix;
    result.hierarchy = std::make_shared<SynthesisHierarchy>(workspace.system, placement);
    P2_TRY_ASSIGN(const auto synthesis, synthesisFor(*result.hierarchy));
    result.graph = synthesis.graph;
    result.programCount = synthesis.programs;
    PatternPricer pricer(*m_result->topology, *result.hierarchy, workspace.options.cost, m_stop);
    priceSingle(result, pricer);
    if (m_stop.stop_requested()) return cancelledError();
    if (m_scope.limits) {
      if (!m_bounds) m_bounds.emplace(*m_result->topology, workspace.options.goal.single);
      result.limit = m_bounds->of(placement, workspace.options.cost);
    }
    result.ranked = result.graph != nullptr;
    if (result.ranked) return list(std::move(result), pricer);
    result.bestSeconds = result.singleSeconds;
    result.bestSteps = result.singleSteps.size();
    keep(std::move(result));
    return {};
  }

  void priceSingle(PlacementResult& result, PatternPricer& pricer) const {
    for (const StateEdge& step : singleSteps(*result.hierarchy, m_result->workspace.options.goal)) {
      result.singleSteps.push_back(pricer.price(step));
      result.singleSeconds += result.singleSteps.back().seconds;
    }
  }

  Result<void> list(PlacementResult result, PatternPricer& pricer) {
    const std::vector<double> ofEdges = pricer.priceAll(*result.graph);
    if (m_stop.stop_requested()) return cancelledError();
    ProgramRanking ranking(result.graph, ofEdges, m_result->workspace.options.sizeLimit);
    result.bestSeconds = ranking.peekSeconds().value_or(result.singleSeconds);
    result.bestSteps = ranking.peekSteps().value_or(result.singleSteps.size());
    const std::size_t placement = m_result->placements.size();
    const CostOptions& cost = m_result->workspace.options.cost;
    const std::size_t most = cost.overlap && m_scope.bestOverall > 0 ? kMostOverlapping : m_scope.programsPerPlacement;
    OverlapPricer overlap(pricer, *result.graph, cost);
    while (!m_scope.countOnly && result.programs.size() < most) {
      if (m_stop.stop_requested()) return cancelledError();
      const auto seconds = ranking.peekSeconds();
      if (!seconds || !wanted(leastOf(*seconds))) break;
      auto ranked = ranking.next();
      ProgramResult program{std::move(ranked->program), ranked->seconds, {}};
      for (const std::size_t edge : ranked->edges) program.steps.push_back(pricer.price(result.graph->edges()[edge]));
      if (cost.overlap) program.overlapped = overlap.price(ranked->edges);
      // Prices are invalid from then on.
      if (m_stop.stop_requested()) return cancelledError();
      take(program, placement, result.programs.size());
      result.programs.push_back(std::move(program));
    }
    if (cost.overlap) rank(result);
    keep(std::move(result));
    return {};
  }

  /// Lower bound of the overlapped time of a program with this sequential time. Overlapping ones take as long as
  /// their longest step.
  [[nodiscard]] double leastOf(double seconds) const {
    const ExploreOptions& options = m_result->workspace.options;
    return options.cost.overlap ? seconds / options.sizeLimit : seconds;
  }

  void keep(PlacementResult result) {
    m_result->programCount += result.programCount;
    m_result->placements.push_back(std::move(result));
  }

  /// Whether a program can be among the best of all if it takes that long.
  [[nodiscard]] bool wanted(double seconds) const {
    if (m_scope.within >= 0 && definitelyLess(costliestWanted(), seconds)) return false;
    return m_scope.bestOverall == 0 || m_best.size() < m_scope.bestOverall ||
           !definitelyLess(m_best.rbegin()->seconds, seconds);
  }

  /// A program takes its place among the best of all.
  void take(const ProgramResult& program, std::size_t placement, std::size_t rank) {
    const double seconds = program.rankedSeconds();
    m_leastSeconds = std::min(m_leastSeconds, seconds);
    if (m_scope.bestOverall == 0) return;
    m_best.insert({seconds, {program.program.size(), placement, rank}});
    while (m_best.size() > m_scope.bestOverall) {
      const bool isTie =
          !definitelyLess(std::next(m_best.begin(), static_cast<std::ptrdiff_t>(m_scope.bestOverall) - 1)->seconds,
                          m_best.rbegin()->seconds);
      if (isTie && m_best.size() <= m_scope.bestOverall + kMostTies) break;
      m_best.erase(std::prev(m_best.end()));
    }
  }

  /// The candidates in the one order, as many as are asked for.
  [[nodiscard]] std::vector<Candidate> bestOfAll() const {
    std::vector<Candidate> sorted(m_best.begin(), m_best.end());
    sortByCost(
        sorted.begin(), sorted.end(), [](const Candidate& each) { return each.seconds; },
        [](auto first, auto last) {
          std::sort(first, last, [](const Candidate& a, const Candidate& b) { return a.tie < b.tie; });
        });
    sorted.resize(std::min(sorted.size(), m_scope.bestOverall));
    return sorted;
  }

  [[nodiscard]] double costliestWanted() const { return m_leastSeconds * (1 + m_scope.within); }

  std::shared_ptr<const Exploration> finished() {
    std::vector<PlacementResult>& placements = m_result->placements;
    if (m_scope.within >= 0) {
      for (PlacementResult& placement : placements) {
        std::erase_if(placement.programs,
                      [&](const ProgramResult& p) { return definitelyLess(costliestWanted(), p.rankedSeconds()); });
      }
    }
    if (m_scope.bestOverall > 0) {
      std::vector<std::size_t> kept(placements.size(), 0);
      for (const Candidate& candidate : bestOfAll()) ++kept[candidate.tie.placement];
      for (std::size_t i = 0; i < placements.size(); ++i) placements[i].programs.resize(kept[i]);
    }
    m_result->bestPlacement = static_cast<int>(rankedPlacements(*m_result).front());
    const ParallelismMatrix rowMajor = rowMajorMatrix(m_result->workspace.system, m_result->workspace.axes);
    for (std::size_t i = 0; i < placements.size(); ++i) {
      if (placements[i].matrix == rowMajor) m_result->defaultPlacement = static_cast<int>(i);
    }
    noteAlgorithms(*m_result);
    return m_result;
  }

  ExploreScope m_scope;
  std::stop_token m_stop;
  std::shared_ptr<Exploration> m_result;
  std::optional<PlacementLowerBounds> m_bounds;
  std::map<SynthesisShape, Synthesis> m_syntheses;
  std::set<Candidate> m_best;
  double m_leastSeconds = std::numeric_limits<double>::infinity();
};

}  // namespace

SynthesisShape synthesisShape(const SynthesisHierarchy& hierarchy, RuleSet rules) {
  std::vector<std::int64_t> sizes = hierarchy.sizes();
  if (rules == RuleSet::Paper) std::fill(sizes.begin(), sizes.end(), 2);
  return {std::move(sizes), hierarchy.replicatedLevels()};
}

Result<std::shared_ptr<const Exploration>> exploreWorkspace(const Workspace& workspace, const ExploreScope& scope,
                                                            bool onlyMatrix, std::stop_token stop,
                                                            const Progress& progress) {
  P2_TRY(checkWorkspace(workspace));
  P2_TRY_ASSIGN(const auto system, validated(workspace.system).about("/system"));
  return exploreOn(std::make_shared<const Topology>(system), workspace, scope, onlyMatrix, std::move(stop), progress);
}

Result<std::shared_ptr<const Exploration>> exploreOn(std::shared_ptr<const Topology> topology,
                                                     const Workspace& workspace, const ExploreScope& scope,
                                                     bool onlyMatrix, std::stop_token stop, const Progress& progress) {
  P2_TRY(checkWorkspace(workspace));
  return Explorer(std::move(topology), workspace, scope, std::move(stop)).run(onlyMatrix, progress);
}

Result<ProgramResult> evaluateProgram(const Workspace& workspace, const Topology& topology, const Placement& placement,
                                      const SynthesisHierarchy& hierarchy, const Program& program,
                                      const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto lowered,
                lower(placement, hierarchy, program, workspace.options.rules, workspace.options.goal));
  const CostOptions& cost = workspace.options.cost;
  ProgramResult result{program, 0, {}};
  std::vector<BusyStepOf> busy;
  for (const LoweredStep& step : lowered) {
    result.steps.push_back(simulateStep(topology, step, cost, stop));
    if (stop.stop_requested()) return cancelledError();
    result.seconds += result.steps.back().seconds;
    if (cost.overlap) busy.push_back(busyStepOf(topology, step, cost));
  }
  if (cost.overlap) result.overlapped = overlapped(busy, cost);
  return result;
}

Result<ProgramResult> evaluateProgram(const Workspace& workspace, const ParallelismMatrix& matrix,
                                      const Program& program) {
  const Placement placement(workspace.axes, matrix);
  P2_TRY_ASSIGN(const auto system, validated(workspace.system));
  return evaluateProgram(workspace, Topology(system), placement, SynthesisHierarchy(workspace.system, placement),
                         program);
}

void noteAlgorithms(Exploration& exploration) {
  for (const PlacementResult& placement : exploration.placements) {
    addAlgorithms(placement.singleSteps, exploration.algorithms);
    for (const ProgramResult& program : placement.programs) addAlgorithms(program.steps, exploration.algorithms);
  }
}

}  // namespace p2::inline explore
