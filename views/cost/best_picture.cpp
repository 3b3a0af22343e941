// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/best_picture.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "views/common/matrix_painter.h"
#include "views/common/theme.h"
#include "views/cost/best_bars.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

constexpr int kLeastPictureWidth = 960;
constexpr int kEdge = 2 * Theme::kGrid;
constexpr int kNameChars = 7;
constexpr int kProgramChars = 34;

QFontMetrics plainMetrics() { return QFontMetrics(QApplication::font()); }

QRect boundsOf(const QString& text, int width) {
  return plainMetrics().boundingRect(QRect(0, 0, width, 1 << 20), Qt::TextWordWrap, text);
}

}  // namespace

BestPicture::BestPicture(std::shared_ptr<const Exploration> exploration, int width)
    : m_exploration(std::move(exploration)),
      m_rows(m_exploration ? bestRows(*m_exploration) : std::vector<BestRow>()),
      m_width(std::max(width, kLeastPictureWidth)) {}

QStringList BestPicture::head() const {
  if (!m_exploration) return {};
  QStringList lines{summaryOf(m_exploration->workspace, nullptr).question, bestFinding(*m_exploration, m_rows),
                    QObject::tr("Predicted: %1. Solid: the best program. Hatched: one %2 over the whole group.")
                        .arg(pricedHow(m_exploration->workspace.options.cost), singleName(m_exploration->workspace))};
  if (shown() < m_rows.size()) lines += QObject::tr("The best %1 of %2 placements.").arg(shown()).arg(m_rows.size());
  return lines;
}

int BestPicture::headHeight() const {
  int height = kEdge;
  for (const QString& line : head()) height += boundsOf(line, m_width - 2 * kEdge).height() + Theme::kGrid / 2;
  return height + Theme::kGrid;
}

int BestPicture::rowHeight() const {
  const QFontMetrics figures(Theme::tabularFont());
  const int matrix = m_rows.empty() ? 0 : matrixSize(m_exploration->placements[0].matrix, figures).height();
  int height = std::max(matrix, kBestBarsHeight);
  for (std::size_t row = 0; row < shown(); ++row) {
    const int width = kProgramChars * plainMetrics().averageCharWidth();
    height = std::max(height, boundsOf(programOf(*m_exploration, m_rows[row]), width).height());
  }
  return height + Theme::kGrid;
}

QSize BestPicture::size() const { return {m_width, headHeight() + int(shown()) * rowHeight() + kEdge}; }

void BestPicture::paint(QPainter& painter) const {
  painter.fillRect(QRect(QPoint(), size()), Theme::surface());
  painter.setFont(QApplication::font());
  painter.setPen(Theme::text());
  int top = kEdge;
  for (const QString& line : head()) {
    const int height = boundsOf(line, m_width - 2 * kEdge).height();
    painter.drawText(QRect(kEdge, top, m_width - 2 * kEdge, height), int(Qt::AlignLeft | Qt::TextWordWrap), line);
    top += height + Theme::kGrid / 2;
  }
  top += Theme::kGrid;
  const QFontMetrics figures(Theme::tabularFont());
  int matrixWidth = 0;
  for (std::size_t row = 0; row < shown(); ++row) {
    const auto& matrix = m_exploration->placements[std::size_t(m_rows[row].placement)].matrix;
    matrixWidth = std::max(matrixWidth, matrixSize(matrix, figures).width());
  }
  const int words = plainMetrics().averageCharWidth();
  const int matrixAt = kEdge + kNameChars * words;
  const int programAt = matrixAt + matrixWidth + kEdge;
  const int barsAt = programAt + kProgramChars * words + kEdge;
  for (std::size_t row = 0; row < shown(); ++row, top += rowHeight()) {
    const BestRow& each = m_rows[row];
    const auto& matrix = m_exploration->placements[std::size_t(each.placement)].matrix;
    painter.setFont(QApplication::font());
    painter.setPen(Theme::text());
    painter.drawText(QRect(kEdge, top, kNameChars * words, rowHeight()), int(Qt::AlignLeft | Qt::AlignVCenter),
                     markedLetter(each));
    painter.drawText(QRect(programAt, top, kProgramChars * words, rowHeight()),
                     int(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap), programOf(*m_exploration, each));
    painter.setFont(Theme::tabularFont());
    const QSize size = matrixSize(matrix, figures);
    paintMatrix(painter, QRectF(QPointF(matrixAt, top + (rowHeight() - size.height()) / 2.0), size), matrix,
                Theme::text());
    paintBestBars(painter, QRectF(barsAt, top, m_width - kEdge - barsAt, rowHeight()), *m_exploration, each,
                  longestOf(m_rows), false);
  }
}

}  // namespace p2::views
