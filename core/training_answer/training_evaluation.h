// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "training_answer/training_request.h"
#include "training_files/stated_training.h"

namespace p2::inline training_answer {

/// A place among all configurations that run and fit, with their placements; 1 is the fastest.
struct TrainingRank {
  std::int64_t rank = 0;
  std::int64_t of = 0;
};

/// Why a framework does not run a configuration.
struct TrainingRefusal {
  std::string rule;    ///< name of the rule
  std::string reason;  ///< a sentence without a full stop
  std::string source;  ///< file and function, or page, of the rule
};

/// One choice of a configuration made otherwise; two where no single one makes it run.
struct TrainingChange {
  std::string key;                   ///< "tp", as in --fix; "microbatch,tp" of two
  std::string choice;                ///< "tp 4 instead of 8"
  std::vector<std::string> flags;    ///< lines of the framework's launch text that are new or different
  std::vector<std::string> dropped;  ///< lines that go away
  PlannedConfiguration planned;
  double gain = 0;  ///< seconds of a step; below 0 only where the configuration itself does not run or fit
};

/// A user's own configuration next to all others.
struct TrainingEvaluation {
  PlannedConfiguration mine;  ///< priced as if it fitted, where it does not; without a placement where it is refused
  std::optional<TrainingRefusal> refused;
  double memory = 0;                        ///< bytes of a device
  double reserve = 0;                       ///< of them kept free
  bool fits = true;                         ///< into memory with the reserve
  std::optional<TrainingRank> inFramework;  ///< only where it runs and fits
  std::optional<TrainingRank> inAll;        ///< among the configurations of all frameworks
  /// Of one choice each, those that gain most first; they run and fit. Where the configuration itself does not, the
  /// fastest of every choice, or of every two if no single one is enough.
  std::vector<TrainingChange> changes;
};

/// Largest number of changes that are named.
inline constexpr std::size_t kMostChanges = 3;

/// Differences between the model and devices of a file and the question's, a sentence each without a full stop.
[[nodiscard]] std::vector<std::string> differencesFrom(const TrainingQuestion& question, const StatedTraining& stated);

/// The configuration of a file for the question's model and system: the question takes its batch, sequence
/// and precision, and `stated.assumed` the differences. `given`: sizes that the command states. Errors as
/// configurationOf().
[[nodiscard]] Result<TrainingConfiguration> ownConfiguration(StatedTraining& stated, TrainingInput& input,
                                                             const GivenSizes& given);

/// A user's own configuration and the file that states it.
struct OwnConfiguration {
  StatedTraining stated;
  TrainingConfiguration configuration;
  std::string completed = {};  ///< "vpp=6, recompute=full": choices beyond the defaults that the text leaves open
};

/// The configuration that choices as in "tp=8,pp=4" leave: the fastest with all of them, or the smallest where none
/// fits into memory. Errors of fixedChoicesFrom(); why no configuration has these choices; cancelled.
[[nodiscard]] Result<OwnConfiguration> ownFromChoices(const TrainingInput& input, std::string_view choices,
                                                      std::stop_token stop = {});

/// The configuration of a plan of p2 train (isTrainingPlan()). The question takes its batch, sequence and precision.
/// Errors of trainingPlanFromJson(); a plan for another number of devices; sizes other than the given ones.
[[nodiscard]] Result<OwnConfiguration> ownFromPlan(std::string_view plan, TrainingInput& input,
                                                   const GivenSizes& given = {});

/// Whether evaluateTraining() also counts the faster configurations, which takes most of its time.
enum class EvaluationExtent { WithRank, WithoutRank };
/// Prices a configuration on the placement of its order of ranks, counts the configurations of all frameworks that
/// run, fit and are faster, and tries every choice otherwise, one at a time. The question's frameworks and fixed
/// choices do not matter. Errors: a system that cannot be priced, cancelled. Every configuration whose lower bound is
/// below the time is priced: O(configurations · placements).
[[nodiscard]] Result<TrainingEvaluation> evaluateTraining(const TrainingInput& input, const StatedTraining& stated,
                                                          const TrainingConfiguration& mine, std::stop_token stop = {},
                                                          const Progress& progress = {},
                                                          EvaluationExtent extent = EvaluationExtent::WithRank);

/// A configuration on the placement of its order of ranks, or else on the fastest one. Errors: a rule of the framework
/// refuses it, no order of the framework places it.
[[nodiscard]] Result<PlannedConfiguration> priceOwn(const TrainingInput& input, const StatedTraining& stated,
                                                    const TrainingConfiguration& mine);

}  // namespace p2::inline training_answer
