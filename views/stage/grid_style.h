// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace p2::views {

/// How the bits of a grid look: the hue says whose part it is and nothing else.
///
/// Colour of a contributor's column. Up to eight members each has its own; beyond, neighbours share one and
/// memberPattern() tells them apart.
[[nodiscard]] QColor memberColor(int member, int members);
/// The second cue: hatching drawn over the colour. Qt::SolidPattern for none.
[[nodiscard]] Qt::BrushStyle memberPattern(int member, int members);

/// Decorations of a row next to its bits.
struct GridInk {
  QColor ground;   ///< a row that is not held
  QColor missing;  ///< a held row where the part is missing
  QColor frame;    ///< round held rows; 3:1 on `ground` and on `missing`
  static GridInk current();
};

}  // namespace p2::views
