// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/canvas.h"
#include "views/common/graph_layout.h"
#include "views/strategy/strategy_picture.h"

namespace p2::views {

/// A computation graph with the strategy chosen for it. Vertices are selected by a click or by walking with the arrow
/// keys; the one under the mouse lights up with its neighbours.
class GraphView : public Canvas {
  Q_OBJECT
 public:
  /// What a vertex takes in the drawing.
  static constexpr QSizeF kVertexSize{184, 48};

  explicit GraphView(QWidget* parent = nullptr);

  /// The graph to draw: a layout with a box per vertex and a path per edge of the picture.
  void setGraph(GraphLayout layout, StrategyPicture picture);
  /// Another strategy for the same graph.
  void setPicture(StrategyPicture picture);
  void setStale(bool stale);
  [[nodiscard]] int vertexCount() const { return int(m_layout.nodes.size()); }
  [[nodiscard]] int selected() const { return m_selected; }
  /// Selects a vertex and brings it into view; −1 selects none.
  void select(int vertex);
  /// Where a vertex is drawn, in widget coordinates.
  [[nodiscard]] QRectF rectOf(int vertex) const;

 signals:
  void vertexSelected(int vertex);
  void vertexActivated(int vertex);  ///< by Enter or a double click
  void pinToggled(int vertex);       ///< by P

 protected:
  [[nodiscard]] QRectF drawingBounds() const override { return m_layout.bounds; }
  void paintDrawing(QPainter& painter, const QRectF& visible) override;
  void hovered(std::optional<QPointF> point) override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] bool isLit(std::size_t edge) const;
  [[nodiscard]] bool isLitVertex(std::size_t vertex) const;
  void paintEdge(QPainter& painter, std::size_t edge) const;
  void paintVertex(QPainter& painter, std::size_t vertex) const;
  void paintTexts(QPainter& painter, const QRectF& rect, const StrategyPicture::Vertex& vertex) const;
  void paintLegend(QPainter& painter) const;
  void describe();

  GraphLayout m_layout;
  StrategyPicture m_picture;
  QPointF m_pressedAt;
  int m_selected = -1;
  int m_hovered = -1;
  bool m_stale = false;
};

}  // namespace p2::views
