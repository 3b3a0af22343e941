// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <map>
#include <string>

#include "views/system/system_drawing.h"

class QPainter;

namespace p2::views {

/// How busy a link is: a fraction of the busiest, and what to say about it ("134 MB, 0.81 s").
struct ShownLoad {
  double fraction = 0;
  QString text;
  bool stale = false;  ///< what was asked has changed since: drawn grey
};
/// By the names of SystemPart::names.
using ShownLoads = std::map<std::string, ShownLoad>;

/// The load of the busiest link that a line stands for, or of what a bus or switch has in its middle; null for none.
[[nodiscard]] const ShownLoad* loadOf(const SystemDrawing::Shape& shape, const ShownLoads& loads);

struct ShapeLook {
  bool lit = false;
  bool selected = false;
  const ShownLoad* load = nullptr;
};

/// Paints one shape in the theme's colours: what is out of order hatched and struck through, loaded links coloured and
/// widened. Screen, files and the small map all go through here.
void paintShape(QPainter& painter, const SystemDrawing::Shape& shape, const ShapeLook& look);
void paintDrawing(QPainter& painter, const SystemDrawing& drawing, const ShownLoads& loads);
/// How far paintShape() may reach beyond a shape.
inline constexpr double kShapeMargin = 6;

}  // namespace p2::views
