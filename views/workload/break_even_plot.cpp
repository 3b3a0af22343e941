// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/break_even_plot.h"

#include <algorithm>
#include <cmath>

#include "views/common/category_stroke.h"
#include "views/common/log_ticker.h"
#include "views/common/plot_style.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/workload/ranking_words.h"

namespace p2::views {
namespace {

constexpr int kSamples = 64;             // points of a curve
constexpr std::size_t kMostCurves = 40;  // next to the best ones
constexpr double kNearLine = 10;         // pixels
constexpr double kAboveAndBelow = 1.6;

QString ratioLabel(double ratio) {
  return ratio < 1 ? QStringLiteral("1/%1").arg(1 / ratio, 0, 'g', 3) : QString::number(ratio, 'g', 3);
}

}  // namespace

BreakEvenPlot::BreakEvenPlot(QWidget* parent)
    : PlacementPlot(tr("Seconds of every placement over the ratio of bytes"), parent) {
  for (QCPAxis* axis : {xAxis, yAxis}) axis->setScaleType(QCPAxis::stLogarithmic);
  setLogTicks(*xAxis, ratioLabel);
  setSecondsTicks(*yAxis);
  connect(this, &QCustomPlot::afterLayout, this, &BreakEvenPlot::placeWords);
  BreakEvenPlot::applyTheme();
}

void BreakEvenPlot::setChart(std::shared_ptr<const StepRanking> ranking, std::optional<BreakEvenChart> chart) {
  m_ranking = std::move(ranking);
  m_chart = std::move(chart);
  m_chosen = -1;
  fill();
  fit();
}

// Items are drawn in the order of their creation.
void BreakEvenPlot::fill() {
  clearGraphs();
  clearItems();
  m_curves.clear();
  m_best.clear();
  m_names.clear();
  m_crossings.clear();
  m_dots = nullptr;
  setRing(nullptr);
  m_own = nullptr;
  m_ownText = nullptr;
  m_chosenText = nullptr;
  if (!m_chart) return;
  std::size_t others = 0;
  for (const BreakEvenLine& line : m_chart->lines) {
    if (line.isBest || others++ < kMostCurves) addCurve(line);
  }
  addBest();
  m_dots = addPoints();
  setRing(addPoints());
  for (const BreakEven& point : m_chart->answer.points) {
    m_dots->addData(point.ratio, m_chart->secondsAt(point.to, point.ratio));
  }
  addWords();
  for (int i = 0; i < graphCount(); ++i) graph(i)->setSelectable(QCP::stNone);
  const QString first = qs(m_chart->answer.first.name);
  const QString second = qs(m_chart->answer.second.name);
  xAxis->setLabel(tr("ratio of bytes, %1 : %2 (AllReduce-equivalent)").arg(second, first));
  yAxis->setLabel(tr("predicted time of both, exposed or not"));
  applyTheme();
}

void BreakEvenPlot::addCurve(const BreakEvenLine& line) {
  QCPGraph* curve = addGraph();
  m_curves.emplace_back(line.placement, curve);
  for (int i = 0; i <= kSamples; ++i) {
    const double ratio = m_chart->lower * std::pow(m_chart->upper / m_chart->lower, double(i) / kSamples);
    curve->addData(ratio, m_chart->secondsAt(line.placement, ratio));
  }
}

void BreakEvenPlot::addBest() {
  double from = m_chart->lower;
  const auto& points = m_chart->answer.points;
  for (std::size_t i = 0; i <= points.size(); ++i) {
    const double to = i < points.size() ? points[i].ratio : m_chart->upper;
    const std::size_t placement = i == 0 ? m_chart->answer.least : points[i - 1].to;
    QCPGraph* curve = addGraph();
    m_best.push_back(curve);
    for (int k = 0; k <= kSamples; ++k) {
      const double ratio = from * std::pow(to / from, double(k) / kSamples);
      curve->addData(ratio, m_chart->secondsAt(placement, ratio));
    }
    from = to;
  }
}

QCPItemText* BreakEvenPlot::addText(const QString& text, Qt::Alignment alignment) {
  auto* item = new QCPItemText(this);
  item->setText(text);
  item->setSelectable(false);
  item->setPositionAlignment(alignment);
  item->position->setType(QCPItemPosition::ptAbsolute);
  return item;
}

void BreakEvenPlot::addWords() {
  m_own = new QCPItemStraightLine(this);
  m_own->setSelectable(false);
  m_own->point1->setCoords(m_chart->answer.ratio, 1);
  m_own->point2->setCoords(m_chart->answer.ratio, 2);
  m_ownText = addText(tr("this workload: %1").arg(ratioText(m_chart->answer.ratio)), Qt::AlignLeft | Qt::AlignTop);
  m_chosenText = addText({}, Qt::AlignRight | Qt::AlignBottom);
  for (const auto& [placement, ratio] : walk()) {
    const std::string name = m_ranking->placements[std::size_t(placement)].matrix.text();
    m_names.push_back(addText(qs(name), Qt::AlignLeft | Qt::AlignTop));
  }
  for (const BreakEven& point : m_chart->answer.points) {
    m_crossings.push_back(addText(ratioText(point.ratio), Qt::AlignRight | Qt::AlignBottom));
  }
}

std::vector<PlacementPlot::Spot> BreakEvenPlot::walk() const {
  std::vector<Spot> ones;
  if (!m_chart) return ones;
  double from = m_chart->lower;
  const auto& points = m_chart->answer.points;
  for (std::size_t i = 0; i <= points.size(); ++i) {
    const double to = i < points.size() ? points[i].ratio : m_chart->upper;
    ones.emplace_back(int(i == 0 ? m_chart->answer.least : points[i - 1].to), std::sqrt(from * to));
    from = to;
  }
  return ones;
}

// Lines rise, so there is room right below them for names and left above the dots for figures; each stands only where
// it covers none of the others.
void BreakEvenPlot::placeWords() {
  if (!m_chart) return;
  constexpr double kApart = 8;
  const QFontMetricsF metrics(Theme::tabularFont());
  const QRectF room = axisRect()->rect();
  std::vector<QRectF> taken;
  const auto place = [&](QCPItemText& item, QPointF at, bool above) {
    const double width = metrics.horizontalAdvance(item.text()) + 4;
    at.setX(std::clamp(at.x(), room.left() + (above ? width : 0), room.right() - (above ? 0 : width)));
    const QRectF rect(above ? at.x() - width : at.x(), above ? at.y() - metrics.height() : at.y(), width,
                      metrics.height());
    const bool covers =
        std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(rect); });
    item.setVisible(room.contains(rect) && !covers);
    if (!item.visible()) return;
    item.position->setCoords(at);
    taken.push_back(rect);
  };
  const double own = xAxis->coordToPixel(m_chart->answer.ratio);
  const double ownWidth = metrics.horizontalAdvance(m_ownText->text());
  const bool onTheLeft = own + ownWidth + kApart > room.right();
  m_ownText->setVisible(own >= room.left() && own <= room.right());
  m_ownText->position->setCoords(onTheLeft ? own - ownWidth - kApart : own + kApart, room.top() + 2);
  taken.emplace_back(onTheLeft ? own - ownWidth - kApart : own + kApart, room.top() + 2, ownWidth, metrics.height());
  const auto& points = m_chart->answer.points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    place(*m_crossings[i], pixelOf(points[i].to, points[i].ratio) - QPointF(2, kApart / 2), true);
  }
  const auto ones = walk();
  for (std::size_t i = 0; i < ones.size(); ++i) {
    place(*m_names[i], pixelOf(std::size_t(ones[i].first), ones[i].second) + QPointF(kApart, kApart / 2), false);
  }
  // Where the chosen placement is the best of all its name stands already.
  const double first = m_chart->lower;
  m_chosenText->setVisible(false);
  const bool drawn =
      std::any_of(m_curves.begin(), m_curves.end(), [this](const auto& curve) { return int(curve.first) == m_chosen; });
  if (!drawn || m_chart->bestAt(first) == std::size_t(m_chosen)) return;
  m_chosenText->setText(tr("chosen: %1").arg(qs(m_ranking->placements[std::size_t(m_chosen)].matrix.text())));
  const double width = metrics.horizontalAdvance(m_chosenText->text());
  place(*m_chosenText, pixelOf(std::size_t(m_chosen), first) + QPointF(width + 2 * kApart, -kApart / 2), true);
}

void BreakEvenPlot::fit() {
  if (!m_chart) return replot(rpQueuedReplot);
  xAxis->setRange(m_chart->lower, m_chart->upper);
  double least = 0;
  double most = 0;
  for (const double ratio : {m_chart->lower, m_chart->upper}) {
    for (const BreakEvenLine& line : m_chart->lines) {
      const double seconds = m_chart->secondsAt(line.placement, ratio);
      if (seconds > 0 && (least == 0 || seconds < least)) least = seconds;
      if (line.isBest) most = std::max(most, seconds);
    }
  }
  if (least > 0) yAxis->setRange(least / kAboveAndBelow / kAboveAndBelow, most * kAboveAndBelow);
  replot(rpQueuedReplot);
}

void BreakEvenPlot::setChosen(int placement) {
  if (std::exchange(m_chosen, placement) != placement) applyTheme();
}

QPointF BreakEvenPlot::pixelOf(std::size_t placement, double ratio) const {
  const QPointF at = coordsOf({int(placement), ratio});
  return {xAxis->coordToPixel(at.x()), yAxis->coordToPixel(at.y())};
}

QString BreakEvenPlot::chosenText() const {
  return m_chosenText != nullptr && m_chosenText->visible() ? m_chosenText->text() : QString();
}

QPointF BreakEvenPlot::coordsOf(Spot spot) const {
  return {spot.second, m_chart->secondsAt(std::size_t(spot.first), spot.second)};
}

QString BreakEvenPlot::textOf(Spot spot) const {
  const auto placement = std::size_t(spot.first);
  QString text =
      tr("%1 · %2 at a ratio of %3")
          .arg(placementText(*m_ranking, placement, {}), secondsText(coordsOf(spot).y()), ratioText(spot.second));
  if (m_chart->bestAt(spot.second) == placement) text += tr(", the best there");
  return text;
}

int BreakEvenPlot::placementAt(QPointF position) const {
  if (!m_chart || !axisRect()->rect().contains(position.toPoint())) return -1;
  const double ratio = xAxis->pixelToCoord(position.x());
  int nearest = -1;
  double least = kNearLine;
  const auto look = [&](std::size_t placement) {
    const double away = std::abs(pixelOf(placement, ratio).y() - position.y());
    if (away < least) nearest = int(placement);
    least = std::min(least, away);
  };
  // Of lines that are on each other the best one.
  look(m_chart->bestAt(ratio));
  for (const auto& [placement, curve] : m_curves) look(placement);
  return nearest;
}

void BreakEvenPlot::applyTheme() {
  stylePlot(*this);
  for (const auto& [placement, curve] : m_curves) {
    const bool chosen = int(placement) == m_chosen;
    curve->setPen(QPen(current(chosen ? Theme::accent() : Theme::mutedText()), chosen ? 2 : 0.8,
                       chosen ? Qt::DashLine : Qt::SolidLine));
  }
  for (std::size_t i = 0; i < m_best.size(); ++i) {
    m_best[i]->setPen(QPen(current(categoryStroke(int(i))), 4));
    m_names[i]->setColor(current(Theme::text()));
    m_names[i]->setFont(Theme::tabularFont());
    m_names[i]->setBrush(Theme::surface());
  }
  for (QCPItemText* item : m_crossings) {
    QFont bold = Theme::tabularFont();
    bold.setBold(true);
    item->setFont(bold);
    item->setBrush(Theme::surface());
    item->setColor(current(Theme::text()));
  }
  if (m_own != nullptr) {
    m_own->setPen(QPen(current(Theme::text()), 1.2, Qt::DashLine));
    for (QCPItemText* text : {m_ownText, m_chosenText}) text->setFont(Theme::tabularFont());
    for (QCPItemText* text : {m_ownText, m_chosenText}) text->setColor(current(Theme::text()));
    m_dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, Theme::text(), 9));
    ring()->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Theme::accent(), 2), Qt::NoBrush, 13));
  }
  replot(rpQueuedReplot);
}

}  // namespace p2::views
