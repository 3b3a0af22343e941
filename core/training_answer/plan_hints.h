// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "training/planner.h"

namespace p2::inline training_answer {

/// A batch near the question's that more degrees divide, where the question's does not divide by the odd factors of the
/// number of devices: "512 sequences do not divide by 3, a factor of the 96 devices; more degrees divide 528". A
/// sentence without a full stop; empty without such a batch within a tenth.
[[nodiscard]] std::string batchHint(const TrainingQuestion& question);

/// The configuration that leaves most memory of those tied with the first, where the first needs 95 % of a device or
/// more with its reserve and the other 90 % or less. A sentence without a full stop; empty otherwise.
/// O(configurations).
[[nodiscard]] std::string memoryHint(const TrainingAnswer& answer);

}  // namespace p2::inline training_answer
