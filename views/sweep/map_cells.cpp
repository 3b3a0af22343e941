// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/map_cells.h"

#include <array>
#include <cmath>

#include "views/common/hatching.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

/// Names are written from this many pixels around them on.
constexpr double kRoomAround = 6;
/// Rows get gaps from this height on.
constexpr double kGapHeight = 8;

/// Unlike colours of bars, which have a letter each: no two winners among the first seven have the same.
Qt::BrushStyle patternOf(std::size_t winner) {
  static constexpr std::array kPatterns{Qt::SolidPattern, Qt::BDiagPattern, Qt::FDiagPattern,    Qt::HorPattern,
                                        Qt::VerPattern,   Qt::CrossPattern, Qt::DiagCrossPattern};
  return kPatterns[winner % kPatterns.size()];
}

}  // namespace

void fillLikeWinner(QPainter& painter, const QRectF& rect, std::size_t winner) {
  const int category = int(winner);
  painter.fillRect(rect, Theme::category(category));
  hatch(painter, rect, patternOf(winner), Theme::onCategory(category));
}

MapCells::MapCells(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {
  setSelectable(QCP::stNone);
  setAntialiasedFill(false);
}

void MapCells::setHovered(int row, int column) { m_hovered = {row, column}; }

double MapCells::edge(std::size_t column) const {
  const std::vector<double>& values = m_map->values;
  if (column == 0) return values[0] * std::sqrt(values[0] / values[1]);
  if (column == values.size()) return values[column - 1] * std::sqrt(values[column - 1] / values[column - 2]);
  return std::sqrt(values[column - 1] * values[column]);
}

QRectF MapCells::rectOf(int row, int first, int last) const {
  const double left = keyAxis()->coordToPixel(edge(std::size_t(first)));
  const double right = keyAxis()->coordToPixel(edge(std::size_t(last) + 1));
  const double top = valueAxis()->coordToPixel(row - 0.5);
  const double bottom = valueAxis()->coordToPixel(row + 0.5);
  return {QPointF(left, top), QPointF(right, bottom)};
}

MapCells::Cell MapCells::cellAt(QPointF point) const {
  if (!m_map || !clipRect().contains(point.toPoint())) return {};
  const int row = int(std::lround(valueAxis()->pixelToCoord(point.y())));
  const double value = keyAxis()->pixelToCoord(point.x());
  if (row < 0 || row >= int(m_map->placements.size()) || value < edge(0)) return {};
  for (std::size_t column = 0; column < m_map->values.size(); ++column) {
    if (value <= edge(column + 1)) return {row, int(column)};
  }
  return {};
}

double MapCells::selectTest(const QPointF&, bool, QVariant*) const { return -1; }

QCPRange MapCells::getKeyRange(bool& foundRange, QCP::SignDomain) const {
  foundRange = m_map != nullptr;
  return foundRange ? QCPRange(edge(0), edge(m_map->values.size())) : QCPRange();
}

QCPRange MapCells::getValueRange(bool& foundRange, QCP::SignDomain, const QCPRange&) const {
  foundRange = m_map != nullptr;
  return foundRange ? QCPRange(-0.5, double(m_map->placements.size()) - 0.5) : QCPRange();
}

void MapCells::draw(QCPPainter* painter) {
  if (!m_map) return;
  painter->save();
  painter->setAntialiasing(false);
  painter->setOpacity(m_stale ? 0.4 : 1);
  painter->setFont(Theme::tabularFont());
  const QCPRange shown = valueAxis()->range();
  const int first = std::max(0, int(std::floor(shown.lower + 0.5)));
  const int last = std::min(int(m_map->placements.size()) - 1, int(std::ceil(shown.upper - 0.5)));
  for (int row = first; row <= last; ++row) drawRow(*painter, row);
  drawBest(*painter);
  // After the outlines, so that they do not cut a name through.
  for (int row = first; row <= last; ++row) drawNames(*painter, row);
  drawMarks(*painter);
  painter->restore();
}

void MapCells::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const { fillLikeWinner(*painter, rect, 0); }

std::vector<MapCells::Run> MapCells::runsOf(int row) const {
  std::vector<Run> runs;
  for (int column = 0; column < int(m_map->values.size()); ++column) {
    const std::size_t winner = m_map->at(std::size_t(row), std::size_t(column)).winner;
    if (runs.empty() || runs.back().winner != winner) runs.push_back({column, column, winner});
    runs.back().last = column;
  }
  return runs;
}

void MapCells::drawRow(QCPPainter& painter, int row) const {
  for (const auto& [first, last, winner] : runsOf(row)) {
    QRectF rect = rectOf(row, first, last);
    if (rect.height() >= kGapHeight) rect.adjust(0, 1, 0, -1);
    // Exported drawings keep items beyond the axes.
    const QRectF visible = rect & QRectF(clipRect());
    if (visible.isEmpty()) continue;
    fillLikeWinner(painter, visible, winner);
  }
}

QRectF MapCells::namePlace(int row, const Run& run, const QFontMetrics& metrics) const {
  const QSizeF room(metrics.horizontalAdvance(qs(m_map->winners[run.winner])) + kRoomAround, metrics.height());
  const auto isBest = [&](int column) { return m_map->bestRow[std::size_t(column)] == std::size_t(row); };
  QRectF widest;
  for (int first = run.first, last = first; first <= run.last; first = ++last) {
    while (last < run.last && isBest(last + 1) == isBest(first)) ++last;
    const QRectF part = rectOf(row, first, last) & QRectF(clipRect());
    if (part.width() > widest.width()) widest = part;
  }
  const QRectF whole = rectOf(row, run.first, run.last) & QRectF(clipRect());
  for (const QRectF& part : {widest, whole}) {
    if (part.width() < room.width() + kRoomAround || part.height() < room.height()) continue;
    return {part.center() - QPointF(room.width(), room.height()) / 2, room};
  }
  return {};
}

std::vector<QRectF> MapCells::namePlaces(int row, const QFontMetrics& metrics) const {
  std::vector<QRectF> places;
  for (const Run& run : runsOf(row)) {
    const QRectF place = namePlace(row, run, metrics);
    if (!place.isEmpty()) places.push_back(place);
  }
  return places;
}

void MapCells::drawNames(QCPPainter& painter, int row) const {
  for (const Run& run : runsOf(row)) {
    const QRectF place = namePlace(row, run, painter.fontMetrics());
    if (place.isEmpty()) continue;
    painter.fillRect(place, Theme::category(int(run.winner)));
    painter.setPen(Theme::onCategory(int(run.winner)));
    painter.drawText(place, Qt::AlignCenter, qs(m_map->winners[run.winner]));
  }
}

void MapCells::drawBest(QCPPainter& painter) const {
  painter.setBrush(Qt::NoBrush);
  const int columns = int(m_map->values.size());
  for (int first = 0, last = 0; first < columns; first = ++last) {
    const std::size_t row = m_map->bestRow[std::size_t(first)];
    while (last + 1 < columns && m_map->bestRow[std::size_t(last) + 1] == row) ++last;
    const QRectF rect = rectOf(int(row), first, last);
    painter.setPen(QPen(Theme::surface(), 5));
    painter.drawRect(rect.adjusted(1, 1, -1, -1));
    painter.setPen(QPen(Theme::text(), 2));
    painter.drawRect(rect.adjusted(1, 1, -1, -1));
  }
}

void MapCells::drawMarks(QCPPainter& painter) const {
  if (m_chosenRow >= 0 && m_chosenRow < int(m_map->placements.size())) {
    const double y = valueAxis()->coordToPixel(m_chosenRow);
    const double x = clipRect().left() + 1;
    painter.setPen(QPen(Theme::surface(), 1));
    painter.setBrush(Theme::accent());
    painter.drawPolygon(QPolygonF{QPointF(x, y - 6), QPointF(x + 9, y), QPointF(x, y + 6)});
  }
  if (m_hovered.row < 0 || m_hovered.row >= int(m_map->placements.size())) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Theme::accent(), 2));
  painter.drawRect(rectOf(m_hovered.row, m_hovered.column, m_hovered.column));
}

}  // namespace p2::views
