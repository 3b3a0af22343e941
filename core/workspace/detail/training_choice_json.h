// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/json_value.h"
#include "workspace/training_choice.h"

namespace p2::inline workspace {

/// The "training" object of a workspace; null for a choice without a model that is otherwise the default.
[[nodiscard]] Json trainingChoiceJson(const TrainingChoice& choice);
[[nodiscard]] TrainingChoice readTrainingChoice(const JsonValue& in);
/// A chosen configuration: "framework", "choices" and "order".
[[nodiscard]] Json chosenConfigurationJson(const ChosenConfiguration& chosen);
[[nodiscard]] ChosenConfiguration readChosenConfiguration(const JsonValue& in);

}  // namespace p2::inline workspace
