// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/shared_tensors.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace p2::inline strategy {
namespace {

using Port = std::pair<std::size_t, std::size_t>;  // operator and output

std::string freshName(const ComputationGraph& graph, const Operator& source, const std::string& tensor,
                      std::set<std::string>& taken) {
  const auto outputs = std::count_if(source.tensors.begin(), source.tensors.end(),
                                     [](const Tensor& each) { return each.role == Tensor::Role::Output; });
  std::string name = source.name + (outputs > 1 ? " " + tensor : std::string()) + " shared";
  if (taken.empty()) {
    for (const Operator& op : graph.operators) taken.insert(op.name);
  }
  while (!taken.insert(name).second) name += "'";
  return name;
}

/// As many parts as there may be devices.
constexpr std::int64_t kMostReaders = std::int64_t{1} << 24;

Operator shareOf(const Operator& source, const Tensor& tensor) {
  Operator share{{}, OperatorKind::Share, {}, {}};
  Tensor input{"x", Tensor::Role::Input, {}};
  for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
    Dimension dimension = source.dimensions[tensor.dimensions[i]];
    dimension.size = source.sizeAlong(tensor, i);
    dimension.experts = false;
    input.dimensions.push_back(i);
    share.dimensions.push_back(std::move(dimension));
  }
  Tensor output = input;
  output.name = "y";
  output.role = Tensor::Role::Output;
  std::string readers = "readers";
  const auto isTaken = [&](const Dimension& each) { return each.name == readers; };
  while (std::any_of(share.dimensions.begin(), share.dimensions.end(), isTaken)) readers += "'";
  share.dimensions.push_back({readers, kMostReaders});
  share.tensors = {std::move(input), std::move(output)};
  return share;
}

}  // namespace

std::size_t sharedReaders(const Operator& op) { return op.dimensions.size() - 1; }

ComputationGraph withSharedTensors(ComputationGraph graph) {
  std::map<Port, std::size_t> readers;
  for (const ComputationGraph::Edge& edge : graph.edges) ++readers[{edge.from, edge.fromTensor}];
  std::map<Port, std::size_t> shares;
  std::set<std::string> taken;
  const std::vector<ComputationGraph::Edge> edges = std::move(graph.edges);
  graph.edges.clear();
  for (const ComputationGraph::Edge& edge : edges) {
    const Port port{edge.from, edge.fromTensor};
    const Operator& source = graph.operators[edge.from];
    const Tensor& tensor = source.tensors[edge.fromTensor];
    if (readers[port] < 2 || source.kind == OperatorKind::Share || tensor.dimensions.size() >= kMostDimensions) {
      graph.edges.push_back(edge);
      continue;
    }
    const auto [share, fresh] = shares.emplace(port, graph.operators.size());
    if (fresh) {
      Operator op = shareOf(source, tensor);
      op.name = freshName(graph, source, tensor.name, taken);
      graph.edges.push_back({edge.from, edge.fromTensor, share->second, 0});
      graph.operators.push_back(std::move(op));
    }
    graph.edges.push_back({share->second, 1, edge.to, edge.toTensor});
  }
  return graph;
}

}  // namespace p2::inline strategy
