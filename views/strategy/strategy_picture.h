// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "views/strategy/strategy_instance.h"

namespace p2::views {

/// What the graph shows of one strategy, as texts and shares of its cost.
struct StrategyPicture {
  struct Vertex {
    QString name;
    QString kind;   ///< "Gemm"; empty when the vertex does not say
    QString marks;  ///< "m÷4 k÷2"
    QString cost;
    double share = 0;  ///< of the total cost
    bool pinned = false;
    QString instead;  ///< marks in the strategy it is compared with, where they differ
    friend bool operator==(const Vertex&, const Vertex&) = default;
  };
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    QString cost;
    double share = 0;
    QString by;  ///< the collectives that redistribute its tensor, where they are known
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
  double largestShare = 0;  ///< of a vertex or an edge: what the colours end at

  /// "fc1 (Gemm): m÷4 k÷2, 1.2 ms, 12 % of the cost; pinned".
  [[nodiscard]] QString textOf(std::size_t vertex) const;
  /// A line for every edge that comes in and costs something: "from act: 0.3 ms, AllGather over y".
  [[nodiscard]] QStringList exchangesInto(std::size_t vertex) const;
  friend bool operator==(const StrategyPicture&, const StrategyPicture&) = default;
};

/// The picture of a choice, compared with another one. O(vertices + edges).
[[nodiscard]] StrategyPicture pictureOf(const StrategyInstance& instance, const Pins& pins, const Strategy& shown,
                                        const Strategy& comparedWith);

}  // namespace p2::views
