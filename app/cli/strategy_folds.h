// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "strategy/graph_repeats.h"

namespace p2::cli {

/// A row of a listing of operators: one operator, or the copies of a layer that is listed once.
struct FoldedRow {
  std::size_t vertex = 0;  ///< or the first of the copies
  std::string copies;      ///< "layer 2–95"; empty for an operator
  std::string as;          ///< "as layer 1"
};

/// Folds a listing of operators: equal layers are listed once.
class StrategyFolds {
 public:
  /// `problem` and `graph`, which may be null, as in repeatsOf(); without `fold` everything is listed.
  StrategyFolds(const StrategyProblem& problem, const ComputationGraph* graph, bool fold);

  /// The rows of a listing in this order. A layer is folded if its operators have the same cells as a listed
  /// layer; in a listing with sections, only if it is within one section.
  [[nodiscard]] std::vector<FoldedRow> rows(const std::vector<std::size_t>& order,
                                            const std::function<std::vector<std::string>(std::size_t vertex)>& cells,
                                            const std::vector<std::size_t>& sections = {}) const;
  /// Key of an edge relative to its layer: equal for corresponding edges of all copies of a layer.
  [[nodiscard]] std::string kindOf(const StrategyProblem::Edge& edge) const;

 private:
  /// Place of a vertex among the layers.
  struct Place {
    std::size_t repeat = 0;
    std::size_t copy = 0;
    std::size_t at = 0;
  };
  [[nodiscard]] std::vector<std::size_t> likenessesOf(
      const Repeat& repeat, const std::function<std::vector<std::string>(std::size_t vertex)>& cells,
      const std::vector<std::size_t>& sections) const;
  [[nodiscard]] std::string nameOf(const Repeat& repeat, std::size_t first, std::size_t last) const;

  const StrategyProblem& m_problem;
  std::vector<Repeat> m_repeats;
  std::vector<std::optional<Place>> m_places;  ///< by vertex
};

/// Rows of edges: corresponding edges of equal layers with equal cells are one row with a count.
class FoldedEdges {
 public:
  explicit FoldedEdges(const StrategyFolds& folds) : m_folds(folds) {}
  void add(const StrategyProblem::Edge& edge, std::vector<std::string> cells, const std::string& stated);
  /// The rows in the order of adding, each with "×95" behind it if it stands for several.
  [[nodiscard]] std::vector<std::vector<std::string>> rows() &&;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::size_t count = 1;
  };
  const StrategyFolds& m_folds;
  std::vector<Row> m_rows;
  std::map<std::string, std::size_t> m_known;
};

}  // namespace p2::cli
