// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "training/planner.h"
#include "workspace/training_choice.h"

namespace p2 {

/// The planner's question as a document poses it.
struct DocumentTraining {
  TrainingQuestion question;
  std::vector<std::string> assumed;  ///< defaults of keys that the model's file lacks
};
/// From the system and the training choice of a document. Errors name the field: "model", "batch", "sequence",
/// "framework", "precision", "fixed choices".
[[nodiscard]] Result<DocumentTraining> trainingOf(const System& system, const TrainingChoice& choice);

/// A configuration as a document keeps it: without the degree of data parallelism, which follows from the others.
[[nodiscard]] ChosenConfiguration chosenFrom(const PlannedConfiguration& planned);
/// The place of the chosen configuration in the listing; none if it is not listed.
[[nodiscard]] std::optional<std::size_t> placeOf(const ChosenConfiguration& chosen, const TrainingAnswer& answer);
/// The chosen configuration on the question's system, priced. Where it cannot be there as it was chosen, microbatch
/// size, replicas and expert degrees are searched again, in this order. Errors of planTraining() for the closest
/// choice.
[[nodiscard]] Result<PlannedConfiguration> planChosen(TrainingQuestion question, const ChosenConfiguration& chosen,
                                                      std::stop_token stop = {});

}  // namespace p2
