// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <vector>

#include "views/system/drawing_detail.h"
#include "views/system/system_part.h"

namespace p2::views {

/// A system as nested boxes with their interconnects: bars with their members below them, rings and meshes as links
/// between members, networks in rows below their members, rails as parallel buses, a torus as a grid with wrap-around
/// arcs. Measured once, painted anywhere. A folded level shows one open instance and chips for the rest, each with
/// wires of its own, so that the drawing stays small for any system.
struct SystemDrawing {
  struct Shape {
    enum class Kind {
      Box,      ///< an instance that holds others
      Device,   ///< an instance of the innermost level
      Chip,     ///< an instance that holds others, folded
      More,     ///< the instances left out; part.instance is the first of those to go on with
      Bar,      ///< an interconnect its members hang from
      Rail,     ///< one of several interconnects that run side by side past all their members
      Caption,  ///< what links between neighbours or pairs are called
      Link,     ///< `line`: from a member to its interconnect, or between members
    };
    Kind kind = Kind::Box;
    SystemPart part = {};
    QRectF rect = {};
    QPolygonF line = {};
    QString text = {};                                       ///< written into the shape; a chip has several lines
    QString name = {};                                       ///< description in one sentence
    InterconnectKind interconnect = InterconnectKind::None;  ///< for a Bar, Rail, Caption or Link
    int colour = -1;        ///< category of its interconnect; −1 for the theme's colour
    double textWidth = 0;   ///< for a Rail: width of its label, on the left
    bool rail = false;      ///< a Rail, or a Link that leads to one
    bool disabled = false;  ///< out of order
    QString state =
        {};             ///< mark of a part that is slow or shared, "50%"; "!" where it is folded and something in it is
    double figure = 0;  ///< for a Link with a label: its bandwidth in bytes/s, which no bar shows
  };
  std::vector<Shape> shapes;  ///< in painting order
  QRectF bounds;
};

inline constexpr double kSystemTitleHeight = 20;

/// O(shapes), a few hundred at most. The system need not be valid: networks inside a device are drawn in the system
/// itself, members without an owner are not joined. Levels, and the places of networks, must be known. `open` is, for
/// each level, the instance to show when not all fit. Figures are the fitted ones where the system is calibrated.
[[nodiscard]] SystemDrawing drawSystem(const System& system, const std::vector<std::int64_t>& open,
                                       const DrawingDetail& detail = {});

}  // namespace p2::views
