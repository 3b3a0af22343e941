// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_picture.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "views/common/matrix_painter.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/workload/ranking_bars.h"
#include "views/workload/ranking_model.h"
#include "views/workload/ranking_words.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostPictured = 40;
constexpr std::size_t kMostKeyed = 12;
constexpr int kLeastWidth = 900;
constexpr int kPictureGap = 2 * Theme::kGrid;
constexpr int kPicturedBar = 20;
constexpr int kWordChars = 30;
constexpr int kOrderChars = 24;
constexpr int kFigureRoom = 9;  // characters behind a bar

QFontMetrics wordMetrics() { return QFontMetrics(QApplication::font()); }

int heightOf(const QString& text, int width) {
  return wordMetrics().boundingRect(QRect(0, 0, width, 1 << 20), Qt::TextWordWrap, text).height();
}

void write(QPainter& painter, const QRect& room, const QString& text, const QColor& ink) {
  painter.setFont(QApplication::font());
  painter.setPen(ink);
  painter.drawText(room, int(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap), text);
}

}  // namespace

RankingPicture::RankingPicture(std::shared_ptr<const StepRanking> ranking, std::optional<ReductionWinner> winner,
                               int width)
    : m_ranking(std::move(ranking)), m_winner(std::move(winner)), m_width(std::max(width, kLeastWidth)) {}

std::size_t RankingPicture::rows() const {
  return m_ranking ? std::min(m_ranking->placements.size(), kMostPictured) : 0;
}

QString RankingPicture::wordsOf(std::size_t row) const {
  return whereText(m_ranking->question.system, m_ranking->question.axes, m_ranking->placements[row].matrix);
}

RankingPicture::Grid RankingPicture::grid() const {
  Grid grid;
  const QFontMetrics metrics = wordMetrics();
  const QFontMetrics figures(Theme::tabularFont());
  const QSize matrix = matrixSize(m_ranking->placements[0].matrix, figures);
  grid.matrix = kPictureGap + metrics.horizontalAdvance(QStringLiteral("★◆ "));
  int matrixWidth = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    matrixWidth = std::max(matrixWidth, matrixSize(m_ranking->placements[row].matrix, figures).width());
  }
  grid.words = grid.matrix + matrixWidth + kPictureGap;
  grid.bars = grid.words + kWordChars * metrics.averageCharWidth() + kPictureGap;
  grid.right = m_width - kPictureGap;
  grid.orders = grid.right - kOrderChars * metrics.averageCharWidth();
  grid.rowHeight = std::max(matrix.height(), kPicturedBar);
  for (std::size_t row = 0; row < rows(); ++row) {
    const QString orders = leadersOf(*m_ranking, row, m_winner).join(QStringLiteral(" · "));
    grid.rowHeight = std::max({grid.rowHeight, heightOf(wordsOf(row), grid.bars - kPictureGap - grid.words),
                               heightOf(orders, grid.right - grid.orders)});
  }
  grid.rowHeight += Theme::kGrid;
  grid.head = kPictureGap + heightOf(findingOf(*m_ranking, m_winner), m_width - 2 * kPictureGap) +
              2 * (metrics.lineSpacing() + Theme::kGrid) + kPictureGap;
  return grid;
}

QSize RankingPicture::size() const {
  if (rows() == 0) return {m_width, 4 * kPictureGap};
  const Grid shown = grid();
  const int more = rows() < m_ranking->placements.size() ? wordMetrics().lineSpacing() + Theme::kGrid : 0;
  return {m_width, shown.head + int(rows()) * shown.rowHeight + more + kPictureGap};
}

/// The finding, and the legend.
int RankingPicture::paintHead(QPainter& painter) const {
  const QString finding = findingOf(*m_ranking, m_winner);
  const int height = heightOf(finding, m_width - 2 * kPictureGap);
  write(painter, {kPictureGap, kPictureGap, m_width - 2 * kPictureGap, height}, finding, Theme::text());
  int left = kPictureGap;
  const int line = wordMetrics().lineSpacing();
  int top = kPictureGap + height + Theme::kGrid;
  const auto& entries = m_ranking->entries();
  for (std::size_t i = 0; i < std::min(entries.size(), kMostKeyed); ++i) {
    const QString name = legendName(entries, i);
    const int width = line + Theme::kGrid / 2 + wordMetrics().horizontalAdvance(name) + kPictureGap;
    if (left + width > m_width - kPictureGap) break;
    paintSegment(painter, QRectF(left, top, line, line), {i, 1, false}, false);
    write(painter, {left + line + Theme::kGrid / 2, top, width, line}, name, Theme::text());
    left += width;
  }
  top += line + Theme::kGrid;
  QString key =
      QObject::tr("%1, %2 model · solid: exposed · hatched: may overlap with computation")
          .arg(qs(std::string(stepTimeName(m_ranking->question))), qs(m_ranking->question.options.cost.model));
  if (!endsWithItsBar(*m_ranking)) key += QObject::tr(" · line: where the step ends");
  write(painter, {kPictureGap, top, m_width - 2 * kPictureGap, line}, key, Theme::mutedText());
  return top + line + kPictureGap;
}

void RankingPicture::paintRow(QPainter& painter, const Grid& grid, std::size_t row, int top) const {
  const PlacementStep& placement = m_ranking->placements[row];
  const auto room = [&](int left, int right) { return QRect(left, top, right - left, grid.rowHeight); };
  write(painter, room(kPictureGap, grid.matrix), placementMarks(*m_ranking, row), Theme::text());
  painter.setFont(Theme::tabularFont());
  const QSize matrix = matrixSize(placement.matrix, painter.fontMetrics());
  paintMatrix(painter, QRectF(QPointF(grid.matrix, top + (grid.rowHeight - matrix.height()) / 2.0), matrix),
              placement.matrix, Theme::text());
  write(painter, room(grid.words, grid.bars - kPictureGap), wordsOf(row), Theme::text());
  const int figure = QFontMetrics(Theme::tabularFont()).averageCharWidth() * kFigureRoom;
  const QRectF bar(grid.bars, top + (grid.rowHeight - kPicturedBar) / 2.0,
                   std::max(0, grid.orders - kPictureGap - figure - grid.bars), kPicturedBar);
  const double right = paintStepBar(painter, bar, *m_ranking, placement, longestBar(*m_ranking), false);
  painter.drawText(QRectF(right + Theme::kGrid, top, figure, grid.rowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                   secondsText(placement.stepSeconds));
  write(painter, room(grid.orders, grid.right), leadersOf(*m_ranking, row, m_winner).join(QStringLiteral(" · ")),
        Theme::mutedText());
}

void RankingPicture::paint(QPainter& painter) const {
  painter.fillRect(QRect(QPoint(), size()), Theme::surface());
  if (rows() == 0) return write(painter, QRect(QPoint(), size()), QObject::tr("Nothing is ranked."), Theme::text());
  const Grid shown = grid();
  int top = paintHead(painter);
  for (std::size_t row = 0; row < rows(); ++row, top += shown.rowHeight) paintRow(painter, shown, row, top);
  const std::size_t more = m_ranking->placements.size() - rows();
  if (more == 0) return;
  write(painter, {kPictureGap, top, m_width - 2 * kPictureGap, wordMetrics().lineSpacing()},
        QObject::tr("%L1 slower placements are not shown").arg(qulonglong(more)), Theme::mutedText());
}

}  // namespace p2::views
