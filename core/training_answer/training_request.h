// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/property.h"
#include "training/model_argument.h"
#include "training/planner.h"
#include "workspace/training_choice.h"

namespace p2::inline training_answer {

/// A question about training as the command line and the window ask it. Its model, its chosen configuration and the
/// user's own are arguments of their own and have no effect here. A plain value.
struct TrainingRequest : TrainingChoice {
  /// A batch and a sequence of 0 are not given.
  TrainingRequest() {
    batch = 0;
    sequence = 0;
    framework = "any";
  }

  std::string expertLoad = "uniform";  ///< of mixtures: see expertLoadFrom()
  double capacity = 0;                 ///< see ExpertLoad; 0 for none
  std::int64_t best = 10;              ///< configurations that are listed
  bool everyVariant = false;           ///< see TrainingQuestion
  bool listsLarge = false;             ///< see TrainingQuestion
  friend bool operator==(const TrainingRequest&, const TrainingRequest&) = default;
};

inline constexpr std::int64_t kMostListedConfigurations = 10000;

/// The fields of a request that a document does not have; trainingFields() are the others.
[[nodiscard]] std::span<const Property<TrainingRequest>> trainingSearchFields();

/// A question that can be answered.
struct TrainingInput {
  TrainingQuestion question;
  std::vector<std::string> assumed;    ///< defaults of the model's figures that its file lacks, one sentence each
  std::vector<std::string> open = {};  ///< defaults of the request, with the option of `p2 train` for each
};

/// The framework, or "any", that a question is about: the choice's own, or the first of trainingFrameworks() that runs
/// on the system's accelerator where the choice has none. Megatron-Core where none does, or the accelerator is unknown.
[[nodiscard]] std::string frameworkNameOf(const System& system, const TrainingChoice& choice);

/// Keys of a request's values: the document of errors, and with "--" before them options of `p2 train`.
inline constexpr const char* kSequenceKey = "sequence";
inline constexpr const char* kFrameworkKey = "framework";
inline constexpr const char* kPrecisionKey = "precision";
inline constexpr const char* kFixKey = "fix";
inline constexpr const char* kExpertLoadKey = "expert-load";

/// Reads the texts of a request; a sequence of 0 becomes the default of unsaidPlan() and is named as assumed.
/// Errors: unknown names (with the known ones), sequences that the model's positions do not reach; their document is
/// the key of the value.
[[nodiscard]] Result<TrainingInput> readTrainingRequest(const TrainingRequest& request, ModelSource model,
                                                        System system);

/// The best configurations on the placements that the frameworks bring about: planTraining() over
/// frameworkPlacements(). The answer's `assumed` begins with the input's. Errors as planTraining().
[[nodiscard]] Result<TrainingAnswer> answerTraining(const TrainingInput& input, std::stop_token stop = {},
                                                    const Progress& progress = {});

}  // namespace p2::inline training_answer
