// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace p2::views {

/// Quantities as text to be edited: the pretty spelling when it reads back as exactly the same number ("270 GB/s",
/// "2 GiB"), else every digit in the base unit.
[[nodiscard]] QString editableBandwidth(double bytesPerSecond);
[[nodiscard]] QString editableSeconds(double seconds);
[[nodiscard]] QString editableBytes(double bytes);

}  // namespace p2::views
