// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

#include "base/units.h"

namespace p2::views {

/// UTF-8 text of core as a QString.
[[nodiscard]] inline QString qs(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

/// Values as text, see the formatters of base/units.h.
[[nodiscard]] inline QString secondsText(double seconds) { return qs(formatSeconds(seconds)); }
[[nodiscard]] inline QString bytesText(Bytes bytes) { return qs(formatBytes(bytes)); }
[[nodiscard]] inline QString bandwidthText(double bytesPerSecond) { return qs(formatBandwidth(bytesPerSecond)); }
[[nodiscard]] inline QString factorText(double factor) { return qs(formatFactor(factor)); }

}  // namespace p2::views
