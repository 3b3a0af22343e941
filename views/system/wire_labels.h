// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include "views/system/system_drawing.h"

namespace p2::views {

/// The load of a link: a fraction of the busiest, and its text ("134 MB, 0.81 s").
struct ShownLoad {
  double fraction = 0;
  QString text;
  bool stale = false;  ///< the question has changed since: drawn grey
};
/// Loads by SystemPart::names.
using ShownLoads = std::map<std::string, ShownLoad>;

/// The load of the busiest link that a line represents, or of the centre of a bus or switch; null for none.
[[nodiscard]] const ShownLoad* loadOf(const SystemDrawing::Shape& shape, const ShownLoads& loads);

/// A figure written at a wire.
struct WireLabel {
  QRectF rect;
  QString text;
};

/// Labels of the wires of a drawing: the bandwidth of one wire of each network whose bars do not show it, or, with
/// loads, the bytes of each link, busiest first. A label is placed where it covers no other wire and no text; one
/// without such a place is omitted. O(labels · shapes).
[[nodiscard]] std::vector<WireLabel> wireLabels(const SystemDrawing& drawing, const ShownLoads& loads);

}  // namespace p2::views
