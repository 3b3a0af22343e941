// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <vector>

#include "views/system/system_part.h"

namespace p2::views {

/// A system as nested boxes with their interconnects: bars that their members hang from, rings as links between
/// neighbours, networks in rows below what they join. Measured once, painted by anyone. Large fan-outs are collapsed:
/// of a level that would be too much, every instance is a tab and one of them stands open below the tabs, so that the
/// drawing stays small whatever the system.
struct SystemDrawing {
  struct Shape {
    enum class Kind {
      Box,      ///< an instance that holds others
      Device,   ///< an instance of the innermost level
      Tab,      ///< an instance that holds others, closed
      More,     ///< the instances left out; part.instance is the first of those to go on with
      Bar,      ///< an interconnect its members hang from
      Caption,  ///< what a ring is called
      Link,     ///< `line`: from a member to its interconnect, or between neighbours
    };
    Kind kind = Kind::Box;
    SystemPart part = {};
    QRectF rect = {};
    QPolygonF line = {};
    QString text = {};                                       ///< written into the shape
    QString name = {};                                       ///< what it is, in one sentence
    InterconnectKind interconnect = InterconnectKind::None;  ///< of a Bar, Caption or Link
    int colour = -1;                                         ///< of its interconnect; −1 for that of the theme
    bool open = false;                                       ///< of a Tab: whether it stands open below
    bool disabled = false;                                   ///< out of order
  };
  std::vector<Shape> shapes;  ///< in painting order
  QRectF bounds;
};

inline constexpr double kSystemTitleHeight = 20;

/// Instances of one parent that are drawn beside each other.
inline constexpr std::int64_t kMostAbreast = 16;

/// How the levels of a system are drawn.
struct DrawnLevel {
  std::int64_t first = 0;  ///< of the instances drawn in each instance of the level above
  std::int64_t drawn = 1;
  std::int64_t open = -1;  ///< the one that stands open below its tabs; −1 when they all hold their children
};

/// Which instances are drawn. `open` says for each level which of its instances to show when not all can be.
[[nodiscard]] std::vector<DrawnLevel> drawnLevels(const System& system, const std::vector<std::int64_t>& open);

/// O(shapes), a few hundred at most. The system need not be a valid one: networks that stand in a device are drawn in
/// the system itself, members that nobody bears are not joined. Levels, and the places of networks, must be known.
[[nodiscard]] SystemDrawing drawSystem(const System& system, const std::vector<std::int64_t>& open);

}  // namespace p2::views
