// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "base/result.h"

namespace p2::inline base {

/// Valid range of a kind of figure that is typed, written in a file or sent by a runner. The ranges cover any machine;
/// within them no prediction overflows a double. Values outside come from a wrong unit or a damaged file.
struct FigureRange {
  double least;
  double most;
  std::string_view text;  ///< "1 B/s to 1e18 B/s"

  /// False for NaN.
  [[nodiscard]] constexpr bool holds(double value) const { return value >= least && value <= most; }
};

/// Bandwidth of a link, a memory, a program.
inline constexpr FigureRange kBandwidthRange{1, 1e18, "1 B/s to 1e18 B/s"};
/// Of one device.
inline constexpr FigureRange kSpeedRange{1, 1e18, "1 FLOP/s to 1e18 FLOP/s"};
/// Bytes of a vector, a message, a memory.
inline constexpr FigureRange kAmountRange{1, 1e18, "1 to 1e18 bytes"};
/// Latencies and start-up times.
inline constexpr FigureRange kDelayRange{0, 1e6, "0 or more seconds, at most 1e6"};
/// Seconds of a step, a run, its computation.
inline constexpr FigureRange kTimeRange{0, 1e9, "0 or more seconds, at most 1e9"};
/// A slowdown factor.
inline constexpr FigureRange kSlowdownRange{1, 1e6, "a factor of 1 or more, at most 1e6"};
/// Bytes of a number in a tensor.
inline constexpr FigureRange kElementRange{1, 8, "1 to 8 bytes"};

/// Any positive number: for values with a range check of their own.
inline constexpr FigureRange kAnyFigure{0, std::numeric_limits<double>::max(), "a number of 0 or more"};

/// The value, or an error that names it as it was written and says the range.
[[nodiscard]] inline Result<double> withinRange(double value, const FigureRange& range, std::string_view written) {
  if (range.holds(value)) return value;
  return Error{"\"" + std::string(written) + "\" is out of range; use " + std::string(range.text)};
}

}  // namespace p2::inline base
