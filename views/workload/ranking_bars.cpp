// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_bars.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "views/common/category_stroke.h"
#include "views/common/hatching.h"
#include "views/common/styled_cell.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/workload/ranking_model.h"

namespace p2::views {
namespace {

constexpr double kLeastLettered = 14;
constexpr int kBarHeight = 20;
constexpr double kLighter = 0.35;
constexpr int kFigureChars = 8;

QColor mixed(const QColor& color, const QColor& other, double share) {
  return QColor::fromRgbF(float(color.redF() * share + other.redF() * (1 - share)),
                          float(color.greenF() * share + other.greenF() * (1 - share)),
                          float(color.blueF() * share + other.blueF() * (1 - share)));
}

void addSegment(std::vector<StepSegment>& segments, StepSegment segment) {
  if (segment.seconds > 0) segments.push_back(segment);
}

}  // namespace

std::vector<StepSegment> segmentsOf(const StepRanking& ranking, const PlacementStep& placement) {
  std::vector<StepSegment> segments;
  addSegment(segments, {StepSegment::kComputation, ranking.question.step.computeSeconds.value_or(0), false});
  std::vector<StepSegment> overlapped;
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const double seconds = ranking.seconds(placement, i);
    const double hidden = overlappableSeconds(ranking.entries()[i].overlap, seconds);
    addSegment(segments, {i, seconds - hidden, false});
    addSegment(overlapped, {i, hidden, true});
  }
  segments.insert(segments.end(), overlapped.begin(), overlapped.end());
  return segments;
}

double longestBar(const StepRanking& ranking) {
  double longest = 0;
  for (const PlacementStep& placement : ranking.placements) {
    const double parts =
        ranking.question.step.computeSeconds.value_or(0) + placement.exposedSeconds + placement.overlappableSeconds;
    longest = std::max({longest, parts, placement.stepSeconds});
  }
  return longest;
}

QString segmentText(const StepRanking& ranking, const StepSegment& segment) {
  const QString seconds = secondsText(segment.seconds);
  if (segment.entry == StepSegment::kComputation) return QObject::tr("computation: %1").arg(seconds);
  const QString name = Theme::categoryLetter(int(segment.entry)) + ' ' + qs(ranking.entries()[segment.entry].name);
  return segment.overlappable ? QObject::tr("%1: %2, may overlap with computation").arg(name, seconds)
                              : QObject::tr("%1: %2, exposed").arg(name, seconds);
}

void paintSegment(QPainter& painter, const QRectF& rect, const StepSegment& segment, bool stale) {
  painter.save();
  painter.setOpacity(stale ? 0.4 : 1);
  const bool computes = segment.entry == StepSegment::kComputation;
  const int entry = computes ? 0 : int(segment.entry);
  const QColor full = computes ? Theme::line() : Theme::category(entry);
  const QColor fill = segment.overlappable ? mixed(full, Theme::surface(), kLighter) : full;
  painter.fillRect(rect, fill);
  const QColor ink = segment.overlappable || computes ? Theme::text() : Theme::onCategory(entry);
  if (segment.overlappable) {
    hatch(painter, rect, Qt::BDiagPattern, full);
  } else if (!computes) {
    hatch(painter, rect, Theme::categoryPattern(entry), ink);
  }
  if (!computes) {
    painter.setPen(QPen(categoryStroke(entry), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  // Neighbours keep apart, also without their colours.
  painter.setPen(QPen(Theme::surface(), 1));
  painter.drawLine(rect.topRight(), rect.bottomRight());
  const QFontMetricsF metrics(painter.font());
  const QString letter = computes ? QObject::tr("computation") : Theme::categoryLetter(entry);
  if (rect.width() >= std::max(kLeastLettered, metrics.horizontalAdvance(letter) + 2)) {
    QRectF box(0, 0, metrics.horizontalAdvance(letter) + 4, metrics.height());
    box.moveCenter(rect.center());
    if (segment.overlappable || Theme::categoryPattern(entry) != Qt::SolidPattern) painter.fillRect(box & rect, fill);
    painter.setPen(ink);
    painter.drawText(rect, Qt::AlignCenter, letter);
  }
  painter.restore();
}

double paintStepBar(QPainter& painter, const QRectF& room, const StepRanking& ranking, const PlacementStep& placement,
                    double longest, bool stale) {
  painter.setFont(Theme::tabularFont());
  const double scale = longest > 0 ? room.width() / longest : 0;
  double right = room.left();
  for (const StepSegment& segment : segmentsOf(ranking, placement)) {
    const QRectF rect(right, room.top(), segment.seconds * scale, room.height());
    paintSegment(painter, rect, segment, stale);
    right = rect.right();
  }
  painter.setPen(QPen(stale ? Theme::mutedText() : Theme::text(), 2));
  // Where computation hides some of it the step ends before the bar does, or later where it is slowed down.
  if (!endsWithItsBar(ranking) && longest > 0) {
    const double end = room.left() + placement.stepSeconds * scale;
    painter.drawLine(QPointF(end, room.top() - 4), QPointF(end, room.bottom() + 4));
    right = std::max(right, end);
  }
  return right;
}

bool endsWithItsBar(const StepRanking& ranking) {
  return !ranking.question.step.computeSeconds && !ranking.question.step.concurrent.value_or(false);
}

QPixmap entrySwatch(std::size_t entry, int size) {
  const double ratio = qApp->devicePixelRatio();
  QPixmap pixmap(QSize(size, size) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setFont(Theme::tabularFont());
  paintSegment(painter, QRectF(0, 0, size, size), {entry, 1, false}, false);
  return pixmap;
}

RankingBarDelegate::RankingBarDelegate(const RankingModel& model, QObject* parent)
    : QStyledItemDelegate(parent), m_model(model) {}

QRectF RankingBarDelegate::roomIn(const QRect& cell) const {
  const int figure = QFontMetrics(Theme::tabularFont()).averageCharWidth() * kFigureChars;
  QRectF room(cell.left() + Theme::kGrid, cell.center().y() - kBarHeight / 2.0, 0, kBarHeight);
  room.setWidth(std::max(0, cell.width() - 3 * Theme::kGrid - figure));
  return room;
}

std::vector<QRectF> RankingBarDelegate::rectsOf(const QRect& cell, std::size_t row) const {
  std::vector<QRectF> rects;
  const QRectF room = roomIn(cell);
  const double scale = m_model.longest() > 0 ? room.width() / m_model.longest() : 0;
  double left = room.left();
  for (const StepSegment& segment : segmentsOf(*m_model.ranking(), m_model.ranking()->placements[row])) {
    rects.emplace_back(left, room.top(), segment.seconds * scale, room.height());
    left += segment.seconds * scale;
  }
  return rects;
}

void RankingBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QString figure = cell.text;
  cell.text.clear();
  paintStyledCell(*painter, cell);
  painter->save();
  painter->setClipRect(option.rect);
  const StepRanking& ranking = *m_model.ranking();
  const double right = paintStepBar(*painter, roomIn(option.rect), ranking,
                                    ranking.placements[std::size_t(index.row())], m_model.longest(), m_model.isStale());
  painter->drawText(QRectF(right + Theme::kGrid, option.rect.top(), option.rect.right() - right, option.rect.height()),
                    Qt::AlignLeft | Qt::AlignVCenter, figure);
  painter->restore();
}

QSize RankingBarDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {32 * Theme::kGrid, kBarHeight + Theme::kGrid};
}

bool RankingBarDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) {
  if (event->type() != QEvent::ToolTip || !index.isValid()) {
    return QStyledItemDelegate::helpEvent(event, view, option, index);
  }
  const auto row = std::size_t(index.row());
  const std::vector<StepSegment> segments = segmentsOf(*m_model.ranking(), m_model.ranking()->placements[row]);
  const std::vector<QRectF> rects = rectsOf(option.rect, row);
  for (std::size_t i = 0; i < rects.size(); ++i) {
    if (!rects[i].contains(event->pos())) continue;
    QToolTip::showText(event->globalPos(), segmentText(*m_model.ranking(), segments[i]), view);
    return true;
  }
  return QStyledItemDelegate::helpEvent(event, view, option, index);
}

}  // namespace p2::views
