// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace p2::views {
namespace {

constexpr double kMargin = 6;       // between a cell's frame and its matrix
constexpr double kHeadedCell = 44;  // from this width on a cell has a header
constexpr double kLeastCell = 5;    // smaller ones are reached by zooming
constexpr double kMostStretch = 2;
constexpr double kLeastBit = 1.5;    // screen pixels of a distinguishable bit
constexpr double kLeastFolded = 48;  // screen pixels of a folded matrix
constexpr double kLeastGlyph = 10;

/// How nested boxes wrap is a matter of luck; another aspect often fits where the viewport's own does not.
constexpr std::array kAspectFactors{1.0, 0.7, 1.4, 0.5, 2.0, 0.25, 4.0};

}  // namespace

QSizeF StageLayout::cellOf(double width) const {
  return {width, width >= kHeadedCell ? width + m_headerPixels - kMargin : width};
}

void StageLayout::arrange(const System& system, std::int64_t members, QSizeF viewport, std::int64_t mostDevices,
                          double textHeight) {
  m_map = {};
  m_headerPixels = std::max(18.0, textHeight);
  m_gutterPixels = std::max(15.0, 0.8 * textHeight);
  m_members = std::max<std::int64_t>(members, 1);
  const QSizeF room(viewport.width(), viewport.height() - DeviceMap::kTitleHeight);
  if (room.isEmpty()) return;
  const double aspect = room.width() / room.height();
  double best = kLeastCell;
  double bestFactor = 1;
  for (const double factor : kAspectFactors) {
    double low = kLeastCell;
    double high = std::min(room.width(), room.height());
    while (high - low > 0.5) {
      const double middle = (low + high) / 2;
      const QSizeF size = deviceMapSize(system, cellOf(middle), aspect * factor, mostDevices);
      const bool fits = size.width() <= room.width() && size.height() <= room.height();
      (fits ? low : high) = middle;
    }
    if (low <= best + 0.5) continue;
    best = low;
    bestFactor = factor;
  }
  m_cell = cellOf(best >= kHeadedCell ? std::floor(best) : std::floor(2 * best) / 2);
  stretch(system, room, aspect * bestFactor, mostDevices);
  m_map = layoutDevices(system, m_cell, aspect * bestFactor, mostDevices);
  // Above everything runs what joins the outermost instances.
  m_map.bounds.setTop(-DeviceMap::kTitleHeight);
  place();
}

void StageLayout::stretch(const System& system, QSizeF room, double aspect, std::int64_t mostDevices) {
  const QSizeF square = m_cell;
  const auto grown = [&](double factor, bool high) {
    return high ? QSizeF(square.width(), std::floor(square.height() * factor))
                : QSizeF(std::floor(square.width() * factor), square.height());
  };
  for (const bool high : {true, false}) {
    double low = 1;
    double more = kMostStretch;
    while (more - low > 0.01) {
      const double middle = (low + more) / 2;
      const QSizeF size = deviceMapSize(system, grown(middle, high), aspect, mostDevices);
      (size.width() <= room.width() && size.height() <= room.height() ? low : more) = middle;
    }
    const QSizeF cell = grown(low, high);
    if (cell.width() * cell.height() > m_cell.width() * m_cell.height()) m_cell = cell;
  }
}

void StageLayout::setScale(double zoom, double devicePixelRatio) {
  if (zoom == m_zoom && devicePixelRatio == m_devicePixelRatio) return;
  m_zoom = zoom;
  m_devicePixelRatio = devicePixelRatio;
  place();
}

void StageLayout::place() {
  const double width = m_cell.width() * m_zoom;
  const bool headed = width >= kHeadedCell;
  m_margin = (headed ? kMargin : width >= 16 ? 2 : 1) / m_zoom;
  m_header = headed ? m_headerPixels / m_zoom : 0;
  const double least = 1 / m_zoom;
  const QSizeF room(std::max(m_cell.width() - 2 * m_margin, least),
                    std::max(m_cell.height() - std::max(m_header, m_margin) - m_margin, least));
  const QSizeF pixels = room * pixelRatio();
  const double smaller = std::min(pixels.width(), pixels.height());
  const double gutter = m_gutterPixels * m_devicePixelRatio;
  const double labelled = std::floor((smaller - gutter) / double(m_members));
  m_gutter = labelled >= kLabelledBit * m_devicePixelRatio ? m_gutterPixels / m_zoom : 0;
  const double bit = m_gutter > 0 ? labelled : smaller / double(m_members);
  m_detail = bit >= kLeastBit                               ? Detail::Grid
             : smaller >= kLeastFolded * m_devicePixelRatio ? Detail::Folded
             : smaller >= kLeastGlyph * m_devicePixelRatio  ? Detail::Glyph
                                                            : Detail::Classes;
  // Bits of uneven size would look as if they meant something.
  const auto along = [&](double length) {
    const double free = m_gutter > 0 ? length - gutter : length;
    const auto members = int(std::min<std::int64_t>(m_members, std::int64_t(free)));
    return std::max(1, m_detail == Detail::Grid ? int(free) / std::max(members, 1) * members : int(free));
  };
  m_matrixPixels = {along(pixels.width()), along(pixels.height())};
  m_matrix = QSizeF(m_matrixPixels) / pixelRatio();
}

QRectF StageLayout::headerRect(const QRectF& cell) const {
  return {cell.left() + m_margin, cell.top() + 2 / m_zoom, cell.width() - 2 * m_margin, m_header - 2 / m_zoom};
}

QRectF StageLayout::matrixRect(const QRectF& cell) const {
  const double top = std::max(m_header, m_margin);
  // In the middle of the remaining room.
  const double roomX = cell.width() - 2 * m_margin - m_gutter - m_matrix.width();
  const double roomY = cell.height() - top - m_margin - m_gutter - m_matrix.height();
  const double pixel = 1 / pixelRatio();
  const auto snapped = [pixel](double at) { return std::max(0.0, std::floor(at / pixel) * pixel); };
  return {
      QPointF(cell.left() + m_margin + m_gutter + snapped(roomX / 2), cell.top() + top + m_gutter + snapped(roomY / 2)),
      m_matrix};
}

QRectF StageLayout::rowRect(Device device, std::int64_t chunk) const {
  if (device.isNone() || device.index() >= m_map.cells.size() || chunk < 0 || chunk >= m_members) return {};
  const QRectF matrix = matrixRect(m_map.cells[device.index()].rect);
  return {matrix.left(), matrix.top() + double(chunk) * rowHeight(), matrix.width(), rowHeight()};
}

std::optional<StageLayout::Row> StageLayout::rowAt(QPointF point) const {
  const Device device = m_map.deviceAt(point);
  if (device.isNone() || m_detail == Detail::Classes) return std::nullopt;
  const QRectF matrix = matrixRect(m_map.cells[device.index()].rect);
  if (!matrix.contains(point)) return std::nullopt;
  const auto row = std::int64_t((point.y() - matrix.top()) / rowHeight());
  return Row{device, std::clamp<std::int64_t>(row, 0, m_members - 1)};
}

}  // namespace p2::views
