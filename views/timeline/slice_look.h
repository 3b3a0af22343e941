// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

#include "timeline/timeline.h"

class QPainter;

namespace p2::views {

/// The look of a kind of slices: communication, optimizer and host in the palette's categories that all bars of a step
/// have, passes in colours of their own, other computation and waiting in grey; hatching and a letter say the same
/// without colour.
struct SliceLook {
  int category = -1;  ///< category of the palette; −1 for none
  int pass = -1;      ///< passColor(); −1 for none. Grey where both are −1
  Qt::BrushStyle pattern = Qt::SolidPattern;
  QString letter;  ///< "F"
};
[[nodiscard]] SliceLook lookOf(SliceKind kind);
/// "Forward": the kind as legends name it.
[[nodiscard]] QString titleOf(SliceKind kind);
/// The colour of a slice that is too thin for a pattern, and in which narrow ones are mixed.
[[nodiscard]] QColor flatColor(SliceKind kind, bool stale = false);
/// Fills a rectangle in that look; hatched from 5 pixels on. Muted where the answer is out of date.
void fillSlice(QPainter& painter, const QRectF& rect, SliceKind kind, bool stale = false);
/// A small box in that look, with the letter where it fits.
void paintSwatch(QPainter& painter, const QRectF& rect, SliceKind kind, bool stale = false);
/// A small ground for text on its lines, no larger than the text.
void paintPlate(QPainter& painter, const QRectF& rect, double width, SliceKind kind, bool stale = false);
/// The colour of text on it.
[[nodiscard]] QColor inkOn(SliceKind kind, bool stale = false);

}  // namespace p2::views
