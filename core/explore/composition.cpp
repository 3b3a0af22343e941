// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/composition.h"

#include "base/near.h"
#include "cost/pattern_pricer.h"

namespace p2::inline explore {
namespace {

constexpr std::size_t kMostVisited = std::size_t{1} << 20;

/// Counts the programs of a graph that are cheaper than some time.
class CheaperCount {
 public:
  CheaperCount(const StateGraph& graph, const std::vector<double>& edgeSeconds, double seconds)
      : m_graph(graph),
        m_edgeSeconds(edgeSeconds),
        m_best(cheapestCompletions(graph, edgeSeconds)),
        m_bound(safeLowerBound(seconds)) {}

  void count(int left) { from(StateGraph::start(), 0, left); }
  [[nodiscard]] std::size_t found() const { return m_found; }
  [[nodiscard]] bool isFull() const { return m_visited > kMostVisited; }

 private:
  void from(int node, double spent, int left) {
    if (isFull() || m_graph.distance(node) > left) return;
    if (spent + m_best[static_cast<std::size_t>(node)] >= m_bound) return;
    ++m_visited;
    if (m_graph.isGoal(node)) {
      ++m_found;
      return;
    }
    for (std::size_t e = m_graph.firstEdge(node); e < m_graph.firstEdge(node + 1); ++e) {
      from(m_graph.edges()[e].target, spent + m_edgeSeconds[e], left - 1);
    }
  }

  const StateGraph& m_graph;
  const std::vector<double>& m_edgeSeconds;
  std::vector<double> m_best;
  double m_bound;
  std::size_t m_found = 0;
  std::size_t m_visited = 0;
};

}  // namespace

Result<std::shared_ptr<const ProgramGuide>> guideOf(const Exploration& exploration, std::size_t placement,
                                                    std::stop_token stop) {
  const Workspace& workspace = exploration.workspace;
  const PlacementResult& result = exploration.placements[placement];
  P2_TRY_ASSIGN(auto guide, ProgramGuide::make(Placement(workspace.axes, result.matrix), *result.hierarchy,
                                               workspace.options.rules, workspace.options.goal, result.graph, stop));
  if (!guide->graph()) return guide;
  PatternPricer pricer(*exploration.topology, *result.hierarchy, workspace.options.cost, stop);
  const std::vector<double> seconds = pricer.priceAll(*guide->graph());
  if (stop.stop_requested()) return cancelledError();
  return guide->priced(seconds);
}

std::optional<ProgramRank> rankOf(const Exploration& exploration, std::size_t placement, double seconds) {
  const PlacementResult& result = exploration.placements[placement];
  if (!result.ranked || !result.graph) return std::nullopt;
  const ExploreOptions& options = exploration.workspace.options;
  PatternPricer pricer(*exploration.topology, *result.hierarchy, options.cost);
  const std::vector<double> edgeSeconds = pricer.priceAll(*result.graph);
  CheaperCount count(*result.graph, edgeSeconds, seconds);
  count.count(options.sizeLimit);
  return ProgramRank{count.found(), count.isFull(), result.programCount};
}

Result<Composition> composed(const Exploration& exploration, std::size_t placement, const ProgramGuide& guide,
                             const Program& program, std::stop_token stop) {
  const Workspace& workspace = exploration.workspace;
  const PlacementResult& result = exploration.placements[placement];
  const RuleSet rules = workspace.options.rules;
  const Goal& goal = workspace.options.goal;
  const Placement placed(workspace.axes, result.matrix);
  P2_TRY_ASSIGN(const auto trace, ProgramTrace::run(placed, *result.hierarchy, program, rules, goal));
  if (stop.stop_requested()) return cancelledError();
  Composition all{program,
                  guide.after(trace, trace.validSteps(), true, stop),
                  trace.validSteps(),
                  trace.failure(),
                  trace.complete(),
                  {},
                  {},
                  {},
                  {},
                  {}};
  all.pairs = failingPairs(placed, trace);
  all.missing = missingParts(placed, trace);
  if (stop.stop_requested()) return cancelledError();
  if (!all.complete && !program.empty()) all.hint = programHint(*result.hierarchy, program, rules, goal);
  if (!all.complete) return all;
  const auto priced = evaluateProgram(workspace, *exploration.topology, placed, *result.hierarchy, program, stop);
  if (stop.stop_requested()) return cancelledError();
  if (!priced.ok()) return all;
  all.seconds = priced->seconds;
  all.rank = rankOf(exploration, placement, priced->seconds);
  return all;
}

}  // namespace p2::inline explore
