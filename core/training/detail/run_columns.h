// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "training/training_runs.h"

namespace p2::inline training {

/// Checks the titles of a table of runs. Errors: a needed column is missing, or one occurs twice.
[[nodiscard]] Result<void> checkRunColumns(const std::vector<std::string>& titles);
/// The titles that runs are not read from.
[[nodiscard]] std::vector<std::string> unknownRunColumns(const std::vector<std::string>& titles);
/// Completes a row of a table that is not bundled: table and source become `name` where empty, and the step follows
/// from tokens per second. Error: a cell that is no number, with its column.
[[nodiscard]] Result<void> completeRow(TrainingRow& row, const std::string& name);

}  // namespace p2::inline training
