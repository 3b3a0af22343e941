// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/tradeoff_plot.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <numeric>

#include "views/common/focus_ring.h"
#include "views/common/plot_style.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kNearPoint = 12;  // pixels
constexpr int kMostLeaders = 2;
constexpr std::size_t kMostNamed = 40;  // placements, with more the matrices of the front are not written out
constexpr double kAround = 1.12;
constexpr double kLabelGap = 8;

QColor dimmed(QColor color, bool stale) {
  if (stale) color.setAlphaF(0.4F);
  return color;
}

/// "★ Megatron-LM, TorchTitan +6".
QString labelOf(const StepRanking& ranking, std::size_t placement, const std::optional<ReductionWinner>& winner) {
  QStringList leaders = leadersOf(ranking, placement, winner);
  if (leaders.isEmpty() && placement != 0) {
    const PlacementStep& shown = ranking.placements[placement];
    const bool named = shown.front && ranking.placements.size() <= kMostNamed;
    return named ? QString::fromStdString(shown.matrix.text()) : QString();
  }
  const qsizetype more = leaders.size() - kMostLeaders;
  QString text = leaders.mid(0, kMostLeaders).join(QStringLiteral(", "));
  if (more > 0) text += QStringLiteral(" +%1").arg(more);
  if (placement == 0) text.prepend(text.isEmpty() ? QObject::tr("★ best") : QStringLiteral("★ "));
  return text;
}

}  // namespace

TradeoffPlot::TradeoffPlot(QWidget* parent) : QCustomPlot(parent) {
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setAccessibleName(tr("Placements by exposed and overlappable time"));
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  xAxis->setLabel(tr("exposed seconds of a step: everybody waits"));
  yAxis->setLabel(tr("overlappable seconds: may run beside computation"));
  m_front = addGraph();
  m_others = addGraph();
  m_onFront = addGraph();
  m_chosenMark = addGraph();
  m_mark = addGraph();
  m_front->setLineStyle(QCPGraph::lsStepLeft);
  for (QCPGraph* points : {m_others, m_onFront, m_chosenMark, m_mark}) points->setLineStyle(QCPGraph::lsNone);
  for (QCPGraph* graph : {m_front, m_others, m_onFront, m_chosenMark, m_mark}) graph->setSelectable(QCP::stNone);
  legend->setVisible(false);
  connect(this, &QCustomPlot::afterLayout, this, &TradeoffPlot::placeLabels);
  connectMouse();
  applyTheme();
}

void TradeoffPlot::connectMouse() {
  connect(this, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { m_pressedAt = event->pos(); });
  connect(this, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (event->buttons() == Qt::NoButton) hover(placementAt(event->pos()));
  });
  connect(this, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    const bool dragged = (event->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    const int placement = placementAt(event->pos());
    if (event->button() == Qt::LeftButton && !dragged && placement >= 0) emit pointClicked(placement);
  });
  connect(this, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
    if (const int placement = placementAt(event->pos()); placement >= 0) emit pointActivated(placement);
  });
}

void TradeoffPlot::setRanking(std::shared_ptr<const StepRanking> ranking,
                              const std::optional<ReductionWinner>& winner) {
  if (ranking == m_ranking && winner == m_winner) return;
  m_ranking = std::move(ranking);
  m_winner = winner;
  m_hovered = -1;
  m_chosen = -1;
  fill();
  fit();
}

void TradeoffPlot::fill() {
  QVector<double> x, y, frontX, frontY;
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
      (placement.front ? frontX : x) << placement.exposedSeconds;
      (placement.front ? frontY : y) << placement.overlappableSeconds;
    }
  }
  m_others->setData(x, y, true);
  m_onFront->setData(frontX, frontY, true);
  m_front->setData(frontX, frontY, true);
  m_mark->setData({}, {});
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
  double beside = 0;
  for (std::size_t i = 0; m_ranking && i < m_ranking->placements.size(); ++i) {
    exposed = std::max(exposed, m_ranking->placements[i].exposedSeconds);
    beside = std::max(beside, m_ranking->placements[i].overlappableSeconds);
  }
  const double least = std::max({exposed, beside, 1e-9}) / 20;
  xAxis->setRange(0, std::max(exposed, least) * kAround);
  yAxis->setRange(0, std::max(beside, least) * kAround);
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

void TradeoffPlot::setStale(bool stale) {
  if (std::exchange(m_stale, stale) != stale) applyTheme();
}

void TradeoffPlot::setChosen(int placement) {
  m_chosen = placement;
  if (m_ranking && placement >= 0) {
    const PlacementStep& shown = m_ranking->placements[std::size_t(placement)];
    m_chosenMark->setData({shown.exposedSeconds}, {shown.overlappableSeconds});
  } else {
    m_chosenMark->setData({}, {});
  }
  replot(rpQueuedReplot);
}

QPointF TradeoffPlot::pixelOf(int placement) const {
  const PlacementStep& shown = m_ranking->placements[std::size_t(placement)];
  return {xAxis->coordToPixel(shown.exposedSeconds), yAxis->coordToPixel(shown.overlappableSeconds)};
}

QStringList TradeoffPlot::labelTexts() const {
  QStringList texts;
  for (const Label& label : m_labels) texts += label.item->text();
  return texts;
}

QList<QPointF> TradeoffPlot::frontPoints() const {
  QList<QPointF> points;
  for (int i = 0; i < m_front->dataCount(); ++i) points << QPointF(m_front->dataMainKey(i), m_front->dataMainValue(i));
  return points;
}

QString TradeoffPlot::textOf(int placement) const {
  return placementText(*m_ranking, std::size_t(placement), m_winner);
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

void TradeoffPlot::hover(int placement) {
  if (placement == m_hovered) return;
  m_hovered = placement;
  if (placement < 0) {
    m_mark->setData({}, {});
  } else {
    const PlacementStep& shown = m_ranking->placements[std::size_t(placement)];
    m_mark->setData({shown.exposedSeconds}, {shown.overlappableSeconds});
  }
  const QString text = placement < 0 ? QString() : textOf(placement);
  setAccessibleDescription(text);
  emit pointHovered(text);
  replot(rpQueuedReplot);
}

bool TradeoffPlot::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int placement = placementAt(help->pos());
    const QString text = placement < 0 ? QString() : textOf(placement).replace(QStringLiteral(" · "), "\n");
    QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QCustomPlot::event(event);
}

void TradeoffPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  QCustomPlot::changeEvent(event);
}

void TradeoffPlot::leaveEvent(QEvent* event) {
  hover(-1);
  QCustomPlot::leaveEvent(event);
}

void TradeoffPlot::keyPressEvent(QKeyEvent* event) {
  const bool back = event->key() == Qt::Key_Left;
  if ((back || event->key() == Qt::Key_Right) && !m_walk.empty()) {
    const auto from = std::find(m_walk.begin(), m_walk.end(), m_hovered);
    if (from == m_walk.end()) return hover(back ? m_walk.back() : m_walk.front());
    if (back) return hover(from == m_walk.begin() ? *from : *(from - 1));
    return hover(from + 1 == m_walk.end() ? *from : *(from + 1));
  }
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_hovered >= 0) {
    return emit pointClicked(m_hovered);
  }
  QCustomPlot::keyPressEvent(event);
}

void TradeoffPlot::applyTheme() {
  stylePlot(*this);
  const QColor front = dimmed(Theme::category(0), m_stale);
  const QColor rest = dimmed(Theme::mutedText(), m_stale);
  m_front->setPen(QPen(front, 2));
  m_onFront->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(front, 1.5), front, 10));
  m_others->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(rest, 1), rest, 7));
  m_chosenMark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(Theme::accent(), 2), Qt::NoBrush, 16));
  m_mark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Theme::accent(), 2), Qt::NoBrush, 13));
  for (const Label& label : m_labels) {
    label.item->setFont(Theme::tabularFont());
    label.item->setColor(dimmed(Theme::text(), m_stale));
  }
  replot(rpQueuedReplot);
}

}  // namespace p2::views
