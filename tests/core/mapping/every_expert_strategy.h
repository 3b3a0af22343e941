// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/mapping/mapped_cases.h"

namespace p2::test {

struct ExpertWay {
  AxisAssignment assignment;
  double seconds = 0;
  double memory = 0;
};

/// Every assignment of an operator, priced by hand: what it computes, the sums of weights over axes that cut tokens,
/// and the sums over experts of what a combine puts out that nobody reads.
inline std::vector<ExpertWay> expertWays(const MappedGraph& graph, std::size_t index, const Mesh& mesh) {
  const Operator& op = graph.graph().operators[index];
  const bool product = op.kind == OperatorKind::Experts;
  std::vector<ExpertWay> ways;
  AxisAssignment assignment;
  for (bool more = true; more;) {
    const Configuration parts = partsOf(op, assignment, mesh);
    bool divides = true;
    double cut = 1;
    unsigned tokens = 0;
    unsigned experts = 0;
    for (std::size_t d = 0; d < parts.size(); ++d) {
      const Dimension& dimension = op.dimensions[d];
      divides = divides && (parts[d] == 1 || dimension.splittable) && dimension.size % parts[d] == 0;
      cut *= double(parts[d]);
      if (dimension.name == "b") tokens = assignment.axesOf(d);
      if (dimension.experts) experts = assignment.axesOf(d);
    }
    ExpertWay way{assignment, 0, graph.memoryOf(index, parts).total().value()};
    const double points = product ? 8 * 4 * 4 * 8 : op.kind == OperatorKind::Elementwise ? 32 : 128;
    const double each = product || op.kind == OperatorKind::Combine ? 3 : op.kind == OperatorKind::Dispatch ? 1 : 2;
    double moved = 0;
    for (const Tensor& tensor : op.tensors) moved += 3 * elementsOf(op, tensor, parts);
    way.seconds =
        std::max(2 * each * points / cut / graph.options().flops, 4 * moved / graph.options().memoryBandwidth);
    const double weights = 4.0 * 8 * 4 / (cut / double(mesh.sizeOf(MeshAxes(tokens))));
    const double sums = 8.0 * 4 / double(mesh.sizeOf(MeshAxes(tokens)));
    const auto price = [&](unsigned axes, double elements) {
      return axes == 0 ? 0 : AffinePricer::price(mesh, MeshCollective::AllReduce, axes, 4 * elements);
    };
    if (product && tokens != 0) way.seconds += gradientShare(mesh, tokens, weights, 2 * 4 * 8 * 4);
    if (op.kind == OperatorKind::Combine) way.seconds += price(experts, sums);
    if (divides) ways.push_back(way);
    more = false;
    for (std::size_t axis = mesh.sizes.size(); axis-- > 0 && !more;) {
      more = ++assignment.at[axis] < int(op.dimensions.size());
      if (!more) assignment.at[axis] = AxisAssignment::kRepeated;
    }
  }
  return ways;
}

/// The operators of expertGraph() are a chain: the cheapest strategy of those that fit, by going through all of them.
class EveryExpertStrategy {
 public:
  EveryExpertStrategy(const MappedGraph& graph, const Mesh& mesh) {
    for (std::size_t v = 0; v < graph.graph().operators.size(); ++v) m_ways.push_back(expertWays(graph, v, mesh));
    for (std::size_t e = 0; e + 1 < m_ways.size(); ++e) {
      const ComputationGraph::Edge& edge = graph.graph().edges[e];
      const Operator& from = graph.graph().operators[edge.from];
      std::vector<std::int64_t> shape;
      for (std::size_t i = 0; i < from.tensors[edge.fromTensor].dimensions.size(); ++i) {
        shape.push_back(from.sizeAlong(from.tensors[edge.fromTensor], i));
      }
      SetPrices sets(mesh, shape);
      std::vector<double>& table = m_prices.emplace_back();
      for (const ExpertWay& before : m_ways[e]) {
        for (const ExpertWay& after : m_ways[e + 1]) {
          table.push_back(sets.ofEdge(graph, e, before.assignment, after.assignment));
        }
      }
    }
  }

  [[nodiscard]] double cheapest(double limit, double best) const {
    extend(0, 0, 0, 0, limit, best);
    return best;
  }

 private:
  void extend(std::size_t v, std::size_t last, double seconds, double memory, double limit, double& best) const {
    if (seconds >= best || memory > limit) return;
    if (v == m_ways.size()) {
      best = seconds;
      return;
    }
    for (std::size_t i = 0; i < m_ways[v].size(); ++i) {
      const double edge = v == 0 ? 0 : m_prices[v - 1][last * m_ways[v].size() + i];
      extend(v + 1, i, seconds + edge + m_ways[v][i].seconds, memory + m_ways[v][i].memory, limit, best);
    }
  }

  std::vector<std::vector<ExpertWay>> m_ways;
  std::vector<std::vector<double>> m_prices;
};

}  // namespace p2::test
