// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/detail/pipeline_chain.h"

#include <algorithm>
#include <set>

#include "base/counted.h"
#include "strategy/graph_likeness.h"
#include "strategy/topological_order.h"

namespace p2::inline pipeline {
namespace {

/// An operator that hands a tensor on: it computes and holds nothing.
Operator endOf(const Operator& source, std::size_t tensor, Tensor::Role role) {
  const Tensor& passed = source.tensors[tensor];
  Operator end{source.name + (role == Tensor::Role::Output ? " received" : " sent"), OperatorKind::Reshape, {}, {}};
  Tensor whole{passed.name, role, {}, {}};
  for (std::size_t i = 0; i < passed.dimensions.size(); ++i) {
    whole.dimensions.push_back(i);
    end.dimensions.push_back({source.dimensions[passed.dimensions[i]].name, source.sizeAlong(passed, i), true});
  }
  end.tensors.push_back(std::move(whole));
  return end;
}

/// What repeats in a list: `count` times `period` items from `start` on.
struct Repetition {
  std::size_t start = 0;
  std::size_t period = 0;
  std::size_t count = 0;
};

/// The one that covers most, of those the one of most repeats.
Repetition longestRepetition(const std::vector<std::size_t>& kinds) {
  Repetition best;
  for (std::size_t period = 1; 2 * period <= kinds.size(); ++period) {
    std::size_t matches = 0;
    for (std::size_t i = 0; i + period < kinds.size(); ++i) {
      matches = kinds[i] == kinds[i + period] ? matches + 1 : 0;
      const std::size_t count = matches / period + 1;
      if (matches % period != 0 || count < 2 || count * period <= best.count * best.period) continue;
      best = {i + 1 - matches, period, count};
    }
  }
  return best;
}

}  // namespace

bool StageGraph::sendsBack() const {
  return std::any_of(graph.edges.begin(), graph.edges.end(), [&](const ComputationGraph::Edge& edge) {
    return edge.from == receives && graph.operators[edge.to].kind != OperatorKind::Embedding;
  });
}

PipelineChain::PipelineChain(const ComputationGraph& graph) : m_graph(graph) {
  putInOrder();
  cutApart();
  if (pieces() > kMostPieces) return;
  numberKinds();
  numberShapes();
}

void PipelineChain::putInOrder() {
  m_order = topologicalOrder(m_graph.operators.size(), m_graph.edges);
  m_positions.resize(m_order.size());
  for (std::size_t at = 0; at < m_order.size(); ++at) m_positions[m_order[at]] = at;
}

void PipelineChain::cutApart() {
  // A tensor passes all places from behind its operator to the last that reads it.
  std::map<Port, std::size_t> last;
  for (const ComputationGraph::Edge& edge : m_graph.edges) {
    std::size_t& position = last[{edge.from, edge.fromTensor}];
    position = std::max(position, m_positions[edge.to]);
  }
  std::vector<std::vector<Port>> put(m_order.size());
  for (const auto& [port, position] : last) put[m_positions[port.first]].push_back(port);
  std::set<Port> passing;
  m_starts = {0};
  m_passing = {std::nullopt};
  for (std::size_t at = 0; at < m_order.size(); ++at) {
    passing.insert(put[at].begin(), put[at].end());
    std::erase_if(passing, [&](const Port& port) { return last[port] <= at; });
    if (passing.size() > 1 && at + 1 < m_order.size()) continue;
    m_starts.push_back(at + 1);
    m_passing.push_back(passing.empty() ? std::nullopt : std::optional(*passing.begin()));
  }
}

std::vector<std::int64_t> PipelineChain::likenessOf(std::size_t piece) const {
  const std::size_t begin = m_starts[piece];
  const std::size_t end = m_starts[piece + 1];
  constexpr std::int64_t kOutside = -1;
  std::vector<std::int64_t> numbers;
  const auto relative = [&](std::size_t op) {
    const std::size_t at = m_positions[op];
    return at >= begin && at < end ? static_cast<std::int64_t>(at - begin) : kOutside;
  };
  for (std::size_t at = begin; at < end; ++at) {
    const auto likeness = p2::likenessOf(m_graph.operators[m_order[at]]);
    numbers.push_back(static_cast<std::int64_t>(likeness.size()));
    numbers.insert(numbers.end(), likeness.begin(), likeness.end());
  }
  std::vector<std::array<std::int64_t, 4>> edges;
  for (const ComputationGraph::Edge& edge : m_graph.edges) {
    if (relative(edge.to) == kOutside) continue;
    // One tensor alone comes from outside.
    const bool within = relative(edge.from) != kOutside;
    edges.push_back({relative(edge.from), within ? static_cast<std::int64_t>(edge.fromTensor) : 0, relative(edge.to),
                     static_cast<std::int64_t>(edge.toTensor)});
  }
  std::sort(edges.begin(), edges.end());
  numbers.push_back(static_cast<std::int64_t>(edges.size()));
  for (const auto& edge : edges) numbers.insert(numbers.end(), edge.begin(), edge.end());
  for (const auto& [passing, role] :
       {std::pair(m_passing[piece], Tensor::Role::Output), std::pair(m_passing[piece + 1], Tensor::Role::Input)}) {
    numbers.push_back(passing ? 1 : 0);
    if (!passing) continue;
    numbers.push_back(relative(passing->first));
    numbers.push_back(relative(passing->first) == kOutside ? 0 : static_cast<std::int64_t>(passing->second));
    const auto likeness = p2::likenessOf(endOf(m_graph.operators[passing->first], passing->second, role));
    numbers.insert(numbers.end(), likeness.begin(), likeness.end());
  }
  return numbers;
}

void PipelineChain::numberKinds() {
  std::map<std::vector<std::int64_t>, std::size_t> known;
  for (std::size_t piece = 0; piece < pieces(); ++piece) {
    m_kinds.push_back(known.emplace(likenessOf(piece), known.size()).first->second);
  }
}

/// By the kinds of their pieces, one after the other.
void PipelineChain::numberShapes() {
  constexpr auto kNothing = static_cast<std::size_t>(-1);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
  m_shapes.resize(pieces());
  for (std::size_t first = 0; first < pieces(); ++first) {
    std::size_t shape = kNothing;
    for (std::size_t piece = first; piece < pieces(); ++piece) {
      shape = known.emplace(std::pair(shape, m_kinds[piece]), known.size()).first->second;
      m_shapes[first].push_back(shape);
    }
  }
  m_shapeCount = known.size();
}

StageGraph PipelineChain::stageOf(std::size_t first, std::size_t end) const {
  StageGraph stage;
  const std::size_t begin = m_starts[first];
  const std::size_t behind = m_starts[end];
  stage.operators.assign(m_order.begin() + static_cast<std::ptrdiff_t>(begin),
                         m_order.begin() + static_cast<std::ptrdiff_t>(behind));
  ComputationGraph& graph = stage.graph;
  graph.name = m_graph.name;
  graph.elementBytes = m_graph.elementBytes;
  for (const std::size_t op : stage.operators) graph.operators.push_back(m_graph.operators[op]);
  const auto addEnd = [&](const Port& port, Tensor::Role role) {
    graph.operators.push_back(endOf(m_graph.operators[port.first], port.second, role));
    return graph.operators.size() - 1;
  };
  if (m_passing[first]) stage.receives = addEnd(*m_passing[first], Tensor::Role::Output);
  if (m_passing[end]) stage.sends = addEnd(*m_passing[end], Tensor::Role::Input);
  const auto vertexOf = [&](std::size_t op) { return m_positions[op] - begin; };
  const auto isWithin = [&](std::size_t op) { return m_positions[op] >= begin && m_positions[op] < behind; };
  for (const ComputationGraph::Edge& edge : m_graph.edges) {
    if (!isWithin(edge.to)) continue;
    if (isWithin(edge.from)) {
      graph.edges.push_back({vertexOf(edge.from), edge.fromTensor, vertexOf(edge.to), edge.toTensor});
    } else {
      graph.edges.push_back({*stage.receives, 0, vertexOf(edge.to), edge.toTensor});
    }
  }
  if (!stage.sends) return stage;
  const Port& sent = *m_passing[end];
  // A tensor that a stage neither makes nor reads is handed on.
  const bool forwards = !isWithin(sent.first);
  graph.edges.push_back(
      {forwards ? *stage.receives : vertexOf(sent.first), forwards ? 0 : sent.second, *stage.sends, 0});
  return stage;
}

Result<std::vector<std::size_t>> PipelineChain::evenCuts(std::int64_t stages) const {
  const Repetition layers = longestRepetition(m_kinds);
  if (layers.count == 0) return Error{"nothing in this graph repeats, so that no layers can be divided evenly"};
  const auto parts = static_cast<std::size_t>(stages);
  if (layers.count % parts != 0) {
    return Error{countedText(layers.count, "layer") + " cannot be divided evenly among " +
                 countedText(stages, "stage") + "; use a divisor"};
  }
  std::vector<std::size_t> cuts{0};
  for (std::size_t stage = 1; stage < parts; ++stage) {
    cuts.push_back(layers.start + stage * (layers.count / parts) * layers.period);
  }
  cuts.push_back(pieces());
  return cuts;
}

}  // namespace p2::inline pipeline
