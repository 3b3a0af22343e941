// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/mark_grid.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "lesson/lesson_check.h"
#include "views/common/focus_ring.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kGap = 3;
constexpr int kLeastSide = 24;
constexpr int kInset = 4;  // of labels, within the frame of the focus

}  // namespace

MarkGrid::MarkGrid(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("markGrid"));
  setAccessibleName(tr("Cells to be marked"));
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

int MarkGrid::side() const { return std::max(kLeastSide, fontMetrics().height() * 3 / 2); }

int MarkGrid::labelWidth() const {
  int width = 0;
  for (const std::string& row : m_grid.rows) width = std::max(width, fontMetrics().horizontalAdvance(qs(row)));
  return kInset + width + Theme::kGrid;
}

int MarkGrid::headerHeight() const { return isList() ? 0 : fontMetrics().height() + kGap; }

QSize MarkGrid::sizeHint() const {
  const int cells = isList() ? 1 : int(m_grid.columns.size());
  return {labelWidth() + cells * (side() + kGap) + kGap,
          headerHeight() + int(m_grid.rows.size()) * (side() + kGap) + kGap};
}

void MarkGrid::setGrid(const PaintGrid& grid) {
  m_grid = grid;
  m_marks.assign(grid.right.size(), false);
  m_wrong.clear();
  m_cursor = 0;
  updateGeometry();
  describe();
  update();
}

void MarkGrid::setMarks(std::vector<bool> marks) {
  m_marks = std::move(marks);
  m_wrong.clear();
  describe();
  update();
}

void MarkGrid::setWrong(std::map<std::size_t, QString> wrong) {
  m_wrong = std::move(wrong);
  if (!m_wrong.empty()) m_cursor = m_wrong.begin()->first;
  describe();
  // The first reason is shown next to the grid; here the reasons of the visited cells.
  emit reasonWanted({});
  update();
}

QRect MarkGrid::rectOf(std::size_t cell) const {
  const int row = int(cell / m_grid.columns.size());
  const int column = int(cell % m_grid.columns.size());
  // A list reads as one: the box stands before its text.
  const int left = isList() ? kGap : labelWidth();
  return {left + column * (side() + kGap), headerHeight() + kGap + row * (side() + kGap), side(), side()};
}

int MarkGrid::cellAt(QPoint point) const {
  for (std::size_t cell = 0; cell < m_marks.size(); ++cell) {
    QRect rect = rectOf(cell).adjusted(-kGap / 2, -kGap / 2, kGap / 2, kGap / 2);
    if (isList()) rect.setRight(width());
    if (rect.contains(point)) return int(cell);
  }
  return -1;
}

void MarkGrid::setMark(std::size_t cell, bool mark) {
  if (m_marks[cell] == mark) return;
  m_marks[cell] = mark;
  m_wrong.clear();
  emit marked();
  update();
}

void MarkGrid::moveTo(std::size_t cell) {
  m_cursor = cell;
  describe();
  update();
}

void MarkGrid::describe() {
  if (m_marks.empty()) return;
  const auto reason = m_wrong.find(m_cursor);
  const QString why = reason == m_wrong.end() ? QString() : reason->second;
  QString text = qs(cellName(m_grid, m_cursor)) + (m_marks[m_cursor] ? tr(", marked") : tr(", not marked"));
  if (!why.isEmpty()) text += tr("; wrong: %1").arg(why);
  setAccessibleDescription(text);
  emit reasonWanted(why);
}

void MarkGrid::paintCell(QPainter& painter, std::size_t cell) const {
  const QRectF rect = QRectF(rectOf(cell)).adjusted(0.5, 0.5, -0.5, -0.5);
  const bool wrong = m_wrong.contains(cell);
  painter.setPen(QPen(wrong ? Theme::bad() : Theme::mutedText(), wrong ? 2.5 : 1));
  painter.setBrush(m_marks[cell] ? Theme::accent() : Theme::surface());
  painter.drawRoundedRect(rect, 3, 3);
  if (wrong) {
    const QRectF sign =
        rect.adjusted(rect.width() * 0.3, rect.height() * 0.3, -rect.width() * 0.3, -rect.height() * 0.3);
    painter.setPen(QPen(m_marks[cell] ? Theme::onAccent() : Theme::bad(), 2));
    if (m_marks[cell]) {
      painter.drawLine(sign.topLeft(), sign.bottomRight());
      painter.drawLine(sign.topRight(), sign.bottomLeft());
    } else {
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(sign);
    }
  }
  if (cell != m_cursor || !hasFocus()) return;
  painter.setPen(QPen(Theme::text(), 2, Qt::DotLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), 4, 4);
}

void MarkGrid::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const std::size_t columns = m_grid.columns.size();
  if (!isList() && !m_marks.empty()) {
    painter.setPen(Theme::mutedText());
    painter.drawText(QRect(0, 0, labelWidth() - Theme::kGrid, headerHeight()), Qt::AlignRight | Qt::AlignVCenter,
                     tr("all"));
  }
  for (std::size_t cell = 0; cell < m_marks.size(); ++cell) {
    paintCell(painter, cell);
    const QRect rect = rectOf(cell);
    painter.setPen(Theme::text());
    if (cell % columns == 0) {
      const QRect label = isList() ? QRect(rect.right() + Theme::kGrid, rect.top(), width(), rect.height())
                                   : QRect(0, rect.top(), labelWidth() - Theme::kGrid, rect.height());
      painter.drawText(label, int(Qt::AlignVCenter | (isList() ? Qt::AlignLeft : Qt::AlignRight)),
                       qs(m_grid.rows[cell / columns]));
    }
    if (!isList() && cell < columns) {
      painter.drawText(QRect(rect.left() - kGap, 0, rect.width() + 2 * kGap, headerHeight()), Qt::AlignCenter,
                       qs(m_grid.columns[cell]));
    }
  }
}

void MarkGrid::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || markLine(event->position().toPoint())) return;
  const int cell = cellAt(event->position().toPoint());
  if (cell < 0) return;
  m_painting = !m_marks[std::size_t(cell)];
  setMark(std::size_t(cell), m_painting);
  moveTo(std::size_t(cell));
}

// A column or a row of cells that all have to change is one click on its header, and all cells one in the corner.
bool MarkGrid::markLine(QPoint point) {
  if (isList() || m_marks.empty()) return false;
  const std::size_t columns = m_grid.columns.size();
  const std::size_t rows = m_grid.rows.size();
  std::vector<std::size_t> line;
  for (std::size_t cell = 0; cell < m_marks.size(); ++cell) {
    const QRect rect = rectOf(cell);
    const bool above = point.y() < headerHeight() && point.x() >= rect.left() && point.x() <= rect.right();
    const bool left = point.x() < labelWidth() && point.y() >= rect.top() && point.y() <= rect.bottom();
    const bool corner = point.x() < labelWidth() && point.y() < headerHeight();
    if (above || left || corner) line.push_back(cell);
  }
  if (line.size() != rows && line.size() != columns && line.size() != m_marks.size()) return false;
  toggle(line);
  moveTo(line.front());
  return true;
}

void MarkGrid::toggle(const std::vector<std::size_t>& line) {
  const bool mark = !std::all_of(line.begin(), line.end(), [this](std::size_t cell) { return m_marks[cell]; });
  for (const std::size_t cell : line) setMark(cell, mark);
}

void MarkGrid::toggleAtCursor(bool wholeRow, bool wholeColumn) {
  const std::size_t columns = m_grid.columns.size();
  std::vector<std::size_t> line;
  for (std::size_t cell = 0; cell < m_marks.size(); ++cell) {
    const bool inRow = wholeColumn || cell / columns == m_cursor / columns;
    const bool inColumn = wholeRow || cell % columns == m_cursor % columns;
    if (inRow && inColumn) line.push_back(cell);
  }
  toggle(line);
  describe();
}

void MarkGrid::mouseMoveEvent(QMouseEvent* event) {
  const int cell = cellAt(event->position().toPoint());
  if (cell < 0) return;
  if ((event->buttons() & Qt::LeftButton) != 0) {
    setMark(std::size_t(cell), m_painting);
    moveTo(std::size_t(cell));
    return;
  }
  const auto reason = m_wrong.find(std::size_t(cell));
  if (reason != m_wrong.end()) emit reasonWanted(reason->second);
}

void MarkGrid::keyPressEvent(QKeyEvent* event) {
  if (m_marks.empty()) return QWidget::keyPressEvent(event);
  const std::size_t columns = m_grid.columns.size();
  const std::size_t row = m_cursor / columns;
  const std::size_t column = m_cursor % columns;
  switch (event->key()) {
    case Qt::Key_Left:
      return moveTo(row * columns + (column > 0 ? column - 1 : 0));
    case Qt::Key_Right:
      return moveTo(row * columns + std::min(columns - 1, column + 1));
    case Qt::Key_Up:
      return moveTo((row > 0 ? row - 1 : 0) * columns + column);
    case Qt::Key_Down:
      return moveTo(std::min(m_grid.rows.size() - 1, row + 1) * columns + column);
    case Qt::Key_Space:
      return toggleAtCursor((event->modifiers() & Qt::ShiftModifier) != 0,
                            (event->modifiers() & Qt::ControlModifier) != 0);
    case Qt::Key_A:
      if (event->modifiers() != Qt::ControlModifier) return QWidget::keyPressEvent(event);
      return toggleAtCursor(true, true);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      emit answered();
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

bool MarkGrid::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int cell = cellAt(help->pos());
    const auto reason = cell < 0 ? m_wrong.end() : m_wrong.find(std::size_t(cell));
    const QString tip = cell < 0                  ? QString()
                        : reason == m_wrong.end() ? qs(cellName(m_grid, std::size_t(cell)))
                                                  : reason->second;
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
  }
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
  return QWidget::event(event);
}

void MarkGrid::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
  if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace p2::views
