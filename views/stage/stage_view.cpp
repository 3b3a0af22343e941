// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {

StageView::StageView(QWidget* parent) : Canvas(parent) {
  setMinimumSize(240, 160);
  setAccessibleName(tr("Devices and what they hold"));
}

void StageView::setReplay(std::shared_ptr<const Replay> replay) {
  m_replay = std::move(replay);
  m_painter.setReplay(m_replay);
  m_frame.step = 0;
  m_frame.progress = 0;
  layOut();
  drawingChanged();
  const Device end(std::ssize(m_painter.map().cells));
  if (m_frame.focused >= end) m_frame.focused = {};
  if (m_frame.chosen >= end) choose({});
}

void StageView::setMoment(int step, double progress) {
  m_frame.step = step;
  m_frame.progress = progress;
  update();
}

void StageView::setStale(bool stale) {
  m_frame.stale = stale;
  update();
}

void StageView::setHovered(Device device) {
  m_frame.hovered = device;
  update();
}

void StageView::setChosen(Device device) {
  m_frame.chosen = device;
  update();
}

QRectF StageView::rectOf(Device device) const {
  if (device.isNone() || device.index() >= m_painter.map().cells.size()) return {};
  const QRectF& rect = m_painter.map().cells[device.index()].rect;
  return {toWidget(rect.topLeft()), toWidget(rect.bottomRight())};
}

void StageView::layOut() {
  const QSizeF room = QSizeF(size()) - QSizeF(2 * Theme::kGrid, 2 * Theme::kGrid);
  m_painter.layout(room, devicePixelRatioF());
}

void StageView::fit() {
  layOut();
  Canvas::fit();
}

void StageView::paintDrawing(QPainter& painter, const QRectF& visible) {
  m_painter.setPixelRatio(devicePixelRatioF() * zoom());
  m_painter.paint(painter, m_frame, visible);
}

void StageView::hovered(std::optional<QPointF> point) {
  emit deviceHovered(point ? m_painter.map().deviceAt(*point) : Device());
}

bool StageView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && !m_frame.focused.isNone()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (!directionOf(key).isNull() || key == Qt::Key_Escape) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Device device = m_painter.map().deviceAt(toDrawing(help->pos()));
    QToolTip::showText(help->globalPos(), device.isNone() ? QString() : textOf(device), this);
    return true;
  }
  return Canvas::event(event);
}

void StageView::keyPressEvent(QKeyEvent* event) {
  const QPoint direction = directionOf(event->key());
  if (!m_painter.map().cells.empty() && (direction.y() != 0 || (!direction.isNull() && !m_frame.focused.isNone()))) {
    moveCursor(event->key());
  } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && !m_painter.map().cells.empty()) {
    m_frame.focused = std::max(m_frame.focused, Device(0));
    choose(m_frame.focused);
  } else if (event->key() == Qt::Key_Escape && !m_frame.focused.isNone()) {
    m_frame.focused = {};
    choose({});
  } else {
    Canvas::keyPressEvent(event);
  }
}

void StageView::mousePressEvent(QMouseEvent* event) {
  m_pressedAt = event->position();
  Canvas::mousePressEvent(event);
}

void StageView::mouseReleaseEvent(QMouseEvent* event) {
  Canvas::mouseReleaseEvent(event);
  const bool dragged = (event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
  if (event->button() != Qt::LeftButton || dragged) return;
  const Device device = m_painter.map().deviceAt(toDrawing(event->position()));
  m_frame.focused = device;
  choose(device == m_frame.chosen ? Device() : device);
}

void StageView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    layOut();
    drawingChanged();
  }
  Canvas::changeEvent(event);
}

void StageView::moveCursor(int key) {
  m_frame.focused = m_frame.focused.isNone() ? Device(0) : m_painter.map().neighbour(m_frame.focused, directionOf(key));
  if (!m_frame.chosen.isNone()) choose(m_frame.focused);
  reveal(m_painter.map().cells[m_frame.focused.index()].rect);
  describe();
  update();
}

void StageView::choose(Device device) {
  setChosen(device);
  describe();
  emit deviceChosen(device);
}

void StageView::describe() { setAccessibleDescription(m_frame.focused.isNone() ? QString() : textOf(m_frame.focused)); }

QString StageView::textOf(Device device) const {
  const int levels = static_cast<int>(m_replay->system.levels.size());
  return tr("device %1 (%2): %3")
      .arg(device.value())
      .arg(instanceName(m_replay->system, levels - 1, device.value()), m_replay->holdingText(device, m_frame.step));
}

}  // namespace p2::views
