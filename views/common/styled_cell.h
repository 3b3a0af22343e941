// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QStyleOptionViewItem;

namespace p2::views {

/// Draws a cell of a table or list as the style of its view does, selection and all. A delegate that draws itself what
/// stands there takes the text out of `cell` before.
void paintStyledCell(QPainter& painter, const QStyleOptionViewItem& cell);

}  // namespace p2::views
