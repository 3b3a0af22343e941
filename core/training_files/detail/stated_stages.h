// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: stages of a pipeline from a statement.
#pragma once

#include "training_files/stated_training.h"

namespace p2::inline training_files {

/// Completes the virtual stages, the schedule and the layout of a configuration whose degrees are known. Errors: layers
/// that the stated stages do not divide.
[[nodiscard]] Result<void> completeStages(StatedTraining& stated, const ModelShape& model, TrainingConfiguration& made);

}  // namespace p2::inline training_files
