// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "workspace/training_choice.h"

namespace p2::views {

/// A model that comes with the program.
struct ModelChoice {
  std::string name;    ///< "llama3-70b"
  std::string config;  ///< content of its config.json; empty if the name is enough
  friend bool operator==(const ModelChoice&, const ModelChoice&) = default;
};
/// All of them, by family and size.
[[nodiscard]] const std::vector<ModelChoice>& modelChoices();
/// The choice with another model. The length of sequences stays unless the model's positions end before it; a chosen
/// configuration and fixed choices belong to the former model and go.
[[nodiscard]] TrainingChoice withModel(TrainingChoice training, const ModelChoice& model);

}  // namespace p2::views
