// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/tradeoff_plot.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "views/common/plot_style.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kNearPoint = 12;  // pixels
constexpr int kMostLeaders = 2;
constexpr std::size_t kMostNamed = 40;  // placements, with more the matrices of the front are not written out
constexpr double kAround = 1.12;
constexpr double kLabelGap = 8;

/// "★ Megatron-LM, TorchTitan +6".
QString labelOf(const StepRanking& ranking, std::size_t placement, const std::optional<ReductionWinner>& winner) {
  QStringList leaders = leadersOf(ranking, placement, winner);
  if (leaders.isEmpty() && placement != 0) {
    const PlacementStep& shown = ranking.placements[placement];
    const bool named = shown.front && ranking.placements.size() <= kMostNamed;
    return named ? qs(shown.matrix.text()) : QString();
  }
  const qsizetype more = leaders.size() - kMostLeaders;
  QString text = leaders.mid(0, kMostLeaders).join(QStringLiteral(", "));
  if (more > 0) text += QStringLiteral(" +%1").arg(more);
  if (placement == 0) text.prepend(text.isEmpty() ? QObject::tr("★ best") : QStringLiteral("★ "));
  return text;
}

}  // namespace

TradeoffPlot::TradeoffPlot(QWidget* parent) : PlacementPlot(tr("Placements by exposed and overlappable time"), parent) {
  xAxis->setLabel(tr("exposed communication per step (s)"));
  yAxis->setLabel(tr("overlappable seconds: may overlap with computation"));
  m_front = addPoints();
  m_others = addPoints();
  m_onParetoFront = addPoints();
  m_chosenMark = addPoints();
  setRing(addPoints());
  m_front->setLineStyle(QCPGraph::lsStepLeft);
  connect(this, &QCustomPlot::afterLayout, this, &TradeoffPlot::placeLabels);
  TradeoffPlot::applyTheme();
}

void TradeoffPlot::setRanking(std::shared_ptr<const StepRanking> ranking,
                              const std::optional<ReductionWinner>& winner) {
  if (ranking == m_ranking && winner == m_winner) return;
  m_ranking = std::move(ranking);
  m_winner = winner;
  fill();
  fit();
}

void TradeoffPlot::fill() {
  QVector<double> x, y, paretoX, paretoY;
  m_walk.clear();
  if (m_ranking) {
    m_walk.resize(m_ranking->placements.size());
    std::iota(m_walk.begin(), m_walk.end(), 0);
    std::stable_sort(m_walk.begin(), m_walk.end(), [this](int a, int b) {
      const PlacementStep& left = m_ranking->placements[std::size_t(a)];
      const PlacementStep& right = m_ranking->placements[std::size_t(b)];
      return std::pair(left.exposedSeconds, -left.overlappableSeconds) <
             std::pair(right.exposedSeconds, -right.overlappableSeconds);
    });
    for (const int i : m_walk) {
      const PlacementStep& placement = m_ranking->placements[std::size_t(i)];
      (placement.front ? paretoX : x) << placement.exposedSeconds;
      (placement.front ? paretoY : y) << placement.overlappableSeconds;
    }
  }
  m_others->setData(x, y, true);
  m_onParetoFront->setData(paretoX, paretoY, true);
  m_front->setData(paretoX, paretoY, true);
  setRing(ring());
  m_chosenMark->setData({}, {});
  fillLabels();
}

void TradeoffPlot::fillLabels() {
  for (const Label& label : m_labels) removeItem(label.item);
  m_labels.clear();
  if (!m_ranking) return;
  for (std::size_t i = 0; i < m_ranking->placements.size(); ++i) {
    const QString text = labelOf(*m_ranking, i, m_winner);
    if (text.isEmpty()) continue;
    auto* item = new QCPItemText(this);
    item->setText(text);
    item->setSelectable(false);
    item->setClipToAxisRect(false);
    item->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    item->position->setType(QCPItemPosition::ptAbsolute);
    m_labels.push_back({int(i), item});
  }
  applyTheme();
}

void TradeoffPlot::fit() {
  double exposed = 0;
  double overlapped = 0;
  for (std::size_t i = 0; m_ranking && i < m_ranking->placements.size(); ++i) {
    exposed = std::max(exposed, m_ranking->placements[i].exposedSeconds);
    overlapped = std::max(overlapped, m_ranking->placements[i].overlappableSeconds);
  }
  const double least = std::max({exposed, overlapped, 1e-9}) / 20;
  xAxis->setRange(0, std::max(exposed, least) * kAround);
  yAxis->setRange(0, std::max(overlapped, least) * kAround);
  replot(rpQueuedReplot);
}

// The first of four places around the point in which a label covers no other and no point that has one.
void TradeoffPlot::placeLabels() {
  const QFontMetricsF metrics(Theme::tabularFont());
  const QRectF room = axisRect()->rect();
  std::vector<QRectF> taken;
  for (const Label& label : m_labels) {
    QRectF point(0, 0, kLabelGap, kLabelGap);
    point.moveCenter(pixelOf(label.placement));
    taken.push_back(point);
  }
  for (const Label& label : m_labels) {
    const QPointF at = pixelOf(label.placement);
    const QSizeF size(metrics.horizontalAdvance(label.item->text()), metrics.height());
    const std::array<QPointF, 6> corners{QPointF(at.x() + kLabelGap, at.y() - size.height() - 2),
                                         QPointF(at.x() + kLabelGap, at.y() + 2),
                                         QPointF(at.x() - kLabelGap - size.width(), at.y() - size.height() - 2),
                                         QPointF(at.x() - kLabelGap - size.width(), at.y() + 2),
                                         QPointF(at.x() - size.width() / 2, at.y() + kLabelGap),
                                         QPointF(at.x() - size.width() / 2, at.y() - kLabelGap - size.height())};
    const auto isFree = [&](QPointF corner) {
      const QRectF rect(corner, size);
      return room.contains(rect) &&
             std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(rect); });
    };
    const auto corner = std::find_if(corners.begin(), corners.end(), isFree);
    label.item->setVisible(corner != corners.end() && room.contains(at));
    if (!label.item->visible()) continue;
    label.item->position->setCoords(*corner);
    taken.emplace_back(*corner, size);
  }
}

void TradeoffPlot::setChosen(int placement) {
  m_chosenMark->setData({}, {});
  if (m_ranking && placement >= 0) {
    const QPointF at = coordsOf({placement, 0});
    m_chosenMark->addData(at.x(), at.y());
  }
  replot(rpQueuedReplot);
}

QPointF TradeoffPlot::pixelOf(int placement) const {
  const QPointF at = coordsOf({placement, 0});
  return {xAxis->coordToPixel(at.x()), yAxis->coordToPixel(at.y())};
}

QPointF TradeoffPlot::coordsOf(Spot spot) const {
  const PlacementStep& shown = m_ranking->placements[std::size_t(spot.first)];
  return {shown.exposedSeconds, shown.overlappableSeconds};
}

QString TradeoffPlot::textOf(Spot spot) const { return placementText(*m_ranking, std::size_t(spot.first), m_winner); }

std::vector<PlacementPlot::Spot> TradeoffPlot::walk() const {
  std::vector<Spot> spots;
  for (const int placement : m_walk) spots.emplace_back(placement, 0);
  return spots;
}

int TradeoffPlot::placementAt(QPointF position) const {
  int nearest = -1;
  double least = kNearPoint;
  for (const int placement : m_walk) {
    const double away = QLineF(pixelOf(placement), position).length();
    if (away < least) nearest = placement;
    least = std::min(least, away);
  }
  return nearest;
}

void TradeoffPlot::applyTheme() {
  stylePlot(*this);
  const QColor front = current(Theme::category(0));
  const QColor rest = current(Theme::mutedText());
  m_front->setPen(QPen(front, 2));
  m_onParetoFront->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(front, 1.5), front, 10));
  m_others->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(rest, 1), rest, 7));
  m_chosenMark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(Theme::accent(), 2), Qt::NoBrush, 16));
  ring()->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Theme::accent(), 2), Qt::NoBrush, 13));
  for (const Label& label : m_labels) {
    label.item->setFont(Theme::tabularFont());
    label.item->setColor(current(Theme::text()));
  }
  replot(rpQueuedReplot);
}

}  // namespace p2::views
