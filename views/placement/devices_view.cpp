// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/devices_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include "views/common/device_names.h"
#include "views/common/text.h"
#include "views/placement/device_text.h"
#include "views/placement/split_text.h"

namespace p2::views {
namespace {

constexpr double kAspect = 1.5;

}  // namespace

DevicesView::DevicesView(QWidget* parent) : Canvas(parent) {
  exposeAccessibleItems(*this);
  setObjectName(QStringLiteral("devicesView"));
  setAccessibleName(tr("Devices of the selected placement"));
}

void DevicesView::showPlacement(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  if (m_placement && m_system == system && m_placement->axes() == axes && m_placement->matrix() == matrix) return;
  const bool otherAxes = !m_placement || m_system != system || m_placement->axes() != axes;
  m_system = system;
  m_placement = std::make_unique<Placement>(axes, matrix);
  m_map = layoutFolded(system, cellSize(axes), kAspect, kMostDevicesDrawn, kMostCellsDrawn);
  if (otherAxes) {
    m_part = {};
    m_other.reset();
  }
  colour();
  drawingChanged();
}

void DevicesView::clear() {
  m_colouring = {};
  m_hulls.clear();
  m_placement.reset();
  m_other.reset();
  m_map = {};
  update();
}

void DevicesView::setHoveredDevice(Device device) {
  m_hovered = m_map.shows(device) ? device : Device();
  setAccessibleDescription(m_hovered.isNone() ? QString() : sentence(m_hovered));
  if (hasFocus()) tellFocusedItem(*this);
  update();
}

void DevicesView::setPart(const MatrixPart& part) {
  if (part == m_part) return;
  m_part = part;
  colour();
}

void DevicesView::compareWith(const ParallelismMatrix& other) {
  const bool any = m_placement && !other.empty() && other != m_placement->matrix();
  m_other = any ? std::make_shared<const Placement>(m_placement->axes(), other) : nullptr;
  colour();
}

void DevicesView::colour() {
  m_colouring = {};
  m_hulls.clear();
  if (m_placement) {
    m_colouring = MapColouring(*m_placement, m_part);
    if (m_part.empty() && m_other) m_colouring = MapColouring(*m_placement, m_other);
    m_hulls = m_colouring.hulls(m_map);
  }
  update();
}

void DevicesView::setStale(bool stale) {
  m_stale = stale;
  update();
}

QString DevicesView::marker(Device device) const { return deviceMarker(*m_placement, device); }

QString DevicesView::sentence(Device device) const {
  const QString text = deviceSentence(m_system, *m_placement, device);
  const auto& diff = m_colouring.diff();
  const QString others = diff ? otherPartners(*diff, *m_other, device) : QString();
  return others.isEmpty() ? text : text + QStringLiteral("; ") + others;
}

QString DevicesView::legend() const {
  if (!m_placement) return {};
  const QString folded = m_map.devicesPerCell > 1 ? foldedLegend() : QString();
  return legendOfColours() + folded;
}

QString DevicesView::foldedLegend() const {
  System cell;
  cell.levels.assign(m_system.levels.begin() + std::ptrdiff_t(m_map.cellLevel) + 1, m_system.levels.end());
  return tr("\nEach cell is a %1 of %2 with one stripe each; %L3 devices in all.")
      .arg(qs(m_system.levels[m_map.cellLevel].name), qs(describe(cell)))
      .arg(m_placement->deviceCount());
}

QString DevicesView::legendOfColours() const {
  if (m_colouring.showsParts()) return tr("%1 · colour, letter and outline: parts").arg(markerNames(*m_placement));
  if (!m_colouring.diff()) return markerLegend(*m_placement);
  return tr(
      "A→B: group A in the other placement, B in this one · A≠: same letter, other partners · "
      "pale: same partners");
}

AccessibleItem DevicesView::itemAt(int index) const {
  const DeviceMap::Cell& cell = m_map.cells[std::size_t(index)];
  const QRectF rect(toWidget(cell.rect.topLeft()), toWidget(cell.rect.bottomRight()));
  const QString name = m_map.devicesPerCell == 1 ? deviceName(m_system, cell.device)
                                                 : instanceName(m_system, int(m_map.cellLevel), index);
  return {name, sentence(cell.device), rect.toAlignedRect()};
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
