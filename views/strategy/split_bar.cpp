// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/split_bar.h"

#include <QFontMetrics>
#include <QObject>
#include <QPainter>

#include "views/common/category_stroke.h"
#include "views/common/hatching.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kSwatch = 12;
constexpr int kAfterSwatch = 4;
constexpr int kBetween = 10;
constexpr std::array kFills{Qt::SolidPattern, Qt::BDiagPattern, Qt::DiagCrossPattern};

void paintPart(QPainter& painter, const QRectF& rect, std::size_t part, bool stale) {
  const QColor color = stale ? Theme::line() : Theme::category(int(part));
  const QColor edge = stale ? Theme::mutedText() : categoryStroke(int(part));
  if (part == 0) {
    painter.fillRect(rect, color);
  } else {
    painter.fillRect(rect, Theme::surface());
    hatch(painter, rect, kFills[part], edge);
  }
  painter.setPen(QPen(edge, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

}  // namespace

QString splitName(std::size_t part) {
  switch (part) {
    case 0:
      return QObject::tr("compute");
    case 1:
      return QObject::tr("reduce");
    default:
      return QObject::tr("resharding");
  }
}

void paintSplitBar(QPainter& painter, const QRectF& track, const SplitShares& shares, bool stale) {
  double left = track.left();
  for (std::size_t part = 0; part < shares.size(); ++part) {
    const double width = shares[part] * track.width();
    if (width >= 1) paintPart(painter, QRectF(left, track.top(), width, track.height()), part, stale);
    left += width;
  }
}

void paintSplitLegend(QPainter& painter, const QRectF& line) {
  double left = line.left();
  const QFontMetrics metrics = painter.fontMetrics();
  for (std::size_t part = 0; part < 3; ++part) {
    paintPart(painter, QRectF(left, line.center().y() - kSwatch / 2.0, kSwatch, kSwatch - 2), part, false);
    left += kSwatch + kAfterSwatch;
    painter.setPen(Theme::mutedText());
    painter.drawText(QRectF(left, line.top(), line.right() - left, line.height()), Qt::AlignVCenter, splitName(part));
    left += metrics.horizontalAdvance(splitName(part)) + kBetween;
  }
}

}  // namespace p2::views
