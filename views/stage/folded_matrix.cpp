// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/folded_matrix.h"

#include <QPainter>
#include <algorithm>

#include "views/common/theme.h"
#include "views/stage/grid_style.h"

namespace p2::views {
namespace {

/// "64 ×32": thirty-two rows from number 64 on.
QString labelOf(const FoldedRun& run) {
  if (run.skipped > 0) return QString("⋯ %1 runs").arg(run.skipped);
  return run.count == 1 ? QString::number(run.from) : QString("%1 ×%2").arg(run.from).arg(run.count);
}

double widest(const QFontMetricsF& metrics, const std::vector<FoldedRun>& runs) {
  double width = 0;
  for (const FoldedRun& run : runs) width = std::max(width, metrics.horizontalAdvance(labelOf(run)));
  return width;
}

}  // namespace

FoldedMatrix::FoldedMatrix(QWidget* parent) : QWidget(parent) {
  setMinimumSize(192, 192);
  setAccessibleName(tr("Folded bit matrix of the chosen device"));
  setToolTip(tr("Equal neighbours share a row or column: 64 ×32 stands for 32 of them, starting at 64"));
}

void FoldedMatrix::show(const FoldedState& state) {
  m_size = state.size;
  m_rows = foldedRuns(state.rows, state.size, kMostRuns);
  m_columns = foldedRuns(state.columns, state.size, kMostRuns);
  setAccessibleDescription(
      state.rows.empty()
          ? tr("holds nothing")
          : tr("chunks %1, each with the contributions of %2").arg(runsText(state.rows), runsText(state.columns)));
  update();
}

void FoldedMatrix::paintEvent(QPaintEvent*) {
  if (m_size == 0) return;
  QPainter painter(this);
  QFont font = Theme::tabularFont();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  painter.setFont(font);
  const QFontMetricsF metrics(font, this);
  const double line = metrics.height();
  const double left = std::max(widest(metrics, m_rows), metrics.horizontalAdvance(tr("chunk"))) + Theme::kGrid;
  const double top = line + widest(metrics, m_columns) + 2 * Theme::kGrid;
  const double unit = std::min((width() - left) / double(m_columns.size()),
                               std::min((height() - top) / double(m_rows.size()), 3 * line));
  if (unit < 1) return;
  for (std::size_t y = 0; y < m_rows.size(); ++y) {
    for (std::size_t x = 0; x < m_columns.size(); ++x) {
      paintCell(painter, QRectF(left + double(x) * unit, top + double(y) * unit, unit - 1, unit - 1), m_rows[y],
                m_columns[x]);
    }
  }
  painter.setPen(Theme::text());
  for (std::size_t y = 0; y < m_rows.size(); ++y) {
    painter.drawText(QRectF(0, top + double(y) * unit, left - Theme::kGrid, unit),
                     Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, labelOf(m_rows[y]));
  }
  painter.setPen(Theme::mutedText());
  painter.drawText(QRectF(0, 0, width(), line), Qt::AlignLeft, tr("contribution of the group's member"));
  painter.drawText(QRectF(0, top - line, left - Theme::kGrid, line), Qt::AlignRight, tr("chunk"));
  painter.setPen(Theme::text());
  painter.rotate(-90);
  for (std::size_t x = 0; x < m_columns.size(); ++x) {
    painter.drawText(QRectF(Theme::kGrid - top, left + double(x) * unit, top - line - Theme::kGrid, unit),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, labelOf(m_columns[x]));
  }
}

void FoldedMatrix::paintCell(QPainter& painter, const QRectF& cell, const FoldedRun& row,
                             const FoldedRun& column) const {
  if (row.skipped > 0 || column.skipped > 0) {
    painter.fillRect(cell, QBrush(Theme::line(), Qt::BDiagPattern));
    return;
  }
  const GridInk ink = GridInk::current();
  // The ramp runs over all members; a run has the colour of its middle.
  const int shade = int((column.from + column.count / 2) * 255 / m_size);
  painter.fillRect(cell, !row.set ? ink.ground : column.set ? memberColor(shade, 256) : ink.missing);
  if (!row.set) return;
  painter.setPen(ink.frame);
  painter.drawRect(cell.adjusted(0, 0, -1, -1));
}

}  // namespace p2::views
