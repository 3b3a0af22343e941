// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>
#include <string>

#include "base/result.h"
#include "text/document.h"

namespace p2::cli {

/// The published training steps next to their predictions, by table, and which of them the constants are fitted to.
void writeTrainingRuns(std::ostream& out, AnswerForm format);
/// The published steps that no constant was fitted to, see unseenRuns(), next to their predictions.
void writeUnseenRuns(std::ostream& out, AnswerForm format);
/// Runs of a CSV file next to their predictions. No constant is fitted to them. Errors: a file that cannot be read, or
/// as otherTrainingRunsFrom().
[[nodiscard]] Result<void> writeOtherTrainingRuns(std::ostream& out, const std::string& file, AnswerForm format);
/// resources/training/constants.json with its constants fitted to these steps again. Takes a minute.
void writeFittedConstants(std::ostream& out);

}  // namespace p2::cli
