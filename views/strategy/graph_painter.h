// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <vector>

#include "views/common/graph_layout.h"
#include "views/strategy/strategy_picture.h"

class QPainter;

namespace p2::views {

/// A picture with the places of all that it shows: of its vertices, its frames and its edges, those from copy to copy
/// too. In the unit of the layout.
struct PlacedPicture {
  StrategyPicture picture;
  std::vector<QRectF> nodes;
  std::vector<QRectF> frames;
  std::vector<QPainterPath> edges;  ///< as many as the picture has
  QRectF bounds;

  /// The edge that runs within a few units of a point, −1 for none. O(edges).
  [[nodiscard]] int edgeAt(QPointF point) const;
  /// The frame whose rectangle holds the point, −1 for none.
  [[nodiscard]] int frameAt(QPointF point) const;
};

/// `layout` belongs to the folded graph's shape; edges from copy to copy run up at the right of their frame.
[[nodiscard]] PlacedPicture placed(const GraphLayout& layout, StrategyPicture picture);

/// Paints a strategy in the unit of its layout.
class GraphPainter {
 public:
  struct State {
    int selected = -1;
    int hovered = -1;
    bool stale = false;
    double zoom = 1;  ///< pixels per unit: below a height of text that can be read there is none
  };
  GraphPainter(const PlacedPicture& placed, const State& state);

  void paint(QPainter& painter, const QRectF& visible) const;

 private:
  [[nodiscard]] bool isLit(std::size_t edge) const;
  [[nodiscard]] bool isLitVertex(std::size_t vertex) const;
  void paintFrame(QPainter& painter, std::size_t frame) const;
  void paintEdge(QPainter& painter, std::size_t edge) const;
  void paintVertex(QPainter& painter, std::size_t vertex) const;
  void paintTexts(QPainter& painter, const QRectF& rect, const StrategyPicture::Vertex& vertex) const;
  [[nodiscard]] QRectF paintMarks(QPainter& painter, QRectF line, const StrategyPicture::Vertex& vertex) const;
  void paintLabels(QPainter& painter) const;

  const PlacedPicture& m_placed;
  const StrategyPicture& m_picture;
  State m_state;
  bool m_readable;
};

}  // namespace p2::views
