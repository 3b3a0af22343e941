// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <span>
#include <vector>

#include "views/stage/stage_places.h"

namespace p2::views {

/// Wires that run side by side, drawn as one ribbon.
struct WireBundle {
  QLineF line;
  std::int64_t wires = 0;
};

/// The wires of some paths, joined as far as it takes for at most `most` ribbons: what begins or ends inside an
/// instance of a level does so in the middle of its strip, first of the innermost level, then of the next one out. What
/// stays inside one instance is a ribbon along its strip, and if even the outermost instances have too many, everything
/// is one along the system's. Wires between the same places count once. O(wires · levels · log wires).
[[nodiscard]] std::vector<WireBundle> bundledWires(const System& system, const StagePlaces& places,
                                                   std::span<const std::vector<Place>> paths, std::size_t most);

}  // namespace p2::views
