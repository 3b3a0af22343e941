// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/map_legend.h"

#include <algorithm>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/sweep/map_cells.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostWinners = 10;
constexpr int kSwatchSide = 18;

}  // namespace

MapLegendItem::MapLegendItem(QCPLegend* legend, std::size_t winner, const QString& text)
    : QCPAbstractLegendItem(legend), m_winner(winner), m_text(text) {}

MapLegendItem::MapLegendItem(QCPLegend* legend, Sign sign, const QString& text)
    : QCPAbstractLegendItem(legend), m_sign(sign), m_text(text) {}

void MapLegendItem::draw(QCPPainter* painter) {
  const QRectF rect = mRect;
  const QRectF swatch(rect.left(), rect.center().y() - kSwatchSide / 2.0, kSwatchSide, kSwatchSide);
  painter->setFont(mParentLegend->font());
  if (m_winner) fillLikeWinner(*painter, swatch, *m_winner);
  painter->setBrush(Qt::NoBrush);
  if (m_sign == Sign::Best) {
    painter->setPen(QPen(Theme::text(), 2));
    painter->drawRect(swatch.adjusted(1, 3, -1, -3));
  } else if (m_sign == Sign::Chosen) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(Theme::accent());
    const QPointF at = swatch.center();
    painter->drawPolygon(QPolygonF{at + QPointF(-4, -6), at + QPointF(5, 0), at + QPointF(-4, 6)});
  }
  painter->setPen(Theme::text());
  painter->drawText(rect.adjusted(kSwatchSide + Theme::kGrid, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_text);
}

QSize MapLegendItem::minimumOuterSizeHint() const {
  const QFontMetrics metrics(mParentLegend->font());
  return QSize(kSwatchSide + Theme::kGrid + metrics.horizontalAdvance(m_text), std::max(kSwatchSide, metrics.height()))
      .grownBy(mMargins);
}

void fillMapLegend(QCPLegend& legend, const SweepMap& map) {
  legend.clearItems();
  const std::size_t shown = std::min(kMostWinners, map.winners.size());
  for (std::size_t winner = 0; winner < shown; ++winner) {
    legend.addItem(new MapLegendItem(&legend, winner, qs(map.winners[winner])));
  }
  using Sign = MapLegendItem::Sign;
  if (shown < map.winners.size()) {
    const QString more = QObject::tr("… %1 more").arg(map.winners.size() - shown);
    legend.addItem(new MapLegendItem(&legend, Sign::None, more));
  }
  legend.addItem(new MapLegendItem(&legend, Sign::Best, QObject::tr("best placement")));
  legend.addItem(new MapLegendItem(&legend, Sign::Chosen, QObject::tr("chosen placement")));
}

}  // namespace p2::views
