// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/machine_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <numeric>

#include "base/numbers.h"
#include "placement/placement.h"
#include "text/csv.h"
#include "views/common/focus_ring.h"
#include "views/common/navigation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/slice_look.h"
#include "workload/axis_names.h"

namespace p2::views {
namespace {

constexpr std::int64_t kMostDrawn = 16384;
constexpr std::int64_t kMostCells = 512;
constexpr double kCell = 20;
constexpr double kMapShare = 0.6;
constexpr std::size_t kShownLinks = 6;

ExposedAxis axisOfName(const std::string& name) {
  if (name.starts_with(kTensorAxis)) return ExposedAxis::Tensor;
  if (name.starts_with(kContextAxis)) return ExposedAxis::Context;
  if (name.starts_with(kPipelineAxis)) return ExposedAxis::Pipeline;
  const bool isExpert = name == kExpertAxis || name == kExpertTensorAxis;
  return isExpert ? ExposedAxis::Expert : ExposedAxis::Data;
}

unsigned bitOf(ExposedAxis axis) { return 1U << static_cast<unsigned>(axis); }

}  // namespace

double MachineView::Link::sum() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

MachineView::MachineView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("whyMachine"));
  setAccessibleName(tr("Where the axes are on the machine"));
  setToolTip(tr("Partners of the framed device by axis. Click a device, or use the arrow keys"));
  setFocusPolicy(Qt::StrongFocus);
  exposeAccessibleItems(*this);
  showFocusRing(*this);
}

void MachineView::setStudy(std::shared_ptr<const StepStudy> study, std::shared_ptr<const System> system) {
  m_study = std::move(study);
  m_system = std::move(system);
  if (!m_system || m_device.value() >= m_system->deviceCount()) m_device = Device(0);
  layOut();
  findPartners();
  findLinks();
  update();
}

void MachineView::setStale(bool stale) {
  m_stale = stale;
  update();
}

void MachineView::setDevice(Device device) {
  if (device == m_device || device.isNone()) return;
  m_device = device;
  findPartners();
  if (m_map.shows(device)) announce(*this, textOf(std::size_t(device.value() / m_map.devicesPerCell)));
  tellFocusedItem(*this);
  update();
}

QRectF MachineView::mapArea() const {
  return QRectF(0, 0, width() * kMapShare, height() - fontMetrics().height() - 4.0).adjusted(8, 8, -8, 0);
}

void MachineView::layOut() {
  if (!m_system) return;
  const QRectF area = mapArea();
  const double aspect = area.height() > 0 ? area.width() / area.height() : 2;
  m_map = layoutFolded(*m_system, {kCell, kCell}, aspect, kMostDrawn, kMostCells);
  const QSizeF size = m_map.bounds.size();
  m_scale = std::min({1.5, area.width() / std::max(1.0, size.width()), area.height() / std::max(1.0, size.height())});
}

/// The axes along which the devices of every cell differ from the chosen one, if they differ along one sort of axes
/// only.
void MachineView::findPartners() {
  m_partners.assign(m_map.cells.size(), 0);
  if (!m_study || m_study->placement.axes.empty()) return;
  const auto& axes = m_study->placement.axes;
  const Placement placement(axes, m_study->placement.matrix);
  const auto mine = placement.coordinates(m_device);
  for (std::size_t cell = 0; cell < m_map.cells.size(); ++cell) {
    const std::int64_t first = m_map.cells[cell].device.value();
    const std::int64_t last = std::min(first + m_map.devicesPerCell, placement.deviceCount());
    for (std::int64_t device = first; device < last; ++device) {
      const auto theirs = placement.coordinates(Device(device));
      unsigned differs = 0;
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (theirs[axis] != mine[axis]) differs |= bitOf(axisOfName(axes[axis].name));
      }
      const bool isPartner = differs != 0 && (differs & (differs - 1)) == 0;
      if (isPartner) m_partners[cell] |= differs;
    }
  }
}

void MachineView::findLinks() {
  m_links.clear();
  if (!m_study) return;
  for (const StepCollective& each : m_study->collectives) {
    if (each.link.empty()) continue;
    auto found = std::find_if(m_links.begin(), m_links.end(), [&](const Link& link) { return link.name == each.link; });
    if (found == m_links.end()) found = m_links.insert(m_links.end(), {each.link, {}});
    found->seconds[static_cast<std::size_t>(each.axis)] += each.seconds * double(each.entry.count);
  }
  std::sort(m_links.begin(), m_links.end(), [](const Link& a, const Link& b) { return a.sum() > b.sum(); });
}

QRectF MachineView::toWidget(const QRectF& rect) const {
  const QPointF origin = mapArea().topLeft();
  return QRectF(origin + rect.topLeft() * m_scale, rect.size() * m_scale);
}

int MachineView::cellAt(QPointF point) const {
  for (std::size_t cell = 0; cell < m_map.cells.size(); ++cell) {
    if (toWidget(m_map.cells[cell].rect).contains(point)) return int(cell);
  }
  return -1;
}

QString MachineView::nameOfCell(std::size_t cell) const {
  const auto level = int(m_map.cellLevel);
  return instanceName(*m_system, level, std::int64_t(cell));
}

QString MachineView::textOf(std::size_t cell) const {
  QString text = nameOfCell(cell);
  QStringList shared;
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    const auto each = static_cast<ExposedAxis>(axis);
    if (m_partners[cell] & bitOf(each)) shared << qs(describe(each));
  }
  const bool isMine = m_map.shows(m_device) && std::int64_t(cell) == m_device.value() / m_map.devicesPerCell;
  if (isMine) text += tr(", the chosen one");
  if (shared.isEmpty()) return isMine ? text : tr("%1: shares no group with the chosen device").arg(text);
  return tr("%1: partner in %2").arg(text, shared.join(QStringLiteral(", ")));
}

void MachineView::paintCell(QPainter& painter, std::size_t cell) const {
  const QRectF rect = toWidget(m_map.cells[cell].rect).adjusted(0.5, 0.5, -0.5, -0.5);
  std::vector<SliceKind> kinds;
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    if (m_partners[cell] & (1U << axis)) kinds.push_back(sliceKindOf(static_cast<ExposedAxis>(axis)));
  }
  painter.fillRect(rect, Theme::box(1));
  const double part = rect.width() / double(std::max<std::size_t>(1, kinds.size()));
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const QRectF strip(rect.left() + double(i) * part, rect.top(), part, rect.height());
    fillSlice(painter, strip, kinds[i], m_stale);
    if (strip.width() < 9 || strip.height() < 11) continue;
    painter.setPen(inkOn(kinds[i], m_stale));
    painter.drawText(strip, Qt::AlignCenter, lookOf(kinds[i]).letter);
  }
  painter.setBrush(Qt::NoBrush);
  const bool isMine = std::int64_t(cell) == m_device.value() / m_map.devicesPerCell;
  painter.setPen(isMine ? QPen(Theme::accent(), 2.5) : QPen(Theme::line(), 1));
  painter.drawRect(rect);
}

void MachineView::paintMap(QPainter& painter) const {
  painter.setPen(Theme::line());
  for (const DeviceMap::Box& box : m_map.boxes) {
    const QRectF rect = toWidget(box.rect);
    painter.fillRect(rect, Theme::box(box.level > 0 ? 0 : 1));
    painter.setPen(Theme::line());
    painter.drawRect(rect);
    if (DeviceMap::kTitleHeight * m_scale < 11) continue;
    painter.setPen(Theme::mutedText());
    painter.drawText(QRectF(rect.left() + 3, rect.top(), rect.width() - 6, DeviceMap::kTitleHeight * m_scale),
                     Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(box.label, Qt::ElideRight, int(rect.width() - 6)));
  }
  for (std::size_t cell = 0; cell < m_map.cells.size(); ++cell) paintCell(painter, cell);
  if (!m_hasLegend) return;
  painter.setPen(Theme::text());
  const QRectF line(8, height() - fontMetrics().height() - 4.0, width() * kMapShare - 16, fontMetrics().height() + 2.0);
  const QString text =
      tr("partners of %1")
          .arg(m_map.shows(m_device) ? nameOfCell(std::size_t(m_device.value() / m_map.devicesPerCell)) : QString());
  painter.drawText(line, Qt::AlignVCenter, painter.fontMetrics().elidedText(text, Qt::ElideRight, int(line.width())));
}

void MachineView::paintLinks(QPainter& painter) const {
  if (m_links.empty()) return;
  const double left = width() * kMapShare + 8;
  const double room = width() - left - 8;
  const double line = fontMetrics().height() + 2;
  double y = 8;
  painter.setPen(Theme::mutedText());
  painter.drawText(QRectF(left, y, room, line), Qt::AlignVCenter, tr("Busiest links, work in a step"));
  y += line;
  for (std::size_t i = 0; i < std::min(kShownLinks, m_links.size()); ++i) {
    const Link& link = m_links[i];
    if (y + line * 1.8 > height()) return;
    painter.setPen(m_stale ? Theme::mutedText() : Theme::text());
    const QString figure = secondsText(link.sum());
    const int wide = painter.fontMetrics().horizontalAdvance(figure) + 8;
    painter.drawText(QRectF(left, y, room, line), Qt::AlignRight | Qt::AlignVCenter, figure);
    painter.drawText(QRectF(left, y, room - wide, line), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(qs(link.name), Qt::ElideRight, int(room - wide)));
    double x = left;
    for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
      const double length = link.seconds[axis] / m_links.front().sum() * room;
      if (length <= 0) continue;
      fillSlice(painter, QRectF(x, y + line, length, line * 0.6), sliceKindOf(static_cast<ExposedAxis>(axis)), m_stale);
      x += length;
    }
    y += line * 1.8;
  }
}

void MachineView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

ViewPicture MachineView::picture() const {
  constexpr double kFigureAspect = 0.75;
  return {tr("Axes on the machine"), [](int width, bool) { return QSize(width, int(width * kFigureAspect)); },
          [study = m_study, system = m_system, device = m_device](QPainter& painter, QSize size, bool legend) {
            MachineView figure;
            figure.m_hasLegend = legend;
            // Not by setDevice(), which announces the device.
            figure.m_device = device;
            figure.resize(size);
            figure.setStudy(study, system);
            figure.paint(painter);
          },
          [links = m_links] {
            std::string csv = "link,seconds\n";
            for (const Link& link : links) csv += csvCell(link.name) + ',' + exactNumber(link.sum()) + '\n';
            return csv;
          }};
}

void MachineView::paint(QPainter& painter) const {
  painter.fillRect(rect(), Theme::surface());
  if (!m_study || !m_system) return;
  painter.setFont(Theme::tabularFont());
  paintMap(painter);
  paintLinks(painter);
}

void MachineView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut();
  findPartners();
}

bool MachineView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_system) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int cell = cellAt(help->pos());
    QToolTip::showText(help->globalPos(), cell < 0 ? toolTip() : textOf(std::size_t(cell)), this);
    return true;
  }
  return QWidget::event(event);
}

void MachineView::mousePressEvent(QMouseEvent* event) {
  const int cell = cellAt(event->position());
  if (event->button() == Qt::LeftButton && cell >= 0) setDevice(m_map.cells[std::size_t(cell)].device);
}

void MachineView::keyPressEvent(QKeyEvent* event) {
  const QPoint direction = directionOf(event->key());
  if (direction.isNull() || !m_map.shows(m_device)) return QWidget::keyPressEvent(event);
  setDevice(m_map.neighbour(m_device, direction));
}

int MachineView::itemCount() const { return m_system ? int(m_map.cells.size()) : 0; }
AccessibleItem MachineView::itemAt(int index) const {
  return {nameOfCell(std::size_t(index)), textOf(std::size_t(index)),
          toWidget(m_map.cells[std::size_t(index)].rect).toAlignedRect()};
}
int MachineView::focusedItem() const {
  return m_map.shows(m_device) ? int(m_device.value() / m_map.devicesPerCell) : -1;
}

}  // namespace p2::views
