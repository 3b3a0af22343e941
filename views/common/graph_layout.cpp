// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/graph_layout.h"

#include <cmath>
#include <limits>
#include <string>

#include "views/common/dot_program.h"
#include "views/common/graph_folding.h"

namespace p2::views {

int GraphLayout::nodeAt(QPointF point) const {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].contains(point)) return int(i);
  }
  return -1;
}

int GraphLayout::neighbour(int node, QPoint direction) const {
  const QPointF from = nodes[std::size_t(node)].center();
  int nearest = node;
  double least = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const QPointF way = nodes[i].center() - from;
    const double ahead = QPointF::dotProduct(way, direction);
    const double aside = std::abs(way.x() * direction.y()) + std::abs(way.y() * direction.x());
    if (ahead < 1) continue;
    // Straight ahead counts for more than near.
    const double distance = ahead + 3 * aside;
    if (distance < least) {
      least = distance;
      nearest = int(i);
    }
  }
  return nearest;
}

Result<GraphLayout> layoutGraph(const GraphShape& shape, double aspect, std::stop_token stop) {
  if (shape.nodes.size() > kMostLaidOutNodes) {
    return Error{"a graph of " + std::to_string(shape.nodes.size()) + " vertices is too large to draw; the most is " +
                     std::to_string(kMostLaidOutNodes),
                 {},
                 ErrorKind::TooLarge};
  }
  if (shape.edges.size() > kMostLaidOutEdges) {
    return Error{"a graph of " + std::to_string(shape.edges.size()) + " edges is too large to draw; the most is " +
                     std::to_string(kMostLaidOutEdges),
                 {},
                 ErrorKind::TooLarge};
  }
  if (stop.stop_requested()) return cancelledError();
  if (shape.nodes.empty()) return GraphLayout();
  P2_TRY_ASSIGN(auto layers, layersByDot(shape, stop));
  return folded(std::move(layers), shape, aspect);
}

}  // namespace p2::views
