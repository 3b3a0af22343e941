// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/devices_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "views/common/theme.h"
#include "views/placement/device_text.h"

namespace p2::views {
namespace {

constexpr double kCellHeight = 32;
constexpr double kAspect = 1.5;
constexpr double kLeastTextHeight = 6;  // of a cell's text on the screen; below it is noise
constexpr int kMarkerPixels = 13;
constexpr int kLetterPixels = 9;
constexpr int kTitlePixels = 12;

QFont drawingFont(int pixels) {
  QFont font = Theme::tabularFont();
  font.setPixelSize(pixels);
  return font;
}

/// The width in which the longest marker of all devices fits.
double cellWidth(const std::vector<Axis>& axes) {
  QString longest;
  for (const Axis& axis : axes) longest += QString::number(axis.size - 1) + '/';
  longest.chop(1);
  return std::max(40, QFontMetrics(drawingFont(kMarkerPixels)).horizontalAdvance(longest) + 2 * Theme::kGrid + 8);
}

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
      return {};
  }
}

}  // namespace

DevicesView::DevicesView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("devicesView"));
  setAccessibleName(tr("Devices of the selected placement"));
}

void DevicesView::showPlacement(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  if (m_placement && m_system == system && m_placement->axes() == axes && m_placement->matrix() == matrix) return;
  m_system = system;
  m_placement = std::make_unique<Placement>(axes, matrix);
  m_map = layoutDevices(system, {cellWidth(axes), kCellHeight}, kAspect, kMostDevicesDrawn);
  m_groups.clear();
  for (const DeviceMap::Cell& cell : m_map.cells) m_groups.push_back(m_placement->groupOf(cell.device));
  drawingChanged();
}

void DevicesView::clear() {
  m_placement.reset();
  m_map = {};
  m_groups.clear();
  update();
}

void DevicesView::setHoveredDevice(Device device) {
  const bool isShown = !device.isNone() && device.index() < m_map.cells.size();
  m_hovered = isShown ? device : Device();
  setAccessibleDescription(m_hovered.isNone() ? QString() : sentence(m_hovered));
  update();
}

void DevicesView::setStale(bool stale) {
  m_stale = stale;
  update();
}

QString DevicesView::marker(Device device) const { return deviceMarker(*m_placement, device); }
QString DevicesView::sentence(Device device) const { return deviceSentence(m_system, *m_placement, device); }
QString DevicesView::legend() const { return m_placement ? markerLegend(*m_placement) : QString(); }

void DevicesView::paintBoxes(QPainter& painter, const QRectF& visible) const {
  painter.setFont(drawingFont(kTitlePixels));
  for (const DeviceMap::Box& box : m_map.boxes) {
    if (!box.rect.intersects(visible)) continue;
    painter.setPen(QPen(Theme::line(), 1));
    painter.setBrush(Theme::box(box.level));
    painter.drawRoundedRect(box.rect, 4, 4);
    if (kTitlePixels * zoom() < kLeastTextHeight) continue;
    painter.setPen(Theme::mutedText());
    const QRectF title(box.rect.left() + Theme::kGrid, box.rect.top(), box.rect.width() - 2 * Theme::kGrid,
                       DeviceMap::kTitleHeight);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(box.label, Qt::ElideRight, int(title.width())));
  }
}

void DevicesView::paintCell(QPainter& painter, const DeviceMap::Cell& cell) const {
  const int group = int(m_groups[cell.device.index()]);
  const bool lit = !m_hovered.isNone() && m_groups[m_hovered.index()] == group;
  painter.setOpacity(m_stale || (!m_hovered.isNone() && !lit) ? 0.35 : 1);
  const QColor fill = Theme::category(group);
  painter.setPen(lit ? QPen(Theme::text(), cell.device == m_hovered ? 3 : 2) : QPen(Qt::NoPen));
  painter.setBrush(fill);
  painter.drawRoundedRect(cell.rect, 3, 3);
  if (const Qt::BrushStyle pattern = Theme::categoryPattern(group); pattern != Qt::SolidPattern) {
    QColor hatch = Theme::onCategory(group);
    hatch.setAlphaF(0.3F);
    painter.fillRect(cell.rect.adjusted(1, 1, -1, -1), QBrush(hatch, pattern));
  }
  if (kMarkerPixels * zoom() < kLeastTextHeight) return;
  painter.setPen(Theme::onCategory(group));
  painter.setFont(drawingFont(kLetterPixels));
  painter.drawText(cell.rect.adjusted(4, 2, -4, -2), Qt::AlignLeft | Qt::AlignTop, Theme::categoryLetter(group));
  painter.setFont(drawingFont(kMarkerPixels));
  painter.drawText(cell.rect.adjusted(0, 6, 0, 0), Qt::AlignCenter, marker(cell.device));
}

void DevicesView::paintDrawing(QPainter& painter, const QRectF& visible) {
  if (!m_placement) return;
  paintBoxes(painter, visible);
  for (const DeviceMap::Cell& cell : m_map.cells) {
    if (cell.rect.intersects(visible)) paintCell(painter, cell);
  }
  painter.setOpacity(1);
}

void DevicesView::hovered(std::optional<QPointF> point) {
  const Device device = point ? m_map.deviceAt(*point) : Device();
  if (device != m_hovered) emit deviceHovered(device);
}

bool DevicesView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Device device = m_map.deviceAt(toDrawing(help->pos()));
    QToolTip::showText(help->globalPos(), device.isNone() ? QString() : sentence(device), this);
    return true;
  }
  return Canvas::event(event);
}

void DevicesView::keyPressEvent(QKeyEvent* event) {
  const QPoint direction = directionOf(event->key());
  if (direction.isNull() || event->modifiers() != Qt::NoModifier || !m_placement) {
    Canvas::keyPressEvent(event);
  } else {
    emit deviceHovered(m_map.neighbour(m_hovered, direction));
  }
}

}  // namespace p2::views
