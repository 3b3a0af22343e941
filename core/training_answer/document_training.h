// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "training_answer/training_request.h"
#include "training_files/stated_training.h"
#include "workspace/training_choice.h"

namespace p2::inline training_answer {

/// The planner's question as a document poses it. Errors as readTrainingRequest(), of the model with the document
/// kModelKey.
[[nodiscard]] Result<TrainingInput> trainingInputOf(const System& system, const TrainingChoice& choice);
/// Key of the model, next to the keys of a request.
inline constexpr const char* kModelKey = "model";

/// The choice with another model, by its name as an argument: a published training by its name, any other bundled model
/// with its config.json, a file with its content. Fixed choices and the chosen configuration belong to the former model
/// and go; where it is the same, all stays. Errors: as modelFromArgument(); a file that cannot be read.
[[nodiscard]] Result<TrainingChoice> withModelArgument(TrainingChoice choice, const std::string& argument);

/// A document's choice with the values of a framework's configuration: framework, batch, sequence, precision, the name
/// of a bundled model (as withModelArgument()), and its text as "mine". Values that the file leaves open stay as they
/// are.
[[nodiscard]] TrainingChoice statedChoice(TrainingChoice choice, const StatedTraining& stated, const std::string& text);

/// A configuration as a document keeps it: without the degree of data parallelism, which follows from the others.
[[nodiscard]] ChosenConfiguration chosenFrom(const PlannedConfiguration& planned);
/// The place of the chosen configuration in the listing; none if it is not listed.
[[nodiscard]] std::optional<std::size_t> placeOf(const ChosenConfiguration& chosen, const TrainingAnswer& answer);
/// The chosen configuration on the question's system, priced. Where it cannot be there as it was chosen, microbatch
/// size, replicas and expert degrees are searched again, in this order. Errors of planTraining() for the closest
/// choice.
[[nodiscard]] Result<PlannedConfiguration> planChosen(TrainingQuestion question, const ChosenConfiguration& chosen,
                                                      std::stop_token stop = {});

}  // namespace p2::inline training_answer
