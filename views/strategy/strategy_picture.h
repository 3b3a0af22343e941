// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "mapping/mapping.h"
#include "views/strategy/folded_graph.h"
#include "views/strategy/strategy_instance.h"

namespace p2::views {

/// A strategy as it is drawn and listed: per node of the folded graph its split and its share of the
/// cost. A node of several vertices counts for all of them, and shows the one that most copies are like.
struct StrategyPicture {
  struct Vertex {
    QString name;
    QString kind;      ///< "Gemm"; empty when the vertex does not say
    QString marks;     ///< "m÷4 k÷2"
    QString cost;      ///< by itself, of all its vertices
    double share = 0;  ///< share of the total cost
    bool pinned = false;
    QString instead;                         ///< marks in the strategy it is compared with, where they differ
    std::vector<std::size_t> vertices = {};  ///< vertices of the problem; the first one is shown
    CostSplit costs = {};                    ///< with what its inputs take to get there
    std::size_t pins = 0;                    ///< pinned ones of its vertices
    QString others = {};                     ///< "2× m÷8": what other copies do
    QString stage = {};                      ///< "stage 3", "stages 1–16": of a pipeline; empty without one
    std::optional<std::size_t> repeat = {};  ///< the instance's repeats that its vertices belong to, folded or not
  };
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    QString cost;
    double share = 0;
    QString by;          ///< the collectives that redistribute its tensor, where they are known
    QString shortly;     ///< resharding in a few letters: "AG y, RS y back"
    bool again = false;  ///< from a copy to the next
  };
  /// A repeated part that is folded.
  struct Frame {
    QString title;            ///< "layer 1–24 ×24"
    QString variants;         ///< "×22 the same, ×2 other"; empty where all are equal
    QString share;            ///< "71 % of the cost"
    QStringList differences;  ///< a line for every copy that differs
    std::size_t repeat = 0;
    std::vector<std::size_t> nodes;
  };
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
  std::vector<Frame> frames;
  double total = 0;         ///< cost of the strategy
  double largestShare = 0;  ///< highest cost of a vertex or an edge: the end of the colours

  /// Adds to every vertex the stages of its operators, counted from 0 in `stages`; empty for none.
  void nameStages(const std::vector<std::size_t>& stages);
  /// The vertex of the largest share; 0 where there is none.
  [[nodiscard]] int costliest() const;
  /// "fc1 (Gemm): m÷4 k÷2, 1.2 ms, 12 % of the cost; pinned".
  [[nodiscard]] QString textOf(std::size_t vertex) const;
  /// "act → fc1: 0.3 ms, 2.5 % of the whole, AllGather over y".
  [[nodiscard]] QString edgeText(std::size_t edge) const;
  /// A line for every edge that comes in and costs something: "from act: 0.3 ms, AllGather over y".
  [[nodiscard]] QStringList reshardingsInto(std::size_t vertex) const;
};

/// The picture of a choice, compared with another one. O(vertices + edges).
[[nodiscard]] StrategyPicture pictureOf(const StrategyInstance& instance, const Pins& pins, const Strategy& shown,
                                        const Strategy& comparedWith, const FoldedGraph& folded);
/// With nothing folded.
[[nodiscard]] StrategyPicture pictureOf(const StrategyInstance& instance, const Pins& pins, const Strategy& shown,
                                        const Strategy& comparedWith);

}  // namespace p2::views
