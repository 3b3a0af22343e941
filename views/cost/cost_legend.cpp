// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_legend.h"

#include <algorithm>
#include <set>

#include "views/common/matrix_painter.h"
#include "views/common/theme.h"
#include "views/cost/cost_bars.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

constexpr int kSwatch = 16;

}  // namespace

CostLegendItem::CostLegendItem(QCPLegend* legend, int placement, const ParallelismMatrix& matrix)
    : QCPAbstractLegendItem(legend),
      m_swatch(Swatch::Category),
      m_category(placement),
      m_text(Theme::categoryLetter(placement)),
      m_matrix(matrix) {}

CostLegendItem::CostLegendItem(QCPLegend* legend, Swatch swatch, const QString& text, int category)
    : QCPAbstractLegendItem(legend), m_swatch(swatch), m_category(category), m_text(text) {}

void CostLegendItem::draw(QCPPainter* painter) {
  const QRectF rect = mRect;
  painter->setFont(mParentLegend->font());
  const QRectF swatch(rect.left(), rect.center().y() - kSwatch / 2.0, kSwatch, kSwatch);
  if (m_swatch != Swatch::None) {
    const bool reference = m_swatch == Swatch::Reference;
    fillLikePlacement(*painter, swatch, m_category, reference);
    if (m_swatch == Swatch::Steps) {
      QColor pale = Theme::surface();
      pale.setAlphaF(0.4F);
      painter->fillRect(QRectF(swatch.left(), swatch.top() + kSwatch / 3.0, kSwatch, kSwatch / 3.0), pale);
    }
    painter->setPen(reference ? QPen(Theme::text(), 1, Qt::DashLine) : QPen(Theme::line()));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(swatch);
  }
  painter->setPen(Theme::text());
  painter->drawText(rect.adjusted(kSwatch + Theme::kGrid, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_text);
  if (m_matrix.empty()) return;
  const QFontMetrics metrics(mParentLegend->font());
  const QSize size = matrixSize(m_matrix, metrics);
  const double left = rect.left() + kSwatch + 2 * Theme::kGrid + metrics.horizontalAdvance(m_text);
  paintMatrix(*painter, QRectF(QPointF(left, rect.center().y() - size.height() / 2.0), size), m_matrix, Theme::text());
}

QSize CostLegendItem::minimumOuterSizeHint() const {
  const QFontMetrics metrics(mParentLegend->font());
  QSize size(kSwatch + Theme::kGrid + metrics.horizontalAdvance(m_text), std::max(kSwatch, metrics.height()));
  if (!m_matrix.empty()) {
    const QSize matrix = matrixSize(m_matrix, metrics);
    size = QSize(size.width() + Theme::kGrid + matrix.width(), std::max(size.height(), matrix.height()));
  }
  return size.grownBy(mMargins);
}

void fillLegend(QCPLegend& legend, const Exploration& exploration, const CostColours& colours,
                const std::vector<int>& placements, bool stacked) {
  legend.clearItems();
  using Swatch = CostLegendItem::Swatch;
  if (colours.byLevel()) {
    std::set<int> shown;
    for (const int placement : placements) shown.insert(colours.categoryOf(placement));
    for (const int category : shown) {
      legend.addItem(new CostLegendItem(&legend, Swatch::Category, colours.nameOf(category), category));
    }
  } else {
    for (const int placement : placements) {
      legend.addItem(new CostLegendItem(&legend, placement, exploration.placements[std::size_t(placement)].matrix));
    }
  }
  legend.addItem(new CostLegendItem(&legend, Swatch::Reference, singleName(exploration.workspace)));
  if (stacked) legend.addItem(new CostLegendItem(&legend, Swatch::Steps, QObject::tr("steps, from below")));
  if (exploration.workspace.options.cost.overlap) {
    legend.addItem(new CostLegendItem(&legend, Swatch::None, QObject::tr("━ steps overlap")));
  }
}

}  // namespace p2::views
