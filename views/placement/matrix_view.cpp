// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/matrix_view.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "views/common/focus_ring.h"
#include "views/common/matrix_painter.h"
#include "views/common/navigation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/placement/split_text.h"

namespace p2::views {
namespace {

constexpr double kPadding = 8;   // margin of a column, on either side
constexpr double kBrackets = 8;  // between the headings and the factors
constexpr double kMargin = 6;    // round everything
constexpr int kMostHeading = 160;

}  // namespace

MatrixView::MatrixView(QWidget* parent) : QWidget(parent) {
  exposeAccessibleItems(*this);
  setObjectName(QStringLiteral("placementMatrix"));
  setAccessibleName(tr("Matrix of the selected placement"));
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
  measure();
}

void MatrixView::showPlacement(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  const bool sameShape = m_placement && m_system.levels.size() == system.levels.size() && m_placement->axes() == axes;
  m_system = system;
  m_placement = std::make_unique<Placement>(axes, matrix);
  measure();
  if (!sameShape) {
    m_kept = false;
    point({}, {});
  }
}

void MatrixView::clear() {
  m_placement.reset();
  m_kept = false;
  measure();
  point({}, {});
}

void MatrixView::setStale(bool stale) {
  m_stale = stale;
  update();
}

QString MatrixView::heading(const MatrixPart& part) const {
  if (part.axis) {
    const Axis& axis = m_placement->axes()[*part.axis];
    const QString name = qs(axis.name) + ' ' + QString::number(axis.size);
    return axis.reduce ? name + QStringLiteral(" Σ") : name;
  }
  const Level& level = m_system.levels[*part.level];
  return qs(level.name) + ' ' + QString::number(level.count);
}

void MatrixView::measure() {
  const QFontMetricsF metrics(Theme::tabularFont());
  m_line = metrics.lineSpacing() + 4;
  m_lefts.assign(2, kMargin);
  if (m_placement) {
    const ParallelismMatrix& matrix = m_placement->matrix();
    double side = 0;
    for (std::size_t axis = 0; axis < matrix.rows(); ++axis) {
      side = std::max(side, metrics.horizontalAdvance(heading({axis, {}})));
    }
    m_lefts[1] = std::ceil(std::min<double>(side, kMostHeading) + kPadding + kBrackets + kMargin);
    for (std::size_t level = 0; level < matrix.columns(); ++level) {
      double width = std::min<double>(metrics.horizontalAdvance(heading({{}, level})), kMostHeading);
      for (std::size_t axis = 0; axis < matrix.rows(); ++axis) {
        width = std::max(width, metrics.horizontalAdvance(QString::number(matrix.at(axis, level))));
      }
      m_lefts.push_back(m_lefts.back() + std::ceil(width + 2 * kPadding));
    }
  }
  updateGeometry();
  update();
}

QSize MatrixView::sizeHint() const {
  const std::size_t rows = m_placement ? m_placement->matrix().rows() + 1 : 1;
  return {int(std::ceil(m_lefts.back() + kBrackets + kMargin)), int(std::ceil(double(rows) * m_line + kMargin))};
}

MatrixView::Place MatrixView::placeOf(const MatrixPart& part) const {
  return {part.axis ? int(*part.axis) + 1 : 0, part.level ? int(*part.level) + 1 : 0};
}

MatrixPart MatrixView::partAt(const Place& place) const {
  MatrixPart part;
  if (place.row > 0) part.axis = std::size_t(place.row - 1);
  if (place.column > 0) part.level = std::size_t(place.column - 1);
  return part;
}

MatrixPart MatrixView::partAt(QPointF point) const {
  if (!m_placement) return {};
  const int row = int(std::floor((point.y() - kMargin / 2) / m_line));
  const auto after = std::upper_bound(m_lefts.begin(), m_lefts.end(), point.x());
  const int column = int(after - m_lefts.begin()) - 1;
  const bool inside = row >= 0 && row <= int(m_placement->matrix().rows()) && column >= 0 &&
                      column <= int(m_placement->matrix().columns());
  return inside ? partAt(Place{row, column}) : MatrixPart();
}

QRectF MatrixView::rectOf(const MatrixPart& part) const {
  const Place place = placeOf(part);
  const double left = m_lefts[std::size_t(place.column)];
  const double right = m_lefts[std::size_t(place.column) + 1] - (place.column == 0 ? kBrackets : 0);
  return {left, kMargin / 2 + place.row * m_line, right - left, m_line};
}

int MatrixView::itemCount() const {
  if (!m_placement) return 0;
  return int((m_placement->matrix().rows() + 1) * (m_placement->matrix().columns() + 1)) - 1;
}

AccessibleItem MatrixView::itemAt(int index) const {
  const int columns = int(m_placement->matrix().columns()) + 1;
  const MatrixPart part = partAt(Place{(index + 1) / columns, (index + 1) % columns});
  return {partName(m_system, *m_placement, part), partSentence(m_system, *m_placement, part),
          rectOf(part).toAlignedRect()};
}

int MatrixView::focusedItem() const {
  if (!m_placement || m_cursor.empty()) return -1;
  const Place place = placeOf(m_cursor);
  return place.row * (int(m_placement->matrix().columns()) + 1) + place.column - 1;
}

void MatrixView::point(const MatrixPart& hovered, const MatrixPart& cursor) {
  const MatrixPart before = part();
  const bool walked = cursor != m_cursor;
  m_hovered = hovered;
  m_cursor = cursor;
  update();
  if (walked && hasFocus()) tellFocusedItem(*this);
  if (part() != before) emit partChanged();
}

void MatrixView::walk(QPoint direction) {
  Place place = placeOf(m_cursor);
  place.row = std::clamp(place.row + direction.y(), 0, int(m_placement->matrix().rows()));
  place.column = std::clamp(place.column + direction.x(), 0, int(m_placement->matrix().columns()));
  // The corner of both headings is no part.
  if (place.row > 0 || place.column > 0) point({}, partAt(place));
}

void MatrixView::keyPressEvent(QKeyEvent* event) {
  const QPoint direction = directionOf(event->key());
  const bool plain = m_placement && (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  const int key = event->key();
  if (m_placement && event->matches(QKeySequence::Copy)) {
    copy();
  } else if (plain && !direction.isNull()) {
    walk(direction);
  } else if (plain && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)) {
    m_kept = !m_kept;
    update();
  } else if (plain && key == Qt::Key_Escape && !m_cursor.empty()) {
    m_kept = false;
    point({}, {});
  } else {
    QWidget::keyPressEvent(event);
  }
}

void MatrixView::copy() const { QGuiApplication::clipboard()->setText(qs(m_placement->matrix().text())); }

void MatrixView::contextMenuEvent(QContextMenuEvent* event) {
  if (!m_placement) return;
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("matrixMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Copy the matrix"), this, &MatrixView::copy)->setObjectName(QStringLiteral("copyMatrix"));
  menu->popup(event->globalPos());
}

void MatrixView::mouseMoveEvent(QMouseEvent* event) { point(partAt(event->position()), m_cursor); }

void MatrixView::enterEvent(QEnterEvent* event) { point(partAt(event->position()), m_cursor); }

void MatrixView::leaveEvent(QEvent*) { point({}, m_cursor); }

void MatrixView::mousePressEvent(QMouseEvent* event) {
  const MatrixPart pressed = partAt(event->position());
  if (event->button() != Qt::LeftButton || !m_placement) return;
  const bool again = m_kept && pressed == m_cursor;
  m_kept = !pressed.empty() && !again;
  point(again ? MatrixPart() : pressed, m_kept ? pressed : MatrixPart());
}

// The cursor starts at the first factor, or at the pressed part.
void MatrixView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  const bool byKeys = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  if (m_placement && m_cursor.empty() && byKeys) {
    point(m_hovered, {0, 0});
    tellFocusedItem(*this);
  }
  update();
}

void MatrixView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  if (!m_kept && event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason) {
    point(m_hovered, {});
  }
  update();
}

void MatrixView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) measure();
  QWidget::changeEvent(event);
}

bool MatrixView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const MatrixPart part = partAt(QPointF(help->pos()));
    QToolTip::showText(help->globalPos(), part.empty() ? QString() : partName(m_system, *m_placement, part), this);
    return true;
  }
  return QWidget::event(event);
}

void MatrixView::paintMarks(QPainter& painter) const {
  const MatrixPart& shown = part();
  if (!shown.empty()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::tint());
    if (shown.axis)
      painter.drawRect(rectOf({shown.axis, {}}) | rectOf({shown.axis, m_placement->matrix().columns() - 1}));
    if (shown.level)
      painter.drawRect(rectOf({{}, shown.level}) | rectOf({m_placement->matrix().rows() - 1, shown.level}));
    painter.setPen(QPen(Theme::accent(), m_kept && shown == m_cursor ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rectOf(shown));
  }
}

void MatrixView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (!m_placement) return;
  painter.setOpacity(m_stale ? 0.5 : 1);
  paintMarks(painter);
  painter.setFont(Theme::tabularFont());
  const QFontMetrics metrics = painter.fontMetrics();
  const ParallelismMatrix& matrix = m_placement->matrix();
  const auto write = [&](const MatrixPart& part, Qt::Alignment side, const QString& text) {
    const QRectF cell = rectOf(part).adjusted(part.axis && !part.level ? 0 : kPadding / 2, 0, -kPadding / 2, 0);
    painter.drawText(cell, int(side | Qt::AlignVCenter),
                     metrics.elidedText(text, Qt::ElideRight, int(cell.width()) + 1));
  };
  painter.setPen(Theme::mutedText());
  for (std::size_t axis = 0; axis < matrix.rows(); ++axis) write({axis, {}}, Qt::AlignLeft, heading({axis, {}}));
  for (std::size_t level = 0; level < matrix.columns(); ++level) {
    write({{}, level}, Qt::AlignRight, heading({{}, level}));
  }
  painter.setPen(Theme::text());
  for (std::size_t axis = 0; axis < matrix.rows(); ++axis) {
    for (std::size_t level = 0; level < matrix.columns(); ++level) {
      write({axis, level}, Qt::AlignRight, QString::number(matrix.at(axis, level)));
    }
  }
  const double left = m_lefts[1] - kBrackets + 2;
  const QRectF body(QPointF(left, rectOf({0, 0}).top() + 2),
                    QPointF(m_lefts.back() + kBrackets - 1, rectOf({matrix.rows() - 1, 0}).bottom() - 2));
  paintBrackets(painter, body, Theme::text());
}

}  // namespace p2::views
