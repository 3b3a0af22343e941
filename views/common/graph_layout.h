// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <stop_token>
#include <vector>

#include "base/result.h"

namespace p2::views {

/// Input of a layout: boxes of given sizes, and arrows between them.
struct GraphShape {
  struct Edge {
    std::size_t from = 0;  ///< indices into nodes
    std::size_t to = 0;
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::vector<QSizeF> nodes;
  std::vector<Edge> edges;
  /// Nodes that stay together, with a frame around them into which no other node comes.
  std::vector<std::vector<std::size_t>> clusters = {};
  friend bool operator==(const GraphShape&, const GraphShape&) = default;
};

/// Positions of vertices and arrows, arrows pointing downwards, in the unit of the sizes.
struct GraphLayout {
  std::vector<QRectF> nodes;
  std::vector<QPainterPath> edges;    ///< as many as the shape has, each from its source to its target
  std::vector<QRectF> clusters = {};  ///< their frames, kClusterMargin around their nodes
  QRectF bounds;

  /// The node whose box holds the point, −1 for none. O(nodes).
  [[nodiscard]] int nodeAt(QPointF point) const;
  /// The nearest node in a direction (one of the unit vectors), or the same one at the edge. O(nodes).
  [[nodiscard]] int neighbour(int node, QPoint direction) const;
};

/// Room between the frame of a cluster and its nodes: for its title above them, for arrows at their side.
inline constexpr double kClusterMargin = 32;
inline constexpr std::size_t kMostLaidOutNodes = 2000;
inline constexpr std::size_t kMostLaidOutEdges = 10'000;

/// Layers by graphviz's dot, which runs as a program of its own. A graph much longer than wide is folded into columns
/// side by side, read from the left, to come near `aspect` (width / height). Errors: more than kMostLaidOutNodes or
/// kMostLaidOutEdges, errors of layersByDot().
[[nodiscard]] Result<GraphLayout> layoutGraph(const GraphShape& shape, double aspect, std::stop_token stop = {});

}  // namespace p2::views
