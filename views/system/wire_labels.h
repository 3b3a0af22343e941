// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include "views/system/system_drawing.h"

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

/// A figure written at a wire.
struct WireLabel {
  QRectF rect;
  QString text;
};

/// What is written at the wires of a drawing: the bandwidth of one of each network whose bars do not say it, or, with
/// loads, how many bytes each link carries, the busiest first. A label stands where it covers no other wire and nothing
/// that is written; one that finds no such place is left out. O(labels · shapes).
[[nodiscard]] std::vector<WireLabel> wireLabels(const SystemDrawing& drawing, const ShownLoads& loads);

}  // namespace p2::views
