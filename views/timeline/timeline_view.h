// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>

#include "views/common/accessible_items.h"
#include "views/common/view_figure.h"
#include "views/timeline/timeline_painter.h"

namespace p2::views {

/// A timeline to walk around in as in Perfetto: the wheel and W, S zoom at the pointer, Shift with the wheel, dragging
/// and A, D pan, 0 shows all; the arrow keys go from slice to slice, Enter follows one. A line below the
/// drawing describes the slice under the mouse, or the chosen one; a legend names the kinds.
class TimelineView : public QAbstractScrollArea, public AccessibleItems {
  Q_OBJECT
 public:
  explicit TimelineView(QWidget* parent = nullptr);

  /// Another timeline; null for none. The part that is seen stays if the end is the same.
  void show(std::shared_ptr<const p2::Timeline> timeline);
  void setStale(bool stale);

  /// Seconds at both edges.
  [[nodiscard]] std::pair<double, double> shown() const { return {m_from, m_to}; }
  /// Shows this part of the time, as far as there is one.
  void showTime(double from, double to);
  void showAll();
  /// The number of the chosen slice in the timeline; none without one.
  [[nodiscard]] std::optional<std::uint32_t> chosen() const { return m_chosen; }
  void choose(std::optional<std::uint32_t> slice);
  /// The slice at a point of the viewport.
  [[nodiscard]] std::optional<std::uint32_t> sliceAt(QPointF point) const;
  /// Text of the line below the drawing.
  [[nodiscard]] QString statusText() const;
  /// The shown time with all rows and the legend, without the status line, for a figure.
  [[nodiscard]] ViewPicture picture() const;
  /// Rectangles of slices in the last painting.
  [[nodiscard]] int painted() const { return m_painted; }

  [[nodiscard]] int itemCount() const override;
  [[nodiscard]] AccessibleItem itemAt(int index) const override;
  [[nodiscard]] int focusedItem() const override;
  [[nodiscard]] QSize sizeHint() const override;

 signals:
  /// The user chose a slice: its number.
  void chosenChanged();
  /// The user follows a slice: double click, Enter.
  void followed(std::uint32_t slice);

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  [[nodiscard]] double rowHeight() const;
  [[nodiscard]] QRectF axisRect() const;
  [[nodiscard]] double legendHeight() const;
  /// Whether there is room for it: the rows have at least as much.
  [[nodiscard]] bool showsLegend() const;
  [[nodiscard]] TimelineWindow window() const;
  [[nodiscard]] std::optional<std::size_t> rowOf(std::uint32_t slice) const;
  [[nodiscard]] QRectF rectOf(std::uint32_t slice) const;
  void arrange();
  /// Returns the number of painted rectangles.
  int paint(QPainter& painter) const;
  void paintBelow(QPainter& painter) const;
  [[nodiscard]] double pointedTime() const;
  void zoomAt(double time, double factor);
  void pan(double seconds);
  void step(int rows, int slices);
  void reveal(std::uint32_t slice);
  bool panByKey(int key);
  void hover(std::optional<std::uint32_t> slice);
  /// Looks up the slice under the mouse after the drawing has moved.
  void hoverAgain();
  /// Paints the legend, or only measures it; its height.
  double paintLegend(QPainter* painter, double top) const;

  TimelineRows m_rows;
  TimelineLayout m_layout;
  double m_row = 20;  // height
  double m_from = 0;
  double m_to = 1;
  bool m_whole = true;
  bool m_isFigure = false;
  bool m_hasLegend = true;
  bool m_stale = false;
  std::optional<std::uint32_t> m_chosen;
  std::optional<std::uint32_t> m_hovered;
  std::optional<QPointF> m_pointer;  ///< position of the mouse over the viewport
  QPointF m_pressed;
  std::optional<QPointF> m_dragged;
  bool m_moved = false;
  int m_painted = 0;
};

}  // namespace p2::views
