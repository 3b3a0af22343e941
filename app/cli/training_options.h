// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string_view>

#include "training_answer/training_request.h"

namespace p2::cli {

/// Options that set fields of a request, by their keys in trainingFields() and trainingSearchFields(). A value that is
/// refused is an error of the command line. The request must live as long as the command.
void addTrainingOptions(CLI::App& command, TrainingRequest& request, std::initializer_list<std::string_view> keys);

/// The argument of trainingModelOf(), declared as "MODEL" or "--train MODEL".
CLI::Option* addTrainingModel(CLI::App& command, std::string_view declaration, std::string& model);

/// A model by its name or its file, or the one that a training configuration declares. Errors begin with `name`.
[[nodiscard]] Result<ModelSource> trainingModelOf(const std::string& argument, const std::string& name);

/// Whether --batch was given, for commands that take the batch from nowhere else.
[[nodiscard]] Result<void> checkBatchGiven(const TrainingRequest& request);

/// The question that the command line asks. Errors name the option.
[[nodiscard]] Result<TrainingInput> readTrainingOptions(const TrainingRequest& request, ModelSource model,
                                                        System system);

}  // namespace p2::cli
