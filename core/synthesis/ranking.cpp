// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/ranking.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace p2::inline synthesis {

// Recursive enumeration: the r-th best way from a node with `left` steps to go is an edge followed by some best way
// from its target with one step less, so each (node, left) keeps its ways found so far and a heap of candidates that
// continue the ways already used.
struct ProgramRanking::Search {
  __extension__ using Ticks = __int128;

  struct Way {
    Ticks cost = 0;
    int size = 0;          // steps
    std::size_t edge = 0;  // ignored by the empty way, which has size 0
    std::size_t rank = 0;  // rank of the continuation among the target's ways
    friend auto operator<=>(const Way&, const Way&) = default;
  };

  struct Station {
    bool opened = false;
    std::vector<Way> ways;
    std::set<Way> candidates;
  };

  Search(std::shared_ptr<const StateGraph> g, const std::vector<double>& edgeSeconds, int limit)
      : graph(std::move(g)), stride(limit + 1), stations(std::size_t(graph->nodeCount()) * std::size_t(limit + 1)) {
    const double costliest = edgeSeconds.empty() ? 0 : *std::max_element(edgeSeconds.begin(), edgeSeconds.end());
    tickExponent = (costliest > 0 ? std::ilogb(costliest) : 0) - 100;
    for (const double seconds : edgeSeconds) ticks.push_back(ticksOf(seconds));
  }

  // Forty significant bits drop the noise of rounding, so that equal costs computed in different ways are equal, and
  // an AllReduce costs exactly its ReduceScatter and AllGather. Integer sums keep it so.
  [[nodiscard]] Ticks ticksOf(double seconds) const {
    int exponent = 0;
    const auto mantissa = static_cast<Ticks>(std::llround(std::ldexp(std::frexp(seconds, &exponent), 40)));
    const int shift = exponent - 40 - tickExponent;
    return shift >= 0 ? mantissa << shift : shift > -64 ? mantissa >> -shift : 0;
  }
  [[nodiscard]] double secondsOf(Ticks cost) const { return std::ldexp(static_cast<double>(cost), tickExponent); }

  Station& station(int node, int left) { return stations[std::size_t(node) * std::size_t(stride) + std::size_t(left)]; }

  // The way of that rank, or null when there are fewer.
  const Way* way(int node, int left, std::size_t rank) {
    if (graph->distance(node) > left) return nullptr;
    Station& here = station(node, left);
    if (!here.opened) open(node, left);
    while (here.ways.size() <= rank && !here.candidates.empty()) {
      const Way best = *here.candidates.begin();
      here.candidates.erase(here.candidates.begin());
      here.ways.push_back(best);
      if (best.size > 0) offer(node, left, best.edge, best.rank + 1);
    }
    return rank < here.ways.size() ? &here.ways[rank] : nullptr;
  }

  void open(int node, int left) {
    station(node, left).opened = true;
    if (graph->isGoal(node)) station(node, left).candidates.insert(Way{});
    if (left == 0) return;
    for (std::size_t edge = graph->firstEdge(node); edge < graph->firstEdge(node + 1); ++edge) {
      offer(node, left, edge, 0);
    }
  }

  void offer(int node, int left, std::size_t edge, std::size_t rank) {
    const Way* rest = way(graph->edges()[edge].target, left - 1, rank);
    if (rest == nullptr) return;
    station(node, left).candidates.insert({ticks[edge] + rest->cost, rest->size + 1, edge, rank});
  }

  std::shared_ptr<const StateGraph> graph;
  int stride;
  std::vector<Station> stations;
  std::vector<Ticks> ticks;
  int tickExponent = 0;
  std::size_t given = 0;
};

ProgramRanking::ProgramRanking(std::shared_ptr<const StateGraph> graph, const std::vector<double>& edgeSeconds,
                               int limit)
    : m_search(std::make_unique<Search>(std::move(graph), edgeSeconds, limit)) {}

ProgramRanking::~ProgramRanking() = default;
ProgramRanking::ProgramRanking(ProgramRanking&&) noexcept = default;
ProgramRanking& ProgramRanking::operator=(ProgramRanking&&) noexcept = default;

std::optional<double> ProgramRanking::peekSeconds() {
  const auto* way = m_search->way(StateGraph::start(), m_search->stride - 1, m_search->given);
  if (way == nullptr) return std::nullopt;
  return m_search->secondsOf(way->cost);
}

std::optional<std::size_t> ProgramRanking::peekSteps() {
  const auto* way = m_search->way(StateGraph::start(), m_search->stride - 1, m_search->given);
  if (way == nullptr) return std::nullopt;
  return static_cast<std::size_t>(way->size);
}

std::optional<RankedProgram> ProgramRanking::next() {
  int left = m_search->stride - 1;
  const auto* way = m_search->way(StateGraph::start(), left, m_search->given);
  if (way == nullptr) return std::nullopt;
  ++m_search->given;
  RankedProgram result;
  result.seconds = m_search->secondsOf(way->cost);
  while (way->size > 0) {
    const StateEdge& edge = m_search->graph->edges()[way->edge];
    result.program.push_back(edge.instruction);
    result.edges.push_back(way->edge);
    way = m_search->way(edge.target, --left, way->rank);
  }
  return result;
}

}  // namespace p2::inline synthesis
