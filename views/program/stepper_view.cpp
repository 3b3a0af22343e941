// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/stepper_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {

StepperView::StepperView(QWidget* parent) : Canvas(parent) {
  setMinimumSize(240, 160);
  setAccessibleName(tr("Devices and what they hold"));
}

void StepperView::setReplay(std::shared_ptr<const Replay> replay) {
  m_replay = std::move(replay);
  m_painter.setReplay(m_replay);
  m_frame.step = 0;
  m_frame.progress = 0;
  layOut();
  drawingChanged();
  const Device shown = Device(m_painter.map().cells.size());
  if (m_frame.focused >= shown) m_frame.focused = -1;
  if (m_frame.chosen >= shown) choose(-1);
}

void StepperView::setMoment(int step, double progress) {
  m_frame.step = step;
  m_frame.progress = progress;
  update();
}

void StepperView::setStale(bool stale) {
  m_frame.stale = stale;
  update();
}

void StepperView::setHovered(Device device) {
  m_frame.hovered = device;
  update();
}

void StepperView::setChosen(Device device) {
  m_frame.chosen = device;
  update();
}

QRectF StepperView::rectOf(Device device) const {
  if (device < 0 || device >= Device(m_painter.map().cells.size())) return {};
  const QRectF& rect = m_painter.map().cells[std::size_t(device)].rect;
  return {toWidget(rect.topLeft()), toWidget(rect.bottomRight())};
}

void StepperView::layOut() {
  const QSizeF room = QSizeF(size()) - QSizeF(2 * Theme::kGrid, 2 * Theme::kGrid);
  m_painter.layout(room, devicePixelRatioF());
}

void StepperView::fit() {
  layOut();
  Canvas::fit();
}

void StepperView::paintDrawing(QPainter& painter, const QRectF& visible) {
  m_painter.setPixelRatio(devicePixelRatioF() * zoom());
  m_painter.paint(painter, m_frame, visible);
}

void StepperView::hovered(std::optional<QPointF> point) {
  emit deviceHovered(point ? m_painter.map().deviceAt(*point) : -1);
}

bool StepperView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && m_frame.focused >= 0) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (!directionOf(key).isNull() || key == Qt::Key_Escape) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Device device = m_painter.map().deviceAt(toDrawing(help->pos()));
    QToolTip::showText(help->globalPos(), device < 0 ? QString() : textOf(device), this);
    return true;
  }
  return Canvas::event(event);
}

void StepperView::keyPressEvent(QKeyEvent* event) {
  const QPoint direction = directionOf(event->key());
  if (!m_painter.map().cells.empty() && (direction.y() != 0 || (!direction.isNull() && m_frame.focused >= 0))) {
    moveCursor(event->key());
  } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && !m_painter.map().cells.empty()) {
    m_frame.focused = std::max<Device>(m_frame.focused, 0);
    choose(m_frame.focused);
  } else if (event->key() == Qt::Key_Escape && m_frame.focused >= 0) {
    m_frame.focused = -1;
    choose(-1);
  } else {
    Canvas::keyPressEvent(event);
  }
}

void StepperView::mousePressEvent(QMouseEvent* event) {
  m_pressedAt = event->position();
  Canvas::mousePressEvent(event);
}

void StepperView::mouseReleaseEvent(QMouseEvent* event) {
  Canvas::mouseReleaseEvent(event);
  const bool dragged = (event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
  if (event->button() != Qt::LeftButton || dragged) return;
  const Device device = m_painter.map().deviceAt(toDrawing(event->position()));
  m_frame.focused = device;
  choose(device == m_frame.chosen ? -1 : device);
}

void StepperView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    layOut();
    drawingChanged();
  }
  Canvas::changeEvent(event);
}

void StepperView::moveCursor(int key) {
  m_frame.focused = m_frame.focused < 0 ? 0 : m_painter.map().neighbour(m_frame.focused, directionOf(key));
  if (m_frame.chosen >= 0) choose(m_frame.focused);
  reveal(m_painter.map().cells[std::size_t(m_frame.focused)].rect);
  describe();
  update();
}

void StepperView::choose(Device device) {
  setChosen(device);
  describe();
  emit deviceChosen(device);
}

void StepperView::describe() { setAccessibleDescription(m_frame.focused < 0 ? QString() : textOf(m_frame.focused)); }

QString StepperView::textOf(Device device) const {
  const int levels = static_cast<int>(m_replay->system.levels.size());
  return tr("device %1 (%2): %3")
      .arg(device)
      .arg(instanceName(m_replay->system, levels - 1, device), m_replay->holdingText(device, m_frame.step));
}

}  // namespace p2::views
