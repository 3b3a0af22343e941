// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRectF>
#include <QString>
#include <vector>

#include "system/topology.h"

namespace p2::views {

/// A system as nested boxes with their networks: a switch as a bar its instances hang from, a ring as links between
/// neighbours. Measured once, painted by anyone. Large fan-outs are collapsed to the first instances and a box that
/// says how many more there are, so that the drawing stays small whatever the system.
struct HierarchyDrawing {
  struct Shape {
    enum class Kind {
      Box,      ///< an instance that holds others
      Device,   ///< an instance of the innermost level
      More,     ///< the instances left out
      Switch,   ///< the bar of a switch
      Caption,  ///< what a ring is called
      Link,     ///< `line`: the port of an instance at its switch, or a link between neighbours
    };
    Kind kind = Kind::Box;
    int level = 0;
    std::int64_t instance = -1;  ///< counted over the whole system; of Box, Device and the instance a Link starts at
    QRectF rect;
    QLineF line;
    QString text;  ///< written into the shape
    QString name;  ///< what it is, in one sentence
  };
  std::vector<Shape> shapes;  ///< in painting order
  QRectF bounds;

  /// The topmost shape at a point, null for none; links are caught within `reach` of their line.
  [[nodiscard]] const Shape* at(QPointF point, double reach) const;
};

inline constexpr double kHierarchyTitleHeight = 20;

/// How many instances of each level are drawn in each instance of the level above.
[[nodiscard]] std::vector<std::int64_t> drawnCounts(const System& system);

[[nodiscard]] HierarchyDrawing drawHierarchy(const System& system);

}  // namespace p2::views
