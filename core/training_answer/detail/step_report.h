// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "training_answer/training_request.h"

namespace p2::inline training_answer {

/// A configuration as a page of text for people: the question, degrees, rank order, step time with its interval, speed,
/// memory of the fullest device, where the time goes, most first, parts that the plan leaves out, and assumptions.
[[nodiscard]] std::string stepReport(const TrainingQuestion& question, const PlannedConfiguration& planned,
                                     const std::vector<std::string>& assumed);

}  // namespace p2::inline training_answer
