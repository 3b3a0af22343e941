// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "base/progress.h"
#include "cost/calibration/calibration.h"
#include "views/runs/run_record_row.h"
#include "workspace/workspace.h"

namespace p2::views {

/// Median of |predicted / measured − 1| over some runs.
struct RunError {
  std::size_t runs = 0;
  double before = 0;  ///< with the nominal values
  double after = 0;   ///< with the fitted ones
};

struct RunCalibration {
  System system;  ///< with fitted values next to the nominal ones, and used
  RunError used;
  RunError others;
  std::size_t determined = 0;  ///< parameters that the runs determine, of the nccl model
  FitError heldOut;            ///< error over the used runs, each predicted by a fit to the others
};

/// Fits a system to its runs under a cost model, and compares predictions of other runs before and after. Errors: a run
/// on another system, not from a plan, or with overlapping steps; no run; cancelled.
[[nodiscard]] Result<RunCalibration> calibrateFrom(const System& system, const std::string& model,
                                                   const std::vector<RunRow>& used, const std::vector<RunRow>& others,
                                                   const std::stop_token& stop, const Progress& progress);

/// "fitted to 3 runs: they are off by 12 % instead of 80 %, held out by 15 %, 5 others by 14 % instead of 75 %".
[[nodiscard]] QString calibrationText(const RunCalibration& calibration);

}  // namespace p2::views
