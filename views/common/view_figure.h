// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/plot_export.h"

namespace p2::views {

/// A picture that a view can draw into any width.
struct ViewPicture {
  QString title;
  std::function<QSize(int width, bool legend)> size;  ///< size of the picture in that width
  std::function<void(QPainter&, QSize, bool legend)> paint;
  std::function<std::string()> csv = {};  ///< its values as a table; asked only when one is written
};

/// The picture for a style: as wide as the screen shows it, or laid out for the width of the paper, in light colours,
/// with its title and legend where they are wanted. Paints only while the view lives.
[[nodiscard]] ExportedPlot figureOf(ViewPicture picture, int screenWidth, const FigureStyle& style);

}  // namespace p2::views
