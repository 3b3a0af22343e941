// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/backward_needs.h"

#include <algorithm>
#include <string>

#include "strategy/graph_likeness.h"
#include "strategy/topological_order.h"

namespace p2::inline strategy {
namespace {

bool isInput(const Tensor& tensor) { return tensor.role == Tensor::Role::Input; }

std::int64_t inputsOf(const Operator& op) { return std::count_if(op.tensors.begin(), op.tensors.end(), isInput); }

/// Whether gradients of an operator depend on one of its inputs.
bool needsInput(const Operator& op, std::size_t tensor) {
  if (!isInput(op.tensors[tensor])) return false;
  switch (op.kind) {
    case OperatorKind::Elementwise:
      return inputsOf(op) == 1;
    case OperatorKind::Dispatch:
      // The rows are copied; their routes are needed.
      return std::find_if(op.tensors.begin(), op.tensors.end(), isInput) != op.tensors.begin() + std::ptrdiff_t(tensor);
    case OperatorKind::Softmax:
    case OperatorKind::Concat:
    case OperatorKind::Split:
    case OperatorKind::Reshape:
    case OperatorKind::Share:
      return false;
    default:
      return true;
  }
}

bool needsOutput(OperatorKind kind) {
  return kind == OperatorKind::Softmax || kind == OperatorKind::Attention || kind == OperatorKind::Lstm;
}

/// Whether the outputs of a kind are kept where they are read.
bool isKeptByReaders(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::Gemm:
    case OperatorKind::Convolution:
    case OperatorKind::Lstm:
    case OperatorKind::Experts:
    case OperatorKind::Embedding:
    case OperatorKind::Dispatch:
    case OperatorKind::Combine:
      return true;
    default:
      return false;
  }
}

/// Operators in their order, cut at the places that one output passes: the ends of the parts, and those outputs.
struct Parts {
  std::vector<std::size_t> ends;
  std::vector<std::pair<std::size_t, std::size_t>> passing;  // operator and output, for all ends but the last
  std::vector<std::size_t> order;
};

Parts partsOf(const ComputationGraph& graph) {
  Parts parts{{}, {}, topologicalOrder(graph.operators.size(), graph.edges)};
  std::vector<std::size_t> position(graph.operators.size());
  for (std::size_t i = 0; i < parts.order.size(); ++i) position[parts.order[i]] = i;
  // By output its last reader.
  std::vector<std::vector<std::size_t>> last(graph.operators.size());
  for (std::size_t v = 0; v < last.size(); ++v) last[v].resize(graph.operators[v].tensors.size(), 0);
  for (const auto& edge : graph.edges) {
    std::size_t& reader = last[edge.from][edge.fromTensor];
    reader = std::max(reader, position[edge.to]);
  }
  std::vector<std::pair<std::size_t, std::size_t>> open;
  for (std::size_t i = 0; i < parts.order.size(); ++i) {
    const std::size_t v = parts.order[i];
    for (std::size_t t = 0; t < last[v].size(); ++t) {
      if (last[v][t] > i) open.emplace_back(v, t);
    }
    std::erase_if(open, [&](const auto& port) { return last[port.first][port.second] <= i; });
    const bool ends = i + 1 == parts.order.size();
    if (!ends && (open.size() != 1 || graph.operators[v].kind == OperatorKind::Share)) continue;
    parts.ends.push_back(i + 1);
    if (!ends) parts.passing.push_back(open.front());
  }
  return parts;
}

/// By part whether a layer ends with it: in the longest run of parts that repeat with some period once per period,
/// elsewhere always. `layers` becomes the number of periods, or of parts where none repeat.
std::vector<bool> layerEnds(const ComputationGraph& graph, const Parts& parts, std::int64_t& layers) {
  const std::size_t count = parts.ends.size();
  std::vector<std::vector<std::int64_t>> likeness(count);
  for (std::size_t part = 0; part < count; ++part) {
    for (std::size_t i = part == 0 ? 0 : parts.ends[part - 1]; i < parts.ends[part]; ++i) {
      const auto numbers = likenessOf(graph.operators[parts.order[i]]);
      likeness[part].insert(likeness[part].end(), numbers.begin(), numbers.end());
    }
  }
  constexpr std::size_t kMostPeriod = 16;
  std::size_t longest = 0;
  std::size_t first = 0;
  std::size_t period = 1;
  for (std::size_t tried = 1; tried <= std::min(kMostPeriod, count / 2); ++tried) {
    std::size_t run = 0;
    for (std::size_t part = tried; part < count; ++part) {
      run = likeness[part] == likeness[part - tried] ? run + 1 : 0;
      // A multiple of a period repeats the same parts, fewer of them.
      if (run < tried || run <= longest) continue;
      longest = run;
      period = tried;
      first = part + 1 - run - tried;
    }
  }
  std::vector<bool> ends(count, true);
  layers = static_cast<std::int64_t>(longest == 0 ? count : (longest + period) / period);
  if (longest == 0) return ends;
  for (std::size_t part = first; part < first + longest + period; ++part) {
    ends[part] = (part - first) % period == period - 1;
  }
  return ends;
}

/// Fills in keptBy, or rebuiltBy, and movesAgain.
class NeedList {
 public:
  NeedList(const ComputationGraph& graph, Recomputation recomputation)
      : m_graph(graph), m_recomputation(recomputation) {
    for (const Operator& op : graph.operators) {
      m_readers.emplace_back(op.tensors.size());
      m_sources.emplace_back(op.tensors.size(), kNone);
      m_checkpoints.emplace_back(op.tensors.size(), false);
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      m_readers[graph.edges[e].from][graph.edges[e].fromTensor].push_back(e);
      m_sources[graph.edges[e].to][graph.edges[e].toTensor] = e;
    }
  }

  void setCheckpoint(std::size_t op, std::size_t tensor) { m_checkpoints[op][tensor] = true; }

  void fill(std::vector<std::vector<BackwardNeeds::Need>>& needs, std::int64_t BackwardNeeds::Need::*kept) const {
    for (std::size_t v = 0; v < m_graph.operators.size(); ++v) {
      const Operator& op = m_graph.operators[v];
      for (std::size_t t = 0; t < op.tensors.size(); ++t) {
        if (op.tensors[t].role == Tensor::Role::Output) {
          if (op.kind != OperatorKind::Share) fillOutput(needs, kept, v, t);
        } else if (m_sources[v][t] == kNone && isNeeded(v, t)) {
          needs[v][t].*kept = 1;
        }
      }
    }
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  [[nodiscard]] bool runsAgain(std::size_t v) const {
    return inputsOf(m_graph.operators[v]) > 0 && isRecomputed(m_graph.operators[v].kind, m_recomputation);
  }

  /// A shared tensor is needed if one of its readers needs it.
  [[nodiscard]] bool isNeeded(std::size_t v, std::size_t tensor) const {
    const Operator& op = m_graph.operators[v];
    if (op.kind != OperatorKind::Share) return isInput(op.tensors[tensor]) && (needsInput(op, tensor) || runsAgain(v));
    const auto& readers = m_readers[v][1];
    return std::any_of(readers.begin(), readers.end(),
                       [&](std::size_t e) { return isNeeded(m_graph.edges[e].to, m_graph.edges[e].toTensor); });
  }

  void fillOutput(std::vector<std::vector<BackwardNeeds::Need>>& needs, std::int64_t BackwardNeeds::Need::*kept,
                  std::size_t v, std::size_t t) const {
    const Operator& op = m_graph.operators[v];
    std::vector<std::size_t> needing;
    for (const std::size_t e : m_readers[v][t]) {
      if (isNeeded(m_graph.edges[e].to, m_graph.edges[e].toTensor)) needing.push_back(e);
    }
    // The end of a pipeline stage is held by the stage.
    const bool isEnd = op.kind == OperatorKind::Reshape && inputsOf(op) == 0;
    const bool stored = !isEnd && (!runsAgain(v) || m_checkpoints[v][t]);
    const bool byReaders = stored && isKeptByReaders(op.kind) && !needing.empty();
    for (const std::size_t e : needing) {
      const ComputationGraph::Edge& edge = m_graph.edges[e];
      if (byReaders) needs[edge.to][edge.toTensor].*kept = static_cast<std::int64_t>(needing.size());
      moveAgain(needs, e, !byReaders);
    }
    if (!stored || byReaders) return;
    if (!needing.empty() || needsOutput(op.kind)) needs[v][t].*kept = 1;
  }

  void moveAgain(std::vector<std::vector<BackwardNeeds::Need>>& needs, std::size_t e, bool again) const {
    const ComputationGraph::Edge& edge = m_graph.edges[e];
    if (again) needs[edge.to][edge.toTensor].movesAgain = true;
    if (m_graph.operators[edge.to].kind != OperatorKind::Share) return;
    for (const std::size_t next : m_readers[edge.to][1]) {
      const ComputationGraph::Edge& to = m_graph.edges[next];
      if (isNeeded(to.to, to.toTensor)) moveAgain(needs, next, true);
    }
  }

  const ComputationGraph& m_graph;
  Recomputation m_recomputation;
  std::vector<std::vector<std::vector<std::size_t>>> m_readers;  // edges by operator and tensor
  std::vector<std::vector<std::size_t>> m_sources;               // edge by operator and tensor
  std::vector<std::vector<bool>> m_checkpoints;
};

}  // namespace

Result<Recomputation> recomputationFrom(std::string_view name) {
  const auto found = std::find(kRecomputationNames.begin(), kRecomputationNames.end(), name);
  if (found != kRecomputationNames.end()) return static_cast<Recomputation>(found - kRecomputationNames.begin());
  return Error{"\"" + std::string(name) + "\" is not a kind of recomputation; use none, selective or full"};
}

bool isRecomputed(OperatorKind kind, Recomputation recomputation) {
  if (recomputation == Recomputation::None) return false;
  return recomputation == Recomputation::Full || !isKeptByReaders(kind);
}

BackwardNeeds::BackwardNeeds(const ComputationGraph& graph, Recomputation recomputation) {
  for (const Operator& op : graph.operators) m_needs.emplace_back(op.tensors.size());
  NeedList list(graph, recomputation);
  if (recomputation == Recomputation::Full) {
    NeedList(graph, Recomputation::None).fill(m_needs, &Need::rebuiltBy);
    const Parts parts = partsOf(graph);
    const std::vector<bool> ends = layerEnds(graph, parts, m_layers);
    for (std::size_t part = 0; part < parts.passing.size(); ++part) {
      if (ends[part]) list.setCheckpoint(parts.passing[part].first, parts.passing[part].second);
    }
  }
  list.fill(m_needs, &Need::keptBy);
}

void BackwardNeeds::addTo(std::vector<std::int64_t>& likeness, std::size_t op) const {
  for (const Need& need : m_needs[op]) {
    likeness.push_back(need.keptBy);
    likeness.push_back(need.rebuiltBy);
    likeness.push_back(need.movesAgain ? 1 : 0);
  }
}

}  // namespace p2::inline strategy
