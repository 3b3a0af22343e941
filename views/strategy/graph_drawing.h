// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/qnamespace.h>

#include <QPoint>

namespace p2::views {

// What the drawings of both algorithms' graphs have in common.
inline constexpr int kTextPixels = 12;
inline constexpr double kLeastTextHeight = 6;  ///< on the screen; below it text is noise

/// Where an arrow key leads; nowhere for other keys.
[[nodiscard]] inline QPoint directionOf(int key) {
  switch (key) {
    case Qt::Key_Left:
      return {-1, 0};
    case Qt::Key_Right:
      return {1, 0};
    case Qt::Key_Up:
      return {0, -1};
    case Qt::Key_Down:
      return {0, 1};
    default:
      return {0, 0};
  }
}

}  // namespace p2::views
