// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "training/model_argument.h"
#include "training/planner.h"

namespace p2::inline training_answer {

/// Tokens of a sequence where none are given.
inline constexpr std::int64_t kDefaultSequence = 4096;

/// A question about training as the command line and the window ask it, apart from model and system. A plain value.
struct TrainingRequest {
  std::int64_t batch = 0;                ///< sequences of a step
  std::optional<std::int64_t> sequence;  ///< tokens of a sequence; kDefaultSequence if not given
  std::string framework = "any";         ///< a name of trainingFrameworks(), or any
  std::string precision = "bf16";        ///< of products: a name of productPrecisionFrom()
  std::string fixed;                     ///< decided choices, as in "tp=8,pp=4": see fixedChoicesFrom()
  std::optional<std::string> reserve;    ///< bytes of a device that are kept free, as in "6GB"
  std::string expertLoad = "uniform";    ///< of mixtures: see expertLoadFrom()
  double capacity = 0;                   ///< see ExpertLoad; 0 for none
  std::size_t best = 10;                 ///< configurations that are listed
  bool everyVariant = false;             ///< see TrainingQuestion
  bool listsLarge = false;               ///< see TrainingQuestion
  friend bool operator==(const TrainingRequest&, const TrainingRequest&) = default;
};

/// A question that can be answered.
struct TrainingInput {
  TrainingQuestion question;
  std::vector<std::string> assumed;  ///< defaults that took the place of missing values, one sentence each
};

/// Keys of a request's values: the document of errors, and with "--" before them options of `p2 train`.
inline constexpr const char* kSequenceKey = "sequence";
inline constexpr const char* kFrameworkKey = "framework";
inline constexpr const char* kPrecisionKey = "precision";
inline constexpr const char* kFixKey = "fix";
inline constexpr const char* kReserveKey = "reserve";
inline constexpr const char* kExpertLoadKey = "expert-load";

/// Reads the texts of a request. Errors: unknown names (with the known ones), values out of range, sequences that the
/// model's positions do not reach; their document is the key of the value.
[[nodiscard]] Result<TrainingInput> readTrainingRequest(const TrainingRequest& request, ModelSource model,
                                                        System system);

/// The best configurations on the placements that the frameworks bring about: planTraining() over
/// frameworkPlacements(). The answer's `assumed` begins with the input's. Errors as planTraining().
[[nodiscard]] Result<TrainingAnswer> answerTraining(const TrainingInput& input, std::stop_token stop = {},
                                                    const Progress& progress = {});

}  // namespace p2::inline training_answer
