// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "strategy/graph_repeats.h"
#include "views/common/graph_layout.h"

namespace p2::views {

/// A graph in which the copies of a repeated part are one, as it is drawn and listed.
struct FoldedGraph {
  struct Node {
    std::vector<std::size_t> vertices;       ///< vertices of the problem: one, or one of every copy
    std::optional<std::size_t> frame = {};   ///< the folded part that it belongs to
    std::optional<std::size_t> repeat = {};  ///< the repeat that its vertices belong to, folded or not
  };
  struct Edge {
    std::size_t from = 0;  ///< nodes
    std::size_t to = 0;
    bool again = false;              ///< from a copy to another one of the same part
    std::vector<std::size_t> edges;  ///< edges of the problem, one or more
  };
  /// A part that is folded.
  struct Frame {
    std::size_t repeat = 0;          ///< index into the repeats
    std::vector<std::size_t> nodes;  ///< in the order of a copy's vertices
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Frame> frames;
  std::vector<std::size_t> nodeOf;  ///< by vertex

  /// Boxes, frames and arrows to lay out; those from copy to copy run next to their frame and are none of it.
  [[nodiscard]] GraphShape shape(QSizeF node) const;
};

/// Folds all repeats but the open ones. Without any, node i is vertex i and edge i is edge i. O(vertices + edges ·
/// log).
[[nodiscard]] FoldedGraph foldedGraph(const StrategyProblem& problem, const ComputationGraph* graph,
                                      const std::vector<Repeat>& repeats, const std::vector<bool>& open);

}  // namespace p2::views
