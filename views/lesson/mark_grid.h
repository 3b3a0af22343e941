// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <vector>

#include "lesson/lesson_page.h"

namespace p2::views {

/// A grid whose cells are marked by clicking, dragging, a click on the header of a row or column, a click on "all" in
/// the corner, or the arrow keys and Space. Wrong cells, a cross for a mark too many and a ring for a missing one, give
/// their reasons in a tool tip and to the cursor.
class MarkGrid : public QWidget {
  Q_OBJECT
 public:
  explicit MarkGrid(QWidget* parent = nullptr);

  /// Nothing is marked.
  void setGrid(const PaintGrid& grid);
  [[nodiscard]] const std::vector<bool>& marks() const { return m_marks; }
  void setMarks(std::vector<bool> marks);
  /// Wrong cells with reasons; cleared by the next mark.
  void setWrong(std::map<std::size_t, QString> wrong);
  [[nodiscard]] std::size_t cursor() const { return m_cursor; }
  /// Rectangle of a cell.
  [[nodiscard]] QRect rectOf(std::size_t cell) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  void marked();                      ///< by the user
  void answered();                    ///< Enter
  void reasonWanted(QString reason);  ///< for the cell under the cursor or mouse; empty for none

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  [[nodiscard]] int side() const;
  [[nodiscard]] int labelWidth() const;
  [[nodiscard]] int headerHeight() const;
  [[nodiscard]] bool isList() const { return m_grid.columns.size() == 1; }
  [[nodiscard]] int cellAt(QPoint point) const;
  void setMark(std::size_t cell, bool mark);
  /// Marks the row or column whose header is at the point, or every cell in the corner; clears them if all are marked.
  bool markLine(QPoint point);
  /// Marks these cells; clears them if all are marked.
  void toggle(const std::vector<std::size_t>& line);
  void toggleAtCursor(bool wholeRow, bool wholeColumn);
  void moveTo(std::size_t cell);
  void describe();
  void paintCell(QPainter& painter, std::size_t cell) const;

  PaintGrid m_grid;
  std::vector<bool> m_marks;
  std::map<std::size_t, QString> m_wrong;
  std::size_t m_cursor = 0;
  bool m_painting = false;  // what dragging leaves behind
};

}  // namespace p2::views
