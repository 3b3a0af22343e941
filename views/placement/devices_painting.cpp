// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/common/category_stroke.h"
#include "views/common/device_names.h"
#include "views/common/theme.h"
#include "views/placement/devices_view.h"
#include "views/stage/stage_groups.h"

namespace p2::views {
namespace {

constexpr double kCellHeight = 36;
constexpr double kLeastTextHeight = 11;  // on the screen; below it is noise
constexpr int kMarkerPixels = 13;
constexpr int kLetterPixels = 11;
constexpr int kTitlePixels = 12;
constexpr double kBadge = 18;

QFont drawingFont(int pixels) {
  QFont font = Theme::tabularFont();
  font.setPixelSize(pixels);
  return font;
}

/// The size of a font that is usually so large, as large as it has to be to be read at that zoom; 0 if that is more
/// than there is room for.
int readablePixels(int standard, double zoom, double room) {
  const int pixels = std::max(standard, int(std::ceil(kLeastTextHeight / zoom)));
  return pixels <= room ? pixels : 0;
}

}  // namespace

QSizeF DevicesView::cellSize(const std::vector<Axis>& axes) {
  QString longest;
  std::int64_t devices = 1;
  for (const Axis& axis : axes) {
    longest += QString::number(axis.size - 1) + '/';
    devices *= axis.size;
  }
  longest.chop(1);
  const QString names = deviceShortName(Device(devices - 1)) + QStringLiteral("  AA");
  const int words = std::max(QFontMetrics(drawingFont(kMarkerPixels)).horizontalAdvance(longest),
                             QFontMetrics(drawingFont(kLetterPixels)).horizontalAdvance(names));
  return {double(std::max(48, words + 2 * Theme::kGrid + 8)), kCellHeight};
}

void DevicesView::paintBoxes(QPainter& painter, const QRectF& visible) const {
  const int pixels = readablePixels(kTitlePixels, zoom(), DeviceMap::kTitleHeight);
  if (pixels > 0) painter.setFont(drawingFont(pixels));
  for (const DeviceMap::Box& box : m_map.boxes) {
    if (!box.rect.intersects(visible)) continue;
    painter.setPen(QPen(Theme::line(), 1));
    painter.setBrush(Theme::box(box.level));
    painter.drawRoundedRect(box.rect, 4, 4);
    if (pixels == 0) continue;
    painter.setPen(Theme::mutedText());
    const QRectF title(box.rect.left() + Theme::kGrid, box.rect.top(), box.rect.width() - 2 * Theme::kGrid,
                       DeviceMap::kTitleHeight);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(box.label, Qt::ElideRight, int(title.width())));
  }
}

void DevicesView::paintCell(QPainter& painter, const DeviceMap::Cell& cell) const {
  const MapColouring::Look look = m_colouring.of(cell.device);
  const bool any = !m_hovered.isNone();
  const bool lit = any && m_colouring.together(m_hovered, cell.device);
  painter.setOpacity(m_stale || (any ? !lit : look.back) ? 0.35 : 1);
  painter.setPen(lit || look.ring ? QPen(Theme::text(), cell.device == m_hovered ? 3 : 2)
                                  : QPen(categoryStroke(look.category), 1));
  painter.setBrush(Theme::category(look.category));
  painter.drawRoundedRect(cell.rect, 3, 3);
  if (const Qt::BrushStyle pattern = Theme::categoryPattern(look.category); pattern != Qt::SolidPattern) {
    QColor hatch = Theme::onCategory(look.category);
    hatch.setAlphaF(0.3F);
    painter.fillRect(cell.rect.adjusted(1, 1, -1, -1), QBrush(hatch, pattern));
  }
  if (kLetterPixels * zoom() >= kLeastTextHeight) {
    paintWords(painter, cell, look);
  } else {
    paintShortWords(painter, cell, look);
  }
}

// Painted tens of thousands of times at once, so without round corners, hatching and outlines of cells.
void DevicesView::paintFolded(QPainter& painter, const DeviceMap::Cell& cell) const {
  const std::int64_t devices = m_map.devicesPerCell;
  const int first = int(m_colouring.of(cell.device).category);
  int last = first;
  bool lit = false;
  const double width = cell.rect.width() / double(devices);
  for (std::int64_t i = 0; i < devices; ++i) {
    const Device device(cell.device.value() + i);
    const MapColouring::Look look = m_colouring.of(device);
    last = look.category;
    const bool together = !m_hovered.isNone() && m_colouring.together(m_hovered, device);
    lit = lit || together;
    painter.setOpacity(m_stale || (m_hovered.isNone() ? look.back : !together) ? 0.3 : 1);
    painter.fillRect(QRectF(cell.rect.left() + double(i) * width, cell.rect.top(), width, cell.rect.height()),
                     Theme::category(look.category));
  }
  painter.setOpacity(m_stale ? 0.35 : 1);
  if (lit) {
    painter.setPen(QPen(Theme::text(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cell.rect);
  }
  const int pixels = readablePixels(kMarkerPixels, zoom(), cell.rect.height());
  if (pixels == 0) return;
  const QString letters =
      first == last ? Theme::categoryLetter(first) : Theme::categoryLetter(first) + u'–' + Theme::categoryLetter(last);
  painter.setFont(drawingFont(pixels));
  const QRectF words = painter.boundingRect(cell.rect, Qt::AlignCenter, letters).adjusted(-3, -1, 3, 1);
  painter.fillRect(words, Theme::surface());
  painter.setPen(Theme::text());
  painter.drawText(cell.rect, Qt::AlignCenter, letters);
}

void DevicesView::paintWords(QPainter& painter, const DeviceMap::Cell& cell, const MapColouring::Look& look) const {
  const QRectF corners = cell.rect.adjusted(4, 2, -4, -2);
  painter.setPen(Theme::onCategory(look.category));
  painter.setFont(drawingFont(kLetterPixels));
  painter.drawText(corners, Qt::AlignLeft | Qt::AlignTop, look.letter);
  const QFontMetricsF metrics(painter.font());
  const QString name = deviceShortName(cell.device);
  const bool fits = metrics.horizontalAdvance(name + QStringLiteral("  ") + look.letter) <= corners.width();
  if (fits) painter.drawText(corners, Qt::AlignRight | Qt::AlignTop, name);
  painter.setFont(drawingFont(kMarkerPixels));
  painter.drawText(cell.rect.adjusted(0, 8, 0, 0), Qt::AlignCenter, marker(cell.device));
}

// One line where two would be too small to be read: letter and coordinates, or the letter alone if a cell has no room
// for more.
void DevicesView::paintShortWords(QPainter& painter, const DeviceMap::Cell& cell,
                                  const MapColouring::Look& look) const {
  const int pixels = readablePixels(kMarkerPixels, zoom(), cell.rect.height());
  if (pixels == 0) return;
  painter.setFont(drawingFont(pixels));
  painter.setPen(Theme::onCategory(look.category));
  const QFontMetricsF metrics(painter.font());
  const double room = cell.rect.width() - 4;
  const QString widest = QString(look.letter.size(), u'W') + u' ' + marker(Device(m_placement->deviceCount() - 1));
  const bool coordinates = metrics.horizontalAdvance(widest) <= room;
  const QString words = coordinates ? look.letter + u' ' + marker(cell.device) : look.letter;
  if (metrics.horizontalAdvance(words) <= room) painter.drawText(cell.rect, Qt::AlignCenter, words);
}

// Inside its edge, so that neighbours leave each other's outline readable.
void DevicesView::paintHull(QPainter& painter, const MapColouring::Hull& hull) const {
  painter.save();
  painter.setClipPath(hull.path, Qt::IntersectClip);
  const double width = 2 / std::max(zoom(), 0.25);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(groupPen(int(hull.part), Theme::text(), 2 * width));
  painter.drawPath(hull.path);
  painter.restore();
  const int pixels = readablePixels(kTitlePixels, zoom(), DeviceMap::kTitleHeight - 4);
  if (pixels == 0) return;
  painter.setFont(drawingFont(pixels));
  for (const QRectF& box : hull.boxes) {
    const QRectF badge(box.right() - kBadge - 4, box.top() + 2, kBadge, DeviceMap::kTitleHeight - 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::category(int(hull.part)));
    painter.drawRoundedRect(badge, 3, 3);
    painter.setPen(Theme::onCategory(int(hull.part)));
    painter.drawText(badge, Qt::AlignCenter | Qt::TextDontClip, Theme::categoryLetter(int(hull.part)));
  }
}

void DevicesView::paintDrawing(QPainter& painter, const QRectF& visible) {
  if (m_placement) paintMap(painter, visible);
}

DeviceMap DevicesView::figureMap(int width) const {
  if (width <= 0 || !m_placement) return m_map;
  QSizeF cell = cellSize(m_placement->axes());
  const auto laidOut = [&](double aspect) {
    return layoutFolded(m_system, cell, aspect, kMostDevicesDrawn, kMostCellsDrawn);
  };
  // Narrower maps are taller; text keeps its size as long as one fits.
  for (const double aspect : {1.5, 1.0, 0.7, 0.5, 0.35, 0.25, 0.15}) {
    const DeviceMap map = laidOut(aspect);
    if (map.bounds.width() > width) continue;
    // Cells take the width that is left.
    const auto across = std::count_if(map.cells.begin(), map.cells.end(), [&](const DeviceMap::Cell& each) {
      return each.rect.top() == map.cells.front().rect.top();
    });
    if (across > 0) cell.rwidth() += std::floor((width - map.bounds.width()) / double(across));
    DeviceMap wide = laidOut(aspect);
    return wide.bounds.width() <= width ? wide : map;
  }
  return laidOut(0.15);
}

QSize DevicesView::figureSize(int width) const {
  const QSize drawn = figureMap(width).bounds.size().toSize();
  return {std::max(width, drawn.width()), drawn.height()};
}

void DevicesView::paintFigure(QPainter& painter, int width) const {
  if (!m_placement) return;
  DevicesView figure;
  figure.m_system = m_system;
  figure.m_placement = std::make_unique<Placement>(*m_placement);
  figure.m_other = m_other;
  figure.m_part = m_part;
  figure.m_map = figureMap(width);
  figure.colour();
  painter.fillRect(QRect(QPoint(), figureSize(width)), Theme::surface());
  figure.paintMap(painter, figure.m_map.bounds);
}

void DevicesView::paintMap(QPainter& painter, const QRectF& visible) const {
  paintBoxes(painter, visible);
  for (const DeviceMap::Cell& cell : m_map.cells) {
    if (!cell.rect.intersects(visible)) continue;
    m_map.devicesPerCell == 1 ? paintCell(painter, cell) : paintFolded(painter, cell);
  }
  painter.setOpacity(m_stale ? 0.35 : 1);
  for (const MapColouring::Hull& hull : m_hulls) {
    if (hull.path.controlPointRect().intersects(visible)) paintHull(painter, hull);
  }
  painter.setOpacity(1);
}

}  // namespace p2::views
