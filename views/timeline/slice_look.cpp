// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/slice_look.h"

#include <QObject>
#include <QPainter>
#include <algorithm>

#include "views/common/hatching.h"
#include "views/common/pass_color.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kLeastHatched = 5;
constexpr int kEdgeLightness = 160;  // percent of the fill
constexpr int kDimGray = 100;        // of 255

bool waitsFor(SliceKind kind) { return kind == SliceKind::Bubble || kind == SliceKind::Waiting; }

/// Fills on a dark ground have an edge.
bool hasEdge(const SliceLook& look, bool stale) { return look.category >= 0 && !stale && Theme::isDark(); }

QColor colorOf(const SliceLook& look, bool stale) {
  if (look.pass >= 0 && !stale) return passColor(look.pass);
  return look.category < 0 || stale ? Theme::line() : Theme::category(look.category);
}

}  // namespace

SliceLook lookOf(SliceKind kind) {
  const auto look = [](int category, Qt::BrushStyle pattern, const char* letter) {
    return SliceLook{category, -1, pattern, QString::fromUtf8(letter)};
  };
  const auto pass = [](int number, Qt::BrushStyle pattern, const char* letter) {
    return SliceLook{-1, number, pattern, QString::fromUtf8(letter)};
  };
  switch (kind) {
    case SliceKind::Forward:
      return pass(0, Qt::SolidPattern, "F");
    case SliceKind::Backward:
      return pass(1, Qt::HorPattern, "B");
    case SliceKind::Weights:
      return pass(2, Qt::CrossPattern, "W");
    case SliceKind::Computation:
      return look(-1, Qt::SolidPattern, "C");
    case SliceKind::Recomputation:
      return pass(3, Qt::FDiagPattern, "R");
    case SliceKind::Tensor:
      return look(0, Qt::SolidPattern, "T");
    case SliceKind::Context:
      return look(1, Qt::SolidPattern, "X");
    case SliceKind::Expert:
      return look(2, Qt::SolidPattern, "E");
    case SliceKind::Pipeline:
      return look(3, Qt::SolidPattern, "P");
    case SliceKind::Data:
      return look(4, Qt::SolidPattern, "D");
    case SliceKind::Collective:
      return look(6, Qt::SolidPattern, "A");
    case SliceKind::Bubble:
      return look(-1, Qt::BDiagPattern, "·");
    case SliceKind::Waiting:
      return look(-1, Qt::DiagCrossPattern, "⋯");
    case SliceKind::Optimizer:
      return look(5, Qt::SolidPattern, "O");
    case SliceKind::Host:
      return look(7, Qt::SolidPattern, "H");
  }
  return {};
}

QString titleOf(SliceKind kind) {
  QString title = qs(nameOf(kind));
  title[0] = title[0].toUpper();
  return title;
}

QColor flatColor(SliceKind kind, bool stale) {
  // Waiting is empty where there is no room for lines.
  if (waitsFor(kind)) return Theme::box(0);
  const SliceLook look = lookOf(kind);
  const QColor color = colorOf(look, stale);
  // The darkest are all edge where they are thin: computation around them would swallow them.
  return hasEdge(look, stale) && qGray(color.rgb()) < kDimGray ? color.lighter(kEdgeLightness) : color;
}

void fillSlice(QPainter& painter, const QRectF& rect, SliceKind kind, bool stale) {
  if (rect.width() < kLeastHatched) return painter.fillRect(rect, flatColor(kind, stale));
  const SliceLook look = lookOf(kind);
  const bool isPass = look.pass >= 0 && !stale;
  const bool waits = waitsFor(kind);
  const QColor color = colorOf(look, stale);
  if (look.pattern == Qt::SolidPattern) {
    painter.fillRect(rect, color);
    if (!hasEdge(look, stale)) return;
    painter.setPen(QPen(color.lighter(kEdgeLightness), 1));
    painter.setBrush(Qt::NoBrush);
    return painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  painter.fillRect(rect, waits ? Theme::surface() : isPass ? color : Theme::box(1));
  hatch(painter, rect, look.pattern, Theme::mutedText());
  painter.setPen(QPen(Theme::line(), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

void paintPlate(QPainter& painter, const QRectF& rect, double width, SliceKind kind, bool stale) {
  const SliceLook look = lookOf(kind);
  if (look.pattern == Qt::SolidPattern) return;
  QRectF plate(0, 0, width, std::min(rect.height() - 4, QFontMetricsF(painter.font()).height()));
  plate.moveCenter(rect.center());
  painter.fillRect(plate, look.pass >= 0 && !stale ? passColor(look.pass) : Theme::surface());
}

void paintSwatch(QPainter& painter, const QRectF& rect, SliceKind kind, bool stale) {
  fillSlice(painter, rect, kind, stale);
  painter.setPen(Theme::line());
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect);
  const SliceLook look = lookOf(kind);
  const double wide = painter.fontMetrics().horizontalAdvance(look.letter);
  if (!look.letter.front().isLetter() || wide + 2 > rect.width()) return;
  paintPlate(painter, rect, wide + 2, kind, stale);
  painter.setPen(inkOn(kind, stale));
  painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, look.letter);
}

QColor inkOn(SliceKind kind, bool stale) {
  const SliceLook look = lookOf(kind);
  return look.category < 0 || stale ? Theme::text() : Theme::onCategory(look.category);
}

}  // namespace p2::views
