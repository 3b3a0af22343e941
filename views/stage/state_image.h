// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "collective/device_state.h"
#include "synthesis/folded_state.h"

namespace p2::views {

/// A bit matrix as an image of at most `side` × `side` pixels (fewer when its bits would get uneven, more than one bit
/// per pixel is smoothed). Bit (r, c) has the colour of contributor c; rows that hold anything stand out from empty
/// ones.
[[nodiscard]] QImage stateImage(const DeviceState& state, int side);
/// sumOfRow() (cost/flows/step_motion.h) in every held row, in the places of the rows of stateImage(). Bits where there
/// is no room for digits.
[[nodiscard]] QImage numbersImage(const DeviceState& state, QSize size);
/// A bit matrix of a large group's device. O(side² + runs).
[[nodiscard]] QImage stateImage(const FoldedState& state, int side);

}  // namespace p2::views
