// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>

#include "views/stage/stage_emphasis.h"
#include "views/stage/stage_groups.h"
#include "views/stage/stage_layout.h"

namespace p2::views {

/// Two lines round a rectangle, light and dark, seen on any ground. `pixel` is the size of a widget pixel.
void paintDoubleRing(QPainter& painter, const QRectF& rect, const QColor& color, double pixel);
/// Rings round emphasised parts.
void paintEmphasis(QPainter& painter, const StageLayout& layout, const StageEmphasis& emphasis);
/// Rings round a row, and round the same chunk on every other device of its group.
void paintRowOfGroup(QPainter& painter, const StageLayout& layout, const StageGroups& groups,
                     const StageLayout::Row& row);
/// Outlines of groups that a step would have, with their letters.
void paintPreview(QPainter& painter, const StageLayout& layout, const StageGroups& groups);
/// "A" in a frame dashed as its group's, at the right end of a header; a crown before it for the root.
void paintBadge(QPainter& painter, const QRectF& header, const StageGroups::Membership& member, const QColor& color,
                double pixel);
/// "2×" in a bit that would be counted twice, or next to one that is too small for it.
void paintTwice(QPainter& painter, const QRectF& bit, const QFont& font, double pixel);
void paintCrown(QPainter& painter, const QRectF& rect, const QColor& color);

}  // namespace p2::views
