// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/canvas.h"
#include "views/literal/literal_run.h"

namespace p2::views {

/// The graph at one moment of a run: v_min, the vertices that lose rows, the finished ones, and in the end the choice.
/// A click or Enter picks a vertex, whose table is then shown; once one is picked the arrow keys walk, until Esc gives
/// them back to the steps.
class LiteralGraphView : public Canvas {
  Q_OBJECT
 public:
  explicit LiteralGraphView(QWidget* parent = nullptr);

  /// Clears the view for a null run. No vertex is picked.
  void setRun(std::shared_ptr<const LiteralRun> run);
  void setMoment(std::size_t moment);
  /// −1 for none.
  [[nodiscard]] int picked() const { return m_picked; }
  /// Rectangle of a vertex, in widget coordinates.
  [[nodiscard]] QRectF rectOf(int vertex) const;
  /// Small graphs are blown up until their text is that high.
  void setTextPixels(int pixels);

 signals:
  void vertexPicked(int vertex);  ///< by the user; −1 for none

 protected:
  [[nodiscard]] QRectF drawingBounds() const override;
  [[nodiscard]] double mostFittedZoom() const override { return m_mostFittedZoom; }
  void paintDrawing(QPainter& painter, const QRectF& visible) override;
  void hovered(std::optional<QPointF> point) override;
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Part { Waiting, Chosen, Neighbour, LosesRows, Processed };
  [[nodiscard]] Part partOf(std::size_t vertex) const;
  [[nodiscard]] bool isNeighbour(std::size_t vertex, std::size_t of) const;
  [[nodiscard]] QString stateText(std::size_t vertex) const;
  [[nodiscard]] QString fullText(int vertex) const;
  void paintVertex(QPainter& painter, std::size_t vertex) const;
  void pick(int vertex);

  std::shared_ptr<const LiteralRun> m_run;
  std::size_t m_moment = 0;
  QPointF m_pressedAt;
  int m_picked = -1;
  double m_mostFittedZoom = Navigation::kMostFittedZoom;
};

}  // namespace p2::views
