// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cost/calibration/calibration.h"

namespace p2::inline cost {

/// A measurement and its predictions, in seconds.
struct PredictedTime {
  double measured = 0;
  double before = 0;             ///< with nominal values
  double after = 0;              ///< with the fitted ones
  double heldOut = 0;            ///< by a fit to others; 0 when it was not held out
  double spread = 0;             ///< standard error of the logarithm of `after` that the fitted parameters leave
  std::vector<RangeCell> cells;  ///< cells of its steps
  Bytes bytes;
  std::int64_t nodes = 0;  ///< 0 where that is not counted
};

/// Fills in the errors of a calibration, all together and by band of sizes, and the ranges of that model into its
/// system. O(n log n).
void tellErrors(std::span<const PredictedTime> times, std::string_view model, Calibration& calibration);

/// "determined", "weakly", "not by these measurements".
[[nodiscard]] std::string determinedText(Determined determined);
/// "bandwidth of NIC"; a constant's name as it is.
[[nodiscard]] std::string titleOf(const FittedParameter& parameter);
/// A value of a parameter with its unit: "1.58 µs", "10.8 GB/s", "0.870".
[[nodiscard]] std::string valueText(const FittedParameter& parameter, double value);
/// "± 4.0 %": remaining uncertainty of the parameter's value.
[[nodiscard]] std::string openText(const FittedParameter& parameter);
/// "AllReduce inside a node, below 64 KiB".
[[nodiscard]] std::string titleOf(const PredictionRange& range);
/// "−9 % to +12 %".
[[nodiscard]] std::string rangeText(const PredictionRange& range);

}  // namespace p2::inline cost
