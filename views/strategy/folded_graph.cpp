// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/folded_graph.h"

#include <map>
#include <tuple>

namespace p2::views {
namespace {

/// Where a vertex stands among the copies of a repeat.
struct Standing {
  std::size_t repeat = 0;
  std::size_t copy = 0;
  std::size_t part = 0;
};

std::vector<std::optional<Standing>> standings(std::size_t vertices, const std::vector<Repeat>& repeats) {
  std::vector<std::optional<Standing>> standings(vertices);
  for (std::size_t r = 0; r < repeats.size(); ++r) {
    for (std::size_t copy = 0; copy < repeats[r].copies.size(); ++copy) {
      const auto& parts = repeats[r].copies[copy];
      for (std::size_t part = 0; part < parts.size(); ++part) standings[parts[part]] = Standing{r, copy, part};
    }
  }
  return standings;
}

}  // namespace

GraphShape FoldedGraph::shape(QSizeF node) const {
  GraphShape shape;
  shape.nodes.assign(nodes.size(), node);
  for (const Edge& edge : edges) {
    if (!edge.again) shape.edges.push_back({edge.from, edge.to});
  }
  for (const Frame& frame : frames) shape.clusters.push_back(frame.nodes);
  return shape;
}

FoldedGraph foldedGraph(const StrategyProblem& problem, const ComputationGraph* graph,
                        const std::vector<Repeat>& repeats, const std::vector<bool>& open) {
  const auto stands = standings(problem.vertices.size(), repeats);
  const auto isFolded = [&](std::size_t vertex) { return stands[vertex] && !open[stands[vertex]->repeat]; };
  FoldedGraph folded;
  std::vector<std::optional<std::size_t>> frameOf(repeats.size());
  for (std::size_t r = 0; r < repeats.size(); ++r) {
    if (open[r]) continue;
    frameOf[r] = folded.frames.size();
    folded.frames.push_back({r, std::vector<std::size_t>(repeats[r].copies.front().size())});
  }
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> nodes;  // by frame and part
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    std::size_t node = folded.nodes.size();
    if (isFolded(v)) {
      const std::size_t frame = *frameOf[stands[v]->repeat];
      node = nodes.try_emplace({frame, stands[v]->part}, node).first->second;
      folded.frames[frame].nodes[stands[v]->part] = node;
    }
    if (node == folded.nodes.size()) folded.nodes.emplace_back();
    folded.nodeOf.push_back(node);
    if (stands[v]) folded.nodes[node].repeat = stands[v]->repeat;
    if (isFolded(v)) folded.nodes[node].frame = frameOf[stands[v]->repeat];
  }
  // In the order of copies, not of vertices.
  for (const FoldedGraph::Frame& frame : folded.frames) {
    for (const auto& copy : repeats[frame.repeat].copies) {
      for (std::size_t part = 0; part < copy.size(); ++part) {
        folded.nodes[frame.nodes[part]].vertices.push_back(copy[part]);
      }
    }
  }
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    if (!isFolded(v)) folded.nodes[folded.nodeOf[v]].vertices = {v};
  }
  using Key = std::tuple<std::size_t, std::size_t, bool, std::size_t, std::size_t>;
  std::map<Key, std::size_t> known;
  for (std::size_t e = 0; e < problem.edges.size(); ++e) {
    const StrategyProblem::Edge& edge = problem.edges[e];
    const bool inside =
        isFolded(edge.from) && isFolded(edge.to) && stands[edge.from]->repeat == stands[edge.to]->repeat;
    const bool again = inside && stands[edge.from]->copy != stands[edge.to]->copy;
    const std::size_t from = folded.nodeOf[edge.from];
    const std::size_t to = folded.nodeOf[edge.to];
    std::size_t at = folded.edges.size();
    if (isFolded(edge.from) || isFolded(edge.to)) {
      const auto kind = graph == nullptr ? std::pair(edge.table, std::size_t(0))
                                         : std::pair(graph->edges[e].fromTensor, graph->edges[e].toTensor);
      at = known.try_emplace({from, to, again, kind.first, kind.second}, at).first->second;
    }
    if (at == folded.edges.size()) folded.edges.push_back({from, to, again, {}});
    folded.edges[at].edges.push_back(e);
  }
  return folded;
}

}  // namespace p2::views
