// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>

#include "training/training_runs.h"

namespace p2::inline training {

/// How one run's prediction answers to the constants.
struct RunSensitivity {
  double logRatio = 0;                         ///< ln(predicted / measured)
  std::vector<std::pair<int, double>> slopes;  ///< of it, by the logarithm of a constant
};

/// Sensitivities of all scored runs, by run; runs that are not scored have none. O(runs · 38) estimates.
[[nodiscard]] std::vector<RunSensitivity> sensitivitiesOf(const std::vector<TrainingRun>& runs,
                                                          const TrainingConstants& constants,
                                                          const std::stop_token& stop = {});

/// One Gauss–Newton step from these constants: least squares of ln(predicted / measured) over 8 % under a pseudo-Huber
/// loss and of every constant's way from its prior over its spread. A source of n rows weighs √n; mixtures of experts
/// count by 16 % instead. Only runs for which `isUsed` holds count.
[[nodiscard]] TrainingConstants fitStep(const std::vector<TrainingRun>& runs,
                                        const std::vector<RunSensitivity>& sensitivities,
                                        const TrainingConstants& constants,
                                        const std::function<bool(const TrainingRun&)>& isUsed);

/// `steps` steps. After a stop request it returns the constants so far.
[[nodiscard]] TrainingConstants fitTraining(const std::vector<TrainingRun>& runs, TrainingConstants constants,
                                            int steps, const std::function<bool(const TrainingRun&)>& isUsed,
                                            const std::stop_token& stop = {});

/// Which runs are left out together: by publisher, or by generation of accelerators.
enum class HeldOut { Source, Generation };
/// ln(predicted / measured) of every run by constants fitted without its source (or generation); NaN for runs that are
/// not scored. An unseen generation has the priors of its constants. The fits begin at `fitted` and keep its slopes,
/// with the errors of each step. The median over all tables was 9.1 % so, and 9.2 % by whole fits from the priors,
/// which take minutes. O(groups · runs) estimates.
[[nodiscard]] std::vector<double> heldOutErrors(const std::vector<TrainingRun>& runs, const TrainingConstants& fitted,
                                                HeldOut by = HeldOut::Source, const std::stop_token& stop = {});

/// Error of a table: the median of |ln(predicted / measured)|.
struct TableError {
  std::string table;
  std::size_t rows = 0;
  double median = 0;
};
[[nodiscard]] std::vector<TableError> tableErrors(const std::vector<TrainingRun>& runs,
                                                  const std::vector<double>& logRatios);

}  // namespace p2::inline training
