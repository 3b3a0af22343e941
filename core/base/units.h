// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/figures.h"
#include "base/result.h"

namespace p2::inline base {

// Seconds and bytes per second are doubles, bytes a type of their own. These functions are the only place where
// people's spellings of them are read and written.

/// "2.83 s", "12.4 ms", "3.10 µs": three significant digits, from 10 to 1000 ns in microseconds and below in
/// nanoseconds, "3.20 ns".
[[nodiscard]] std::string formatSeconds(double seconds);
/// "5.20": a time in the unit of formatSeconds(shown), without the unit.
[[nodiscard]] std::string formatSecondsLike(double shown, double seconds);
/// "134 MB", "2.15 GB": decimal prefixes, three significant digits.
[[nodiscard]] std::string formatBytes(Bytes bytes);
/// "270 GB/s".
[[nodiscard]] std::string formatBandwidth(double bytesPerSecond);
/// "989 TFLOP/s".
[[nodiscard]] std::string formatFlops(double flops);
/// "1.84×".
[[nodiscard]] std::string formatFactor(double factor);
/// "12 %", "7.2 %" below 10 %, "< 0.1 %" for a smaller share that is not 0.
[[nodiscard]] std::string formatPercent(double share);
/// A difference: "+12 %", "−7.2 %", "0 %".
[[nodiscard]] std::string formatSignedPercent(double share);

/// "270GB/s", "2us": as short as people type it and exactly the value, without blanks.
[[nodiscard]] std::string typedBandwidth(double bytesPerSecond);
[[nodiscard]] std::string typedSeconds(double seconds);
[[nodiscard]] std::string typedBytes(Bytes bytes);
[[nodiscard]] std::string typedFlops(double flops);

/// "270GB/s", "100Gbit/s", "100Gbps", "8e9" (bytes/s). Within the range, kBandwidthRange by default; otherwise
/// an error with the text. A number below 1e6 without a unit is an error too, since 50 means 50 GB/s or 50
/// Gbit/s.
[[nodiscard]] Result<double> bandwidthWithin(std::string_view text, const FigureRange& range);
[[nodiscard]] inline Result<double> parseBandwidth(std::string_view text) {
  return bandwidthWithin(text, kBandwidthRange);
}
/// "2us", "2 µs", "1.5ms", "0": seconds, within kTimeRange.
[[nodiscard]] Result<double> secondsWithin(std::string_view text, const FigureRange& range);
[[nodiscard]] inline Result<double> parseSeconds(std::string_view text) { return secondsWithin(text, kTimeRange); }
/// "2GiB", "512MB", "2147483648": bytes, within kAmountRange.
[[nodiscard]] Result<Bytes> bytesWithin(std::string_view text, const FigureRange& range);
[[nodiscard]] inline Result<Bytes> parseBytes(std::string_view text) { return bytesWithin(text, kAmountRange); }
/// "989TFLOP/s", "989 TFLOPS", "1e13": FLOP/s, within kSpeedRange; without a unit at least 1e9, as bandwidths.
[[nodiscard]] Result<double> flopsWithin(std::string_view text, const FigureRange& range);
[[nodiscard]] inline Result<double> parseFlops(std::string_view text) { return flopsWithin(text, kSpeedRange); }

}  // namespace p2::inline base
