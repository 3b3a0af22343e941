// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/graph_likeness.h"

#include <array>
#include <map>

#include "base/numbers.h"

namespace p2::inline strategy {

std::vector<std::int64_t> likenessOf(const Operator& op) {
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(op.kind),
                                    static_cast<std::int64_t>(op.dimensions.size())};
  for (const Dimension& dimension : op.dimensions) {
    numbers.push_back(dimension.size);
    numbers.push_back((dimension.splittable ? 1 : 0) + (dimension.experts ? 2 : 0));
  }
  if (op.causal) numbers.push_back(-1);
  for (const Tensor& tensor : op.tensors) {
    numbers.push_back(static_cast<std::int64_t>(tensor.role));
    numbers.push_back(static_cast<std::int64_t>(tensor.dimensions.size()));
    for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
      numbers.push_back(static_cast<std::int64_t>(tensor.dimensions[i]));
      numbers.push_back(op.sizeAlong(tensor, i));
    }
  }
  return numbers;
}

Result<std::vector<std::size_t>> shareTables(const ComputationGraph& graph, std::string_view remedy,
                                             StrategyProblem& problem) {
  std::map<std::array<std::size_t, 4>, std::size_t> known;
  std::vector<std::size_t> users;
  Count cells;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const ComputationGraph::Edge& edge = graph.edges[e];
    const std::size_t from = problem.vertices[edge.from].domain;
    const std::size_t to = problem.vertices[edge.to].domain;
    const auto [table, fresh] = known.emplace(std::array{from, edge.fromTensor, to, edge.toTensor}, known.size());
    if (fresh) {
      const std::size_t rows = problem.domains[from].configurations.size();
      const std::size_t columns = problem.domains[to].configurations.size();
      cells += Count(rows) * Count(columns);
      problem.tables.push_back({rows, columns, {}});
      users.push_back(e);
    }
    problem.edges.push_back({edge.from, edge.to, table->second});
  }
  if (cells <= Count(kMostTableCells)) return users;
  return Error{"the cost tables of this graph have " + cells.toString() + " cells, more than " +
                   std::to_string(kMostTableCells) + "; " + std::string(remedy),
               {},
               ErrorKind::TooLarge};
}

}  // namespace p2::inline strategy
