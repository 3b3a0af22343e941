// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "strategy/graph_repeats.h"

namespace p2::cli {

/// A row of a listing of operators: one of them, or copies of a layer that are as one that is listed.
struct FoldedRow {
  std::size_t vertex = 0;  ///< or the first of the copies
  std::string copies;      ///< "layer 2–95"; empty for an operator
  std::string as;          ///< "as layer 1"
};

/// Which operators of a graph are listed one by one, and which layers by what they are like.
class StrategyFolds {
 public:
  /// `problem` and `graph`, which may be null, as in repeatsOf(); without `fold` everything is listed.
  StrategyFolds(const StrategyProblem& problem, const ComputationGraph* graph, bool fold);

  /// The rows of a listing in this order. Layers are folded whose operators all have the cells of a layer that is
  /// listed; where the listing has sections, those that are in one.
  [[nodiscard]] std::vector<FoldedRow> rows(const std::vector<std::size_t>& order,
                                            const std::function<std::vector<std::string>(std::size_t vertex)>& cells,
                                            const std::vector<std::size_t>& sections = {}) const;
  /// The same text for edges that lead from an operator of a layer to one of it, or of the next, wherever the layer is.
  [[nodiscard]] std::string kindOf(const StrategyProblem::Edge& edge) const;

 private:
  /// Where a vertex stands among the layers.
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

/// Rows that say the same of edges alike as one, and how many of them it stands for.
class FoldedEdges {
 public:
  explicit FoldedEdges(const StrategyFolds& folds) : m_folds(folds) {}
  void add(const StrategyProblem::Edge& edge, std::vector<std::string> cells, const std::string& said);
  /// In the order in which they came, each with "×95" behind where it stands for several.
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
