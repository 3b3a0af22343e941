// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>

#include "synthesis/instruction.h"

namespace p2::views {

/// A collective on three devices with three chunks, before → after: filled squares are sums, pale ones the devices'
/// own. `height` in device-independent pixels.
[[nodiscard]] QPixmap collectivePictogram(Collective collective, int height, double ratio, const QColor& ink);
/// The first devices of a reduction group, devices of one group of the pattern joined by a line; empty circles take no
/// part.
[[nodiscard]] QPixmap groupsPictogram(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern, int height,
                                      double ratio, const QColor& ink);

}  // namespace p2::views
