// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "views/system/wire_labels.h"

class QPainter;

namespace p2::views {

struct ShapeLook {
  bool lit = false;
  bool selected = false;
  bool marked = false;  ///< a link of the selection
  bool dimmed = false;  ///< another rail is pointed at
  const ShownLoad* load = nullptr;
  bool smallText = false;  ///< text of any size, for paper
};

/// Paints one shape in the theme's colours: disabled parts hatched and struck through, loaded links coloured and
/// widened. Screen, files and the mini map all use it.
void paintShape(QPainter& painter, const SystemDrawing::Shape& shape, const ShapeLook& look);
void paintLabels(QPainter& painter, const std::vector<WireLabel>& labels, bool smallText = false);
/// All of it, with its labels. `smallText` as in ShapeLook.
void paintDrawing(QPainter& painter, const SystemDrawing& drawing, const ShownLoads& loads, bool smallText = false);
/// Width of the margin around a shape into which paintShape() may draw.
inline constexpr double kShapeMargin = 6;

}  // namespace p2::views
