// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/best_figure.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/common/matrix_painter.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

constexpr int kFigureEdge = 6;
constexpr int kFigureBar = 7;
constexpr int kFigureTick = 4;

/// White paper, also where the screen is dark.
Theme::Look onPaper() { return {false, Theme::tabularFont()}; }

int lineHeight() { return QFontMetrics(Theme::tabularFont()).lineSpacing(); }

/// "10 s" of 10.0 s.
QString roundSeconds(double seconds) {
  const QString text = secondsText(seconds);
  const qsizetype unit = text.lastIndexOf(' ');
  QString figure = text.left(unit);
  while (figure.contains('.') && (figure.endsWith('0') || figure.endsWith('.'))) figure.chop(1);
  return unit < 0 ? text : figure + text.mid(unit);
}

}  // namespace

BestFigure::BestFigure(std::shared_ptr<const Exploration> exploration, const FigureStyle& style, QString title)
    : m_exploration(std::move(exploration)),
      m_rows(m_exploration ? bestRows(*m_exploration) : std::vector<BestRow>()),
      m_style(style),
      m_title(std::move(title)) {
  if (m_rows.size() > kMostRows) m_rows.resize(kMostRows);
  double least = 0;
  double most = 0;
  for (const BestRow& row : m_rows) {
    least = least == 0 ? row.best : std::min(least, row.best);
    most = std::max({most, row.best, row.single});
  }
  if (least <= 0 || most <= 0) return;
  m_from = std::pow(10, std::floor(std::log10(least)));
  m_to = std::pow(10, std::ceil(std::log10(most)));
  if (m_from == least) m_from /= 10;
  if (m_to <= m_from) m_to = 10 * m_from;
}

BestFigure::Frame BestFigure::frame() const {
  const QFontMetrics figures(Theme::tabularFont());
  Frame frame;
  int matrixHeight = 0;
  int matrixWidth = 0;
  for (const BestRow& row : m_rows) {
    const QSize size = matrixSize(m_exploration->placements[std::size_t(row.placement)].matrix, figures);
    matrixHeight = std::max(matrixHeight, size.height());
    matrixWidth = std::max(matrixWidth, size.width());
  }
  frame.nameWidth = figures.horizontalAdvance(QStringLiteral("★ W "));
  frame.left = kFigureEdge + frame.nameWidth + matrixWidth + 2 * kFigureEdge;
  frame.right = m_style.layoutWidth() - 3 * kFigureEdge;
  const int line = lineHeight();
  frame.top = kFigureEdge + (m_style.title ? line + kFigureEdge : 0) + (m_style.legend ? line + kFigureEdge : 0);
  frame.rowHeight = std::max(matrixHeight, 2 * kFigureBar + 2) + kFigureEdge;
  frame.bottom = frame.top + int(m_rows.size()) * frame.rowHeight;
  return frame;
}

QSize BestFigure::size() const {
  return {m_style.layoutWidth(), frame().bottom + kFigureTick + 2 * lineHeight() + kFigureEdge};
}

double BestFigure::placeOf(const Frame& frame, double seconds) const {
  const double share = std::log(std::max(seconds, m_from) / m_from) / std::log(m_to / m_from);
  return frame.left + share * (frame.right - frame.left);
}

void BestFigure::paintAxis(QPainter& painter, const Frame& frame) const {
  painter.setFont(Theme::tabularFont());
  const int line = lineHeight();
  for (double decade = m_from; decade <= m_to * 1.001; decade *= 10) {
    const double x = placeOf(frame, decade);
    painter.setPen(QPen(Theme::line(), 0.5));
    painter.drawLine(QPointF(x, frame.top), QPointF(x, frame.bottom));
    painter.setPen(QPen(Theme::text(), 1));
    painter.drawLine(QPointF(x, frame.bottom), QPointF(x, frame.bottom + kFigureTick));
    const QRectF room(x - 60, frame.bottom + kFigureTick, 120, line);
    painter.drawText(room, Qt::AlignHCenter | Qt::AlignTop, roundSeconds(decade));
    for (int part = 2; part < 10 && decade < m_to; ++part) {
      const double minor = placeOf(frame, decade * part);
      if (decade * part < m_to) painter.drawLine(QPointF(minor, frame.bottom), QPointF(minor, frame.bottom + 2));
    }
  }
  painter.drawLine(QPointF(frame.left, frame.bottom), QPointF(frame.right, frame.bottom));
  painter.drawText(QRectF(frame.left, frame.bottom + kFigureTick + line, frame.right - frame.left, line),
                   Qt::AlignCenter, QObject::tr("predicted time"));
}

void BestFigure::paintRow(QPainter& painter, const Frame& frame, std::size_t row) const {
  const BestRow& each = m_rows[row];
  const auto& matrix = m_exploration->placements[std::size_t(each.placement)].matrix;
  const double top = frame.top + double(row) * frame.rowHeight;
  painter.setFont(Theme::tabularFont());
  painter.setPen(Theme::text());
  painter.drawText(QRectF(kFigureEdge, top, frame.nameWidth, frame.rowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                   markedLetter(each));
  const QSize size = matrixSize(matrix, painter.fontMetrics());
  paintMatrix(painter,
              QRectF(QPointF(kFigureEdge + frame.nameWidth, top + (frame.rowHeight - size.height()) / 2.0), size),
              matrix, Theme::text());
  const double middle = top + frame.rowHeight / 2.0;
  const QRectF best(frame.left, middle - kFigureBar - 1, placeOf(frame, each.best) - frame.left, kFigureBar);
  const QRectF single(frame.left, middle + 1, placeOf(frame, each.single) - frame.left, kFigureBar);
  painter.fillRect(best, Theme::category(each.category));
  painter.fillRect(single, QBrush(Theme::category(each.category), Qt::BDiagPattern));
  painter.setPen(QPen(Theme::text(), 0.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(single);
  if (each.limit <= m_from) return;
  const double limit = placeOf(frame, each.limit);
  painter.setPen(QPen(Theme::text(), 1, Qt::DotLine));
  painter.drawLine(QPointF(limit, best.top() - 1), QPointF(limit, single.bottom() + 1));
}

void BestFigure::paintLegend(QPainter& painter, const Frame& frame) const {
  const int line = lineHeight();
  const double top = kFigureEdge + (m_style.title ? line + kFigureEdge : 0);
  double left = kFigureEdge;
  painter.setFont(Theme::tabularFont());
  const auto add = [&](const QBrush& brush, const QString& name) {
    const QRectF swatch(left, top + (line - kFigureBar) / 2.0, 2 * kFigureBar, kFigureBar);
    painter.fillRect(swatch, brush);
    painter.setPen(QPen(Theme::text(), 0.5));
    painter.drawRect(swatch);
    left = swatch.right() + kFigureEdge;
    const int width = painter.fontMetrics().horizontalAdvance(name);
    painter.drawText(QRectF(left, top, frame.right - left, line), Qt::AlignLeft | Qt::AlignVCenter, name);
    left += width + 2 * kFigureEdge;
  };
  painter.setBrush(Qt::NoBrush);
  add(Theme::category(0), QObject::tr("best program"));
  add(QBrush(Theme::category(0), Qt::BDiagPattern), QObject::tr("one %1").arg(singleName(m_exploration->workspace)));
}

void BestFigure::paint(QPainter& painter) const {
  const Theme::Painting paper(onPaper());
  painter.fillRect(QRect(QPoint(), size()), Theme::surface());
  if (m_rows.empty()) return;
  const Frame shown = frame();
  if (m_style.title) {
    painter.setFont(Theme::tabularFont());
    painter.setPen(Theme::text());
    painter.drawText(QRectF(kFigureEdge, kFigureEdge, m_style.layoutWidth() - 2 * kFigureEdge, lineHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter, m_title);
  }
  if (m_style.legend) paintLegend(painter, shown);
  paintAxis(painter, shown);
  for (std::size_t row = 0; row < m_rows.size(); ++row) paintRow(painter, shown, row);
}

}  // namespace p2::views
