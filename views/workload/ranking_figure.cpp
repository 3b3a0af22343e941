// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_figure.h"

#include <QPainter>
#include <algorithm>

#include "base/units.h"
#include "views/common/matrix_painter.h"
#include "views/common/theme.h"
#include "views/workload/ranking_bars.h"
#include "views/workload/ranking_model.h"

namespace p2::views {
namespace {

constexpr int kPaperEdge = 6;
constexpr int kPaperBar = 18;
constexpr std::size_t kMostExplained = 12;

QFontMetrics paperMetrics() { return QFontMetrics(Theme::tabularFont()); }

QString timeOf(const PlacementStep& placement) { return QString::fromStdString(formatSeconds(placement.stepSeconds)); }

}  // namespace

RankingFigure::RankingFigure(std::shared_ptr<const StepRanking> ranking, const FigureStyle& style, QString title)
    : m_ranking(std::move(ranking)), m_style(style), m_title(std::move(title)) {}

std::size_t RankingFigure::rows() const { return m_ranking ? std::min(m_ranking->placements.size(), kMostRows) : 0; }

int RankingFigure::rowHeight() const {
  int height = kPaperBar;
  for (std::size_t row = 0; row < rows(); ++row) {
    height = std::max(height, matrixSize(m_ranking->placements[row].matrix, paperMetrics()).height());
  }
  return height + kPaperEdge;
}

int RankingFigure::barsLeft() const {
  int width = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    width = std::max(width, matrixSize(m_ranking->placements[row].matrix, paperMetrics()).width());
  }
  return kPaperEdge + paperMetrics().horizontalAdvance(QStringLiteral("★◆ ")) + width + 2 * kPaperEdge;
}

int RankingFigure::legend(QPainter* painter, int top) const {
  const int line = paperMetrics().lineSpacing();
  const int right = m_style.layoutWidth() - kPaperEdge;
  int left = kPaperEdge;
  const auto& entries = m_ranking->entries();
  for (std::size_t i = 0; i < std::min(entries.size(), kMostExplained); ++i) {
    const QString name = QString::fromStdString(entries[i].name);
    const int width = line + kPaperEdge + paperMetrics().horizontalAdvance(name) + 2 * kPaperEdge;
    if (left > kPaperEdge && left + width > right) {
      left = kPaperEdge;
      top += line + kPaperEdge / 2;
    }
    if (painter != nullptr) {
      painter->setFont(Theme::tabularFont());
      paintSegment(*painter, QRectF(left, top, line, line), {i, 1, false}, false);
      painter->setPen(Theme::text());
      painter->drawText(QRect(left + line + kPaperEdge, top, right - left, line), Qt::AlignLeft | Qt::AlignVCenter,
                        name);
    }
    left += width;
  }
  return top + line + kPaperEdge;
}

QSize RankingFigure::size() const {
  int height = kPaperEdge;
  if (m_style.title) height += paperMetrics().lineSpacing() + kPaperEdge;
  if (m_style.legend && rows() > 0) height = legend(nullptr, height);
  return {m_style.layoutWidth(), height + int(rows()) * rowHeight() + kPaperEdge};
}

void RankingFigure::paintRow(QPainter& painter, std::size_t row, int top) const {
  const PlacementStep& placement = m_ranking->placements[row];
  const int height = rowHeight();
  const int marks = paperMetrics().horizontalAdvance(QStringLiteral("★◆ "));
  painter.setFont(Theme::tabularFont());
  painter.setPen(Theme::text());
  painter.drawText(QRect(kPaperEdge, top, marks, height), Qt::AlignLeft | Qt::AlignVCenter,
                   placementMarks(*m_ranking, row));
  const QSize matrix = matrixSize(placement.matrix, painter.fontMetrics());
  paintMatrix(painter, QRectF(QPointF(kPaperEdge + marks, top + (height - matrix.height()) / 2.0), matrix),
              placement.matrix, Theme::text());
  int times = 0;
  for (std::size_t each = 0; each < rows(); ++each) {
    times = std::max(times, paperMetrics().horizontalAdvance(timeOf(m_ranking->placements[each])));
  }
  const int left = barsLeft();
  const QRectF bar(left, top + (height - kPaperBar) / 2.0,
                   std::max(0, m_style.layoutWidth() - 3 * kPaperEdge - times - left), kPaperBar);
  const double right = paintStepBar(painter, bar, *m_ranking, placement, longestBar(*m_ranking), false);
  painter.drawText(QRectF(right + kPaperEdge, top, times + kPaperEdge, height), Qt::AlignLeft | Qt::AlignVCenter,
                   timeOf(placement));
}

void RankingFigure::paint(QPainter& painter) const {
  const Theme::Painting paper({false, Theme::tabularFont()});
  painter.fillRect(QRect(QPoint(), size()), Theme::surface());
  if (rows() == 0) return;
  int top = kPaperEdge;
  if (m_style.title) {
    const int line = paperMetrics().lineSpacing();
    painter.setFont(Theme::tabularFont());
    painter.setPen(Theme::text());
    painter.drawText(QRect(kPaperEdge, top, m_style.layoutWidth() - 2 * kPaperEdge, line),
                     Qt::AlignLeft | Qt::AlignVCenter, m_title);
    top += line + kPaperEdge;
  }
  if (m_style.legend) top = legend(&painter, top);
  for (std::size_t row = 0; row < rows(); ++row, top += rowHeight()) paintRow(painter, row, top);
}

}  // namespace p2::views
