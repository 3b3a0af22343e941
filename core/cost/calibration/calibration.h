// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "cost/calibration/measured_time.h"
#include "cost/prediction_ranges.h"
#include "system/system.h"

namespace p2::inline cost {

/// How far predictions are from measurements.
struct FitError {
  double median = 0;         ///< of |predicted / measured − 1|
  std::size_t within25 = 0;  ///< rows predicted within ±25 %
  std::size_t rows = 0;
};

/// The fit of one interconnect, of a level or a network.
struct FittedInterconnect {
  std::string name;           ///< "NVSwitch of gpu", "NIC"
  double bandwidth = 0;       ///< nominal, bytes/s
  double fitted = 0;          ///< bytes/s; 0 when no measurement is limited by it
  double latency = 0;         ///< nominal, seconds
  double fittedLatency = -1;  ///< seconds; −1 when the measurements say nothing of it
  std::size_t rows = 0;       ///< measurements with a step that it limits
};

/// The fit of a cap for one communicator: Interconnect::ringCap or treeCap.
struct FittedCap {
  std::string name;      ///< "data-centre network of node, one ring"
  double nominal = 0;    ///< bytes/s; 0 for none
  double fitted = 0;     ///< bytes/s; 0 when no measurement is limited by it
  std::size_t rows = 0;  ///< measurements with a step that it limits
};

/// How well measurements determine a parameter: less than half of its spread remains, less than nine tenths, or more.
enum class Determined { Yes, Weakly, No };

/// A parameter of a fit under the nccl model: a constant of the model, an interconnect's bandwidth or latency.
struct FittedParameter {
  enum class Kind { Constant, Bandwidth, Latency };
  Kind kind = Kind::Constant;
  std::string name;    ///< "hop inside a node, LL", "NIC"
  double nominal = 0;  ///< prior: the model's own value, or the system's
  double value = 0;    ///< fitted
  double spread = 0;   ///< by which its logarithm may well differ from the nominal's before anything is measured
  double error = 0;    ///< standard error of its logarithm that the measurements leave, the others being unknown too
  Determined determined = Determined::No;
};

/// A figure of the site's network under the nccl model: "NIC share", "congestion" or "hop" (Library has the same).
struct FittedSite {
  std::string name;
  double nominal = 0;  ///< the default, or the system's own
  double fitted = 0;   ///< follows from the fitted constants, bandwidths and latencies
  double low = 0;      ///< the range of most sites with such a network
  double high = 0;
  Determined determined = Determined::No;
  bool isSeconds = false;  ///< or a number
};

/// Errors of measurements of one band of sizes.
struct BandErrors {
  FitError before;
  FitError after;
  FitError heldOut;
};

/// Result of a calibration, with the errors of predictions before and after it.
struct Calibration {
  System system;  ///< nominal values as they were, fitted ones next to them, ranges, and `calibrated` set
  std::vector<FittedInterconnect> interconnects;  ///< the levels', outermost first, then the networks'
  std::vector<FittedCap> caps;  ///< those that the measurements can tell: rings first, in the order of `interconnects`
  FitError before;              ///< nominal values, all rows
  FitError after;               ///< fitted values, the rows they were fitted to
  FitError heldOut;  ///< each row predicted by a fit to the rows outside its fold; no rows when there is only one
  std::array<BandErrors, kSizeBands> bands{};
  std::vector<FittedParameter> parameters;  ///< under the nccl model, whether or not anything depends on them
  std::vector<FittedSite> site;             ///< under the nccl model, of systems of several nodes
  std::string heldOutBy = "rows";           ///< unit of cross-validation: "rows", "tables", "files" or "nodes"
};

/// Largest number of devices of a system that is calibrated: every group of every measurement is priced flow by flow.
inline constexpr std::int64_t kMostCalibratedDevices = std::int64_t{1} << 14;

/// Fits the bandwidth of every interconnect to measured times, and its latency when the measurements are of different
/// sizes, by least squares on relative errors, where those over 10 % count by their amount rather than its square
/// (Huber), so that a misprint does not move the rest. How fast one communicator sends from device to device
/// (Interconnect::ringCap) is fitted where in some measurements a message of that algorithm has the busiest link of the
/// interconnect to itself, and in others it shares it: without both it cannot be separated from the bandwidth.
///
/// The time of a step is its busiest link's, so for given busiest links all times are linear in 1/bandwidth,
/// 1/cap and latency: solved with bounds (bandwidths within 1000× of the nominal, latencies ≥ 0), repeated with the
/// links that are busiest then until these stay, from the nominal values and from each interconnect moved elsewhere. A
/// weak pull towards the nominal values keeps figures that the measurements leave open, and a figure that explains no
/// more than one row's 3 % (10 % if it limits just one) goes back to its nominal value. `folds` ≥ 2 parts, assigned in
/// turn, for `heldOut`; 1 for none.
///
/// Errors: a measurement that does not fit the system (its line), too many devices, cancelled. O(folds · flows of all
/// measurements), times the interconnects when latencies are fitted.
[[nodiscard]] Result<Calibration> calibrate(const System& system, const std::vector<MeasuredTime>& measurements,
                                            int folds = 5, std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2::inline cost
