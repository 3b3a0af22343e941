// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_scatter.h"

#include <QApplication>
#include <QKeyEvent>
#include <algorithm>
#include <numeric>

#include "views/common/focus_ring.h"
#include "views/common/plot_style.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kNearPoint = 12;  // pixels
constexpr double kGigabyte = 1e9;
constexpr double kAround = 1.05;
/// Configurations that are this many times slower than the best are beyond the right edge.
constexpr double kMostTimes = 4;

QCPGraph* pointsOf(QCustomPlot& plot) {
  QCPGraph* points = plot.addGraph();
  points->setLineStyle(QCPGraph::lsNone);
  points->setSelectable(QCP::stNone);
  return points;
}

}  // namespace

PlanScatter::PlanScatter(QWidget* parent)
    : ThemedPlot(parent),
      m_others(pointsOf(*this)),
      m_line(pointsOf(*this)),
      m_onFront(pointsOf(*this)),
      m_mark(pointsOf(*this)),
      m_ring(pointsOf(*this)),
      m_limit(new QCPItemStraightLine(this)) {
  setObjectName("planScatter");
  setAccessibleName(tr("Configurations by step time and memory"));
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  legend->setVisible(false);
  xAxis->setLabel(tr("step (s)"));
  yAxis->setLabel(tr("memory of the fullest device (GB)"));
  m_line->setLineStyle(QCPGraph::lsStepLeft);
  m_limit->setSelectable(false);
  connect(this, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { m_pressedAt = event->pos(); });
  connect(this, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (event->buttons() == Qt::NoButton) hover(placeAt(event->pos()));
  });
  connect(this, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    const bool dragged = (event->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    const int place = placeAt(event->pos());
    if (event->button() == Qt::LeftButton && !dragged && place >= 0) emit pointClicked(place);
  });
  applyTheme();
}

void PlanScatter::setAnswer(std::shared_ptr<const PlannerAnswer> found) {
  if (found == m_found) return;
  m_found = std::move(found);
  m_hovered = -1;
  findFront();
  fill();
}

void PlanScatter::setStale(bool stale) {
  if (std::exchange(m_stale, stale) != stale) applyTheme();
}

void PlanScatter::setShown(int place) {
  m_shown = place;
  m_mark->setData({}, {});
  if (m_found && place >= 0) m_mark->addData(coordsOf(place).x(), coordsOf(place).y());
  replot(rpQueuedReplot);
}

QPointF PlanScatter::coordsOf(int place) const {
  const PlannedConfiguration& each = m_found->answer.configurations[std::size_t(place)];
  return {each.estimate.seconds, each.memory.total() / kGigabyte};
}

QPointF PlanScatter::pixelOf(int place) const {
  const QPointF at = coordsOf(place);
  return {xAxis->coordToPixel(at.x()), yAxis->coordToPixel(at.y())};
}

void PlanScatter::findFront() {
  // Of steps that read the same the simplest is listed first, so that the list is not quite in the order of time.
  std::vector<int> byTime(m_found->rows());
  std::iota(byTime.begin(), byTime.end(), 0);
  std::stable_sort(byTime.begin(), byTime.end(), [this](int a, int b) {
    const QPointF one = coordsOf(a);
    const QPointF other = coordsOf(b);
    return std::pair(one.x(), one.y()) < std::pair(other.x(), other.y());
  });
  m_front.clear();
  for (const int place : byTime) {
    if (m_front.empty() || coordsOf(place).y() < coordsOf(m_front.back()).y()) m_front.push_back(place);
  }
}

void PlanScatter::fill() {
  QVector<double> x, y, frontX, frontY;
  for (const int place : m_front) {
    frontX << coordsOf(place).x();
    frontY << coordsOf(place).y();
  }
  double slowestShown = 0;
  for (int place = 0; place < int(m_found->rows()); ++place) {
    slowestShown = std::max(slowestShown, coordsOf(place).x());
    if (std::find(m_front.begin(), m_front.end(), place) != m_front.end()) continue;
    x << coordsOf(place).x();
    y << coordsOf(place).y();
  }
  m_others->setData(x, y);
  m_onFront->setData(frontX, frontY, true);
  m_line->setData(frontX, frontY, true);
  m_ring->setData({}, {});
  if (!m_front.empty()) {
    const double fastest = frontX.front();
    const double slowest = std::min(slowestShown, kMostTimes * fastest);
    const double limit = (m_found->answer.memory - m_found->answer.reserve) / kGigabyte;
    xAxis->setRange(fastest / kAround - 0.02 * slowest, slowest * kAround);
    yAxis->setRange(0, limit * kAround);
    m_limit->point1->setCoords(0, limit);
    m_limit->point2->setCoords(1, limit);
  }
  setShown(m_shown);
}

int PlanScatter::placeAt(QPointF position) const {
  int nearest = -1;
  double least = kNearPoint;
  for (int place = 0; m_found && place < int(m_found->rows()); ++place) {
    const double away = QLineF(pixelOf(place), position).length();
    if (away >= least) continue;
    nearest = place;
    least = away;
  }
  return nearest;
}

QString PlanScatter::textOf(int place) const {
  const PlannedConfiguration& each = m_found->answer.configurations[std::size_t(place)];
  return tr("%1: %2, %3 per step, %4")
      .arg(QString::number(place + 1), degreesText(each.configuration), intervalText(each.estimate),
           memoryText(each.memory.total()));
}

void PlanScatter::hover(int place) {
  if (std::exchange(m_hovered, place) == place) return;
  m_ring->setData({}, {});
  if (place >= 0) m_ring->addData(coordsOf(place).x(), coordsOf(place).y());
  const QString text = place >= 0 ? textOf(place) : QString();
  setAccessibleDescription(text);
  emit pointHovered(text);
  replot(rpQueuedReplot);
}

QString PlanScatter::toolTipAt(const QPoint& place) const {
  const int at = placeAt(place);
  return at < 0 ? QString() : textOf(at);
}

void PlanScatter::keyPressEvent(QKeyEvent* event) {
  const bool left = event->key() == Qt::Key_Left;
  if ((left || event->key() == Qt::Key_Right) && !m_front.empty()) {
    const auto at = std::find(m_front.begin(), m_front.end(), m_hovered >= 0 ? m_hovered : m_shown);
    const auto last = std::ptrdiff_t(m_front.size()) - 1;
    const auto now = at == m_front.end() ? (left ? last + 1 : -1) : at - m_front.begin();
    return hover(m_front[std::size_t(std::clamp<std::ptrdiff_t>(now + (left ? -1 : 1), 0, last))]);
  }
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_hovered >= 0) {
    emit pointClicked(m_hovered);
    return;
  }
  QCustomPlot::keyPressEvent(event);
}

void PlanScatter::applyTheme() {
  stylePlot(*this);
  const auto current = [this](QColor color) {
    if (m_stale) color.setAlphaF(0.4F);
    return color;
  };
  const QColor onFront = current(Theme::category(0));
  const QColor rest = current(Theme::mutedText());
  m_line->setPen(QPen(onFront, 2));
  m_onFront->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(onFront, 1.5), onFront, 10));
  m_others->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(rest, 1), Qt::NoBrush, 5));
  m_mark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(Theme::accent(), 2), Qt::NoBrush, 16));
  m_ring->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Theme::accent(), 2), Qt::NoBrush, 13));
  m_limit->setPen(QPen(Theme::bad(), 1, Qt::DashLine));
  replot(rpQueuedReplot);
}

}  // namespace p2::views
