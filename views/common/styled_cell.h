// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QStyleOptionViewItem;

namespace p2::views {

/// Draws a cell with the style of its view, including the selection. Delegates that draw the text themselves clear it
/// in `cell` first.
void paintStyledCell(QPainter& painter, const QStyleOptionViewItem& cell);

}  // namespace p2::views
