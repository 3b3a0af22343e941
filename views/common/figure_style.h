// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QFont>
#include <cmath>

namespace p2::views {

/// The style of a figure for a page of print: as wide as a column, with text of a given size. Sentences are left out;
/// they belong into the caption.
struct FigureStyle {
  static constexpr double kColumn = 85;  ///< millimetres of one column
  static constexpr double kPage = 180;   ///< millimetres of both
  static constexpr double kDotsPerInch = 96;
  static constexpr double kMillimetresPerInch = 25.4;
  static constexpr double kPointsPerInch = 72;

  double millimetres = 0;  ///< width; 0 for as it is on the screen
  double points = 8;       ///< size of the text
  bool title = false;
  bool legend = true;

  [[nodiscard]] bool isForPrint() const { return millimetres > 0; }
  /// Points of the text that the screen shows.
  [[nodiscard]] static double screenPoints() {
    const QFont font = QApplication::font();
    return font.pointSizeF() > 0 ? font.pointSizeF() : font.pixelSize() * kPointsPerInch / kDotsPerInch;
  }
  /// Size on paper over size on the screen.
  [[nodiscard]] double scale() const { return points / screenPoints(); }
  /// Pixels of the screen in which the figure is laid out before it is scaled.
  [[nodiscard]] int layoutWidth() const {
    return int(std::lround(millimetres / kMillimetresPerInch * kDotsPerInch / scale()));
  }
};

}  // namespace p2::views
