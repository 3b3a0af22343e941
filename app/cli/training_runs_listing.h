// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "text/document.h"

namespace p2::cli {

/// The published training steps next to their predictions, by table, and which of them the constants are fitted to.
void writeTrainingRuns(std::ostream& out, AnswerForm format);
/// resources/training/constants.json with its constants fitted to these steps again. Takes a minute.
void writeFittedConstants(std::ostream& out);

}  // namespace p2::cli
