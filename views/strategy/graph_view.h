// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/canvas.h"
#include "views/strategy/graph_painter.h"

namespace p2::views {

/// A computation graph with the strategy chosen for it, layers folded. Vertices are selected by a click or by walking
/// with the arrow keys; the one under the mouse lights up with its neighbours. A double click on a frame unfolds it.
class GraphView : public Canvas {
  Q_OBJECT
 public:
  /// Size of a vertex in the drawing.
  static constexpr QSizeF kVertexSize{184, 48};

  explicit GraphView(QWidget* parent = nullptr);

  /// The graph to draw: a layout of the folded graph that the picture is of.
  void setGraph(GraphLayout layout, StrategyPicture picture);
  /// Another strategy for the same graph.
  void setPicture(StrategyPicture picture);
  void setStale(bool stale);
  [[nodiscard]] int vertexCount() const { return int(m_layout.nodes.size()); }
  [[nodiscard]] const StrategyPicture& picture() const { return m_placed.picture; }
  [[nodiscard]] int selected() const { return m_selected; }
  /// Selects a vertex and brings it into view; −1 selects none.
  void select(int vertex);
  /// Rectangle of a vertex, in widget coordinates.
  [[nodiscard]] QRectF rectOf(int vertex) const;
  /// Rectangle of a folded part, likewise.
  [[nodiscard]] QRectF frameRectOf(int frame) const;

 public slots:
  void fit() override;

 signals:
  void vertexSelected(int vertex);
  void vertexActivated(int vertex);  ///< by Enter or a double click
  void pinToggled(int vertex);       ///< by P
  void foldToggled(int vertex);      ///< by F
  void unfoldWanted(int frame);      ///< by a double click
  /// Asks for the menu of a vertex or, if it is −1, of a frame, by mouse or key.
  void menuWanted(int vertex, int frame, QPoint at);

 protected:
  [[nodiscard]] QRectF drawingBounds() const override { return m_layout.bounds; }
  [[nodiscard]] double mostFittedZoom() const override;
  void paintDrawing(QPainter& painter, const QRectF& visible) override;
  void hovered(std::optional<QPointF> point) override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void navigated() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  [[nodiscard]] QString textAt(QPointF point) const;
  void paintLegend(QPainter& painter) const;
  [[nodiscard]] double sameTextZoom() const;  // at which the drawing's text is as large as the window's
  void keepLegendFree();
  void describe();
  void begin();
  void makeReadable();

  GraphLayout m_layout;
  PlacedPicture m_placed;
  QPointF m_pressedAt;
  int m_selected = -1;
  int m_hovered = -1;
  bool m_stale = false;
  bool m_begins = false;   // not zoomed or panned yet
  bool m_placing = false;  // it is the view itself that zooms
};

}  // namespace p2::views
