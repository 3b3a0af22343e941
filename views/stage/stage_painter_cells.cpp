// SPDX-License-Identifier: GPL-3.0-or-later
// What StagePainter draws of one device.
#include <QFontMetricsF>
#include <algorithm>

#include "views/common/device_names.h"
#include "views/stage/stage_marks.h"
#include "views/stage/stage_painter.h"

namespace p2::views {
namespace {

constexpr double kLeastChanges = 20;  // widget pixels of a matrix in which rings leave something to see

bool contains(const DeviceGroup& devices, Device device) {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

}  // namespace

void StagePainter::paintCell(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell) {
  const bool marked = cell.device == frame.chosen || cell.device == frame.hovered;
  if (marked) paintFrame(painter, cell, m_colors.tint);
  if (cell.device == frame.chosen || cell.device == frame.focused) paintCursor(painter, frame, cell);
  if (m_layout.detail() >= Detail::Glyph || !m_pictures.canDraw(cell.device, m_moment.before) ||
      !m_pictures.canDraw(cell.device, m_moment.after)) {
    paintGlyph(painter, cell);
    return;
  }
  paintMatrix(painter, cell);
  if (m_layout.hasLabels()) paintLabels(painter, cell);
  paintChanges(painter, cell);
  const bool failed = m_moment.fails && motion() != nullptr && m_moment.progress >= *motion()->failsAt;
  if (failed && m_groups.of(cell.device).failed) paintFailure(painter, cell);
}

void StagePainter::paintFrame(QPainter& painter, const DeviceMap::Cell& cell, const QColor& fill) const {
  painter.setPen(QPen(m_colors.line, pixel()));
  painter.setBrush(fill);
  painter.drawRect(cell.rect.adjusted(0.5, 0.5, -0.5, -0.5));
  if (!m_layout.hasHeader()) return;
  painter.setFont(fontOf(0.85));
  painter.setPen(m_colors.text);
  const QRectF header = m_layout.headerRect(cell.rect);
  const QString heading = deviceHeading(m_replay->placement, cell.device);
  const double room = header.width() - 3 * header.height();  // next to the group's letter and a crown
  const bool fits = QFontMetricsF(painter.font()).horizontalAdvance(heading) <= room;
  painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter, fits ? heading : deviceShortName(cell.device));
}

/// The cursor and the chosen device are outside the group's outline, which both must leave readable.
void StagePainter::paintCursor(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell) const {
  painter.setPen(QPen(cell.device == frame.chosen ? m_colors.accent : m_colors.text, 1.5 * pixel(),
                      cell.device == frame.focused ? Qt::DotLine : Qt::SolidLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(cell.rect.adjusted(-2.5, -2.5, 2.5, 2.5), 4, 4);
}

void StagePainter::paintMatrix(QPainter& painter, const DeviceMap::Cell& cell) {
  const QRectF rect = m_layout.matrixRect(cell.rect);
  const double merged = motion() == nullptr ? 1 : motion()->merged(m_moment.progress);
  const double dropped = motion() == nullptr ? 1 : motion()->dropped(m_moment.progress);
  const auto draw = [&](const QImage& image, double share) {
    if (share <= 0) return;
    const double opacity = painter.opacity();
    painter.setOpacity(opacity * share);
    painter.drawImage(rect, image);
    painter.setOpacity(opacity);
  };
  if (m_moment.before == m_moment.after) return draw(m_pictures.of(cell.device, m_moment.after), 1);
  if (motion() != nullptr && m_landed.any()) {
    const double over = eased((m_moment.progress - motion()->mergeFrom) / (motion()->dropTo - motion()->mergeFrom));
    const std::size_t landed = m_landed.landedBy(cell.device, m_moment.progress);
    if (over < 1) draw(m_pictures.landed(cell.device, m_landed, landed), 1);
    return draw(m_pictures.of(cell.device, m_moment.after), over);
  }
  // Present data is drawn in full under arriving data, so that nothing shines through.
  if (merged < 1) draw(m_pictures.of(cell.device, m_moment.before), 1);
  if (merged <= 0) return;
  if (merged >= 1 && dropped >= 1) return draw(m_pictures.of(cell.device, m_moment.after), 1);
  const QImage& joined = m_pictures.joined(cell.device, m_moment.before);
  if (joined.isNull()) return draw(m_pictures.of(cell.device, m_moment.after), merged);
  draw(joined, merged);
  draw(m_pictures.of(cell.device, m_moment.after), dropped);
}

void StagePainter::paintLabels(QPainter& painter, const DeviceMap::Cell& cell) const {
  const QRectF rect = m_layout.matrixRect(cell.rect);
  const double high = m_layout.rowHeight();
  const double wide = m_layout.columnWidth();
  const double gap = 4 * pixel();
  const DeviceGroup contributors = m_replay->contributorsOf(cell.device);
  painter.setFont(fontOf(kLeastText));
  painter.setPen(m_colors.muted);
  for (int i = 0; i < int(m_replay->members); ++i) {
    painter.drawText(QRectF(rect.left() - 40 * pixel() - gap, rect.top() + i * high, 40 * pixel(), high),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(i));
    if (m_numbers) continue;
    painter.drawText(QRectF(rect.left() + i * wide, rect.top() - 20 * pixel() - gap, wide, 20 * pixel()),
                     Qt::AlignHCenter | Qt::AlignBottom | Qt::TextDontClip,
                     QString::number(contributors[std::size_t(i)].value()));
  }
}

void StagePainter::paintChanges(QPainter& painter, const DeviceMap::Cell& cell) {
  if (m_moment.fails || motion() == nullptr || m_moment.progress < motion()->mergeTo) return;
  const QRectF rect = m_layout.matrixRect(cell.rect);
  if (rect.width() < kLeastChanges * pixel()) return;
  const double unit = m_layout.rowHeight();
  for (const auto& [first, last] : m_pictures.changedRows(cell.device, m_moment.before)) {
    paintDoubleRing(painter, QRectF(rect.left(), rect.top() + first * unit, rect.width(), (last - first + 1) * unit),
                    m_colors.accent, pixel());
  }
}

void StagePainter::paintGlyph(QPainter& painter, const DeviceMap::Cell& cell) {
  const bool over = motion() == nullptr || m_moment.progress >= motion()->mergeTo;
  const QRectF rect = m_layout.matrixRect(cell.rect);
  Glyphs::paint(painter, rect, m_glyphs.of(cell.device, over ? m_moment.after : m_moment.before), pixel());
}

void StagePainter::paintFailure(QPainter& painter, const DeviceMap::Cell& cell) {
  const PremiseFailure& failure = *m_replay->failure;
  if (!contains(failure.members, cell.device) && !failure.members.empty()) return;
  const QRectF rect = m_layout.matrixRect(cell.rect);
  const double unit = m_layout.rowHeight();
  const double wide = m_layout.columnWidth();
  painter.setPen(QPen(m_colors.bad, 2 * pixel()));
  painter.setBrush(Qt::NoBrush);
  double below = -1;  // rows that fall on the same pixel are marked once
  for (const int row : failure.rows) {
    if (row * unit < below) continue;
    below = row * unit + pixel();
    painter.drawRect(QRectF(rect.left(), rect.top() + row * unit, rect.width(), unit));
  }
  if (m_numbers) return;
  for (const int column : failure.columns) {
    painter.drawRect(QRectF(rect.left() + column * wide, rect.top(), wide, rect.height()));
  }
  if (failure.premise == Premise::ColumnsDisjoint && !failure.rows.empty() && !failure.columns.empty()) {
    const QPointF bit(rect.left() + failure.columns[0] * wide, rect.top() + failure.rows[0] * unit);
    paintTwice(painter, QRectF(bit, QSizeF(wide, unit)), fontOf(0.85), pixel());
  }
}

}  // namespace p2::views
