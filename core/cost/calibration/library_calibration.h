// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "cost/calibration/calibration.h"
#include "cost/nccl/nccl_constants.h"

namespace p2::inline cost {

/// The unit of cross-validation: measurements that are held out together.
enum class HoldOut {
  Auto,    ///< Files where there are three or more of them, else Sizes
  Sizes,   ///< assigned in turn, so that every size has its neighbours in the fit
  Tables,  ///< rows of one program on the same devices: collectives that were never measured
  Files,   ///< rows of one file: another day, another machine of its kind
  Nodes,   ///< measurements of one number of nodes, predicted by a fit to fewer nodes: the error of extrapolation
};
/// "sizes", "tables", "files", "nodes"; the error lists them.
[[nodiscard]] Result<HoldOut> holdOutFrom(std::string_view name);

/// Largest number of measurements that the nccl model is fitted to.
inline constexpr std::size_t kMostLibraryMeasurements = 5000;

/// Fits the nccl model to one system: the bandwidth and the latency of every interconnect and, of the model's
/// constants, those on which some measurement might depend under any algorithm and protocol. Least squares of
/// logarithms (fitLogarithms()), each parameter pulled to its nominal value by its spread: from the constants'
/// table (siteDefaults() for the site's share and congestion, the latter by its deviation), 0.3 of a bandwidth, 0.5 of
/// a latency, 1 of a latency that the system does not say; constants start from `start`. Rows of one table are wrong
/// together and count as three measurements at most. What moved by over half a
/// percent is in the result's system: fittedBandwidth, fittedLatency, tuned.
///
/// The Jacobian at the end of the fit shows which parameters the measurements determine: the inverse of the normal
/// equations is the posterior covariance, its diagonal each parameter's standard error with all others unknown too
/// (LogPosterior). Sizes of one table are not independent, so that it is rather too small than too large.
///
/// Each part that is held out (at most `folds` with HoldOut::Sizes) is predicted by a fit to the others. The ranges
/// that predictions have from then on are the quantiles of these errors in every cell, widened by the posterior
/// uncertainty of a prediction there: rangesOf(). Cells without measurements keep the general ranges.
///
/// Errors: a measurement that does not fit the system (its line), none, too many, too many devices, cancelled.
/// O(parts · steps · parameters · measurements).
[[nodiscard]] Result<Calibration> calibrateLibrary(const System& system, const std::vector<MeasuredTime>& measurements,
                                                   HoldOut holdOut = HoldOut::Auto, int folds = 5,
                                                   std::stop_token stop = {}, const Progress& progress = {},
                                                   const NcclConstants& start = ncclConstants());

/// CostModel::calibrated() by the name of the model. Errors: an unknown model, and errors of that function.
[[nodiscard]] Result<Calibration> calibrateUnder(std::string_view model, const System& system,
                                                 const std::vector<MeasuredTime>& measurements, HoldOut holdOut,
                                                 int folds, std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2::inline cost
