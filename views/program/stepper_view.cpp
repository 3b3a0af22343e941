// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/stepper_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kBorder = Theme::kGrid;

QPoint directionOf(int key) {
  switch (key) {
    case Qt::Key_Left:
      return {-1, 0};
    case Qt::Key_Right:
      return {1, 0};
    case Qt::Key_Up:
      return {0, -1};
    case Qt::Key_Down:
      return {0, 1};
    default:
      return {0, 0};
  }
}

}  // namespace

StepperView::StepperView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setMinimumSize(240, 160);
  viewport()->setMouseTracking(true);
  setAccessibleName(tr("Devices and what they hold"));
}

void StepperView::setReplay(std::shared_ptr<const Replay> replay) {
  m_replay = std::move(replay);
  m_painter.setReplay(m_replay);
  m_frame.step = 0;
  m_frame.progress = 0;
  relayout();
  const Device end(std::ssize(m_painter.map().cells));
  if (m_frame.focused >= end) m_frame.focused = {};
  if (m_frame.chosen >= end) choose({});
}

void StepperView::setMoment(int step, double progress) {
  m_frame.step = step;
  m_frame.progress = progress;
  viewport()->update();
}

void StepperView::setStale(bool stale) {
  m_frame.stale = stale;
  viewport()->update();
}

void StepperView::setHovered(Device device) {
  m_frame.hovered = device;
  viewport()->update();
}

void StepperView::setChosen(Device device) {
  m_frame.chosen = device;
  viewport()->update();
}

QRectF StepperView::rectOf(Device device) const {
  if (device.isNone() || device.index() >= m_painter.map().cells.size()) return {};
  return m_painter.map().cells[device.index()].rect.translated(origin());
}

bool StepperView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && !m_frame.focused.isNone()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (!directionOf(key).isNull() || key == Qt::Key_Escape) {
      event->accept();
      return true;
    }
  }
  return QAbstractScrollArea::event(event);
}

bool StepperView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Device device = m_painter.map().deviceAt(help->pos() - origin());
    QToolTip::showText(help->globalPos(), device.isNone() ? QString() : textOf(device), viewport());
    return true;
  }
  if (event->type() == QEvent::Leave) emit deviceHovered({});
  return QAbstractScrollArea::viewportEvent(event);
}

void StepperView::paintEvent(QPaintEvent* event) {
  if (m_pixelRatio != devicePixelRatioF()) relayout();
  QPainter painter(viewport());
  painter.fillRect(event->rect(), Theme::surface());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(origin());
  m_painter.paint(painter, m_frame, QRectF(event->rect()).translated(-origin()));
}

void StepperView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  relayout();
}

void StepperView::keyPressEvent(QKeyEvent* event) {
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
    QAbstractScrollArea::keyPressEvent(event);
  }
}

void StepperView::mousePressEvent(QMouseEvent* event) {
  const Device device = m_painter.map().deviceAt(event->position() - origin());
  m_frame.focused = device;
  choose(device == m_frame.chosen ? Device() : device);
}

void StepperView::mouseMoveEvent(QMouseEvent* event) {
  emit deviceHovered(m_painter.map().deviceAt(event->position() - origin()));
}

void StepperView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) relayout();
  QAbstractScrollArea::changeEvent(event);
}

void StepperView::relayout() {
  m_pixelRatio = devicePixelRatioF();
  const QSizeF room = QSizeF(maximumViewportSize()) - QSizeF(2 * kBorder, 2 * kBorder);
  m_painter.layout(room, m_pixelRatio);
  const QSize size = m_painter.size().toSize() + QSize(2 * int(kBorder), 2 * int(kBorder));
  const QSize page = maximumViewportSize();
  horizontalScrollBar()->setRange(0, std::max(0, size.width() - page.width()));
  verticalScrollBar()->setRange(0, std::max(0, size.height() - page.height()));
  horizontalScrollBar()->setPageStep(page.width());
  verticalScrollBar()->setPageStep(page.height());
  viewport()->update();
}

void StepperView::moveCursor(int key) {
  m_frame.focused = m_painter.map().neighbour(m_frame.focused, directionOf(key));
  if (!m_frame.chosen.isNone()) choose(m_frame.focused);
  const QRectF rect = rectOf(m_frame.focused);
  if (rect.top() < 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + int(rect.top()) - 8);
  const double below = rect.bottom() - viewport()->height();
  if (below > 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + int(below) + 8);
  describe();
  viewport()->update();
}

void StepperView::choose(Device device) {
  setChosen(device);
  describe();
  emit deviceChosen(device);
}

void StepperView::describe() {
  setAccessibleDescription(m_frame.focused.isNone() ? QString() : textOf(m_frame.focused));
}

QPointF StepperView::origin() const {
  const QSizeF spare = QSizeF(viewport()->size()) - m_painter.size();
  return {std::max(kBorder, spare.width() / 2) - horizontalScrollBar()->value(),
          std::max(kBorder, spare.height() / 2) - verticalScrollBar()->value()};
}

QString StepperView::textOf(Device device) const {
  const int levels = static_cast<int>(m_replay->system.levels.size());
  return tr("device %1 (%2): %3")
      .arg(device.value())
      .arg(instanceName(m_replay->system, levels - 1, device.value()), m_replay->holdingText(device, m_frame.step));
}

}  // namespace p2::views
