// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "placement/device_split.h"
#include "views/common/accessible_items.h"

namespace p2::views {

/// The parallelism matrix of a placement with headings for axes and levels. The mouse or the arrow keys point at a
/// factor, a row or a column; a click, Enter or Space pins it, Esc unpins it. Ctrl+C copies the matrix.
class MatrixView : public QWidget, public AccessibleItems {
  Q_OBJECT
 public:
  explicit MatrixView(QWidget* parent = nullptr);

  void showPlacement(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix);
  void clear();
  void setStale(bool stale);
  /// The part pointed at.
  [[nodiscard]] const MatrixPart& part() const { return m_hovered.empty() ? m_cursor : m_hovered; }
  /// Rectangle of a part.
  [[nodiscard]] QRectF rectOf(const MatrixPart& part) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
  [[nodiscard]] int itemCount() const override;
  [[nodiscard]] AccessibleItem itemAt(int index) const override;
  [[nodiscard]] int focusedItem() const override;

 signals:
  void partChanged();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// Row and column of the drawing: 0 is the headings', the factors begin at 1.
  struct Place {
    int row = 0;
    int column = 0;
  };
  [[nodiscard]] Place placeOf(const MatrixPart& part) const;
  [[nodiscard]] MatrixPart partAt(const Place& place) const;
  [[nodiscard]] MatrixPart partAt(QPointF point) const;
  [[nodiscard]] QString heading(const MatrixPart& part) const;
  void measure();
  void point(const MatrixPart& hovered, const MatrixPart& cursor);
  void walk(QPoint direction);
  void copy() const;
  void paintMarks(QPainter& painter) const;

  System m_system;
  std::unique_ptr<const Placement> m_placement;
  std::vector<double> m_lefts;  // left edges of the columns, headings first; one more for the end
  double m_line = 0;
  MatrixPart m_hovered;
  MatrixPart m_cursor;
  bool m_kept = false;  // the cursor stays when the keyboard goes
  bool m_stale = false;
};

}  // namespace p2::views
