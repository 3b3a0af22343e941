// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_answer.
#pragma once

#include <optional>

#include "training_answer/training_request.h"

namespace p2::inline training_answer {

/// Why a question has no answer, with a remedy: batches that would divide, the least number of devices that would do,
/// the rule of the framework with its source and the frameworks that can. No value if some configuration runs and fits,
/// or after a stop request. O(configurations) for every framework and for some numbers of devices.
[[nodiscard]] std::optional<Error> reasonOfNoAnswer(const TrainingQuestion& question,
                                                    const TrainingAccelerator& accelerator,
                                                    const std::stop_token& stop);

}  // namespace p2::inline training_answer
