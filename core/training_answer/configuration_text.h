// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "training/planner.h"

namespace p2::inline training_answer {

/// "tp 8 sp · cp 2 ring · pp 4×5 · dp 16 in 2 replicas · ZeRO 1": the degrees of a configuration, dp always and the
/// others where they are above 1.
[[nodiscard]] std::string trainingDegreesText(const TrainingConfiguration& configuration);
/// The parts of trainingDegreesText() in words, a line each: "tp 8: tensor parallelism, …".
[[nodiscard]] std::vector<std::string> explainDegrees(const TrainingConfiguration& configuration);
/// Microbatches, recomputation and the schedule of a pipeline in words, a line each.
[[nodiscard]] std::vector<std::string> explainBatches(const TrainingConfiguration& configuration);
/// "considered 12,345 · against the framework's rules 6,789 · too slow by a lower bound 2,345 · too large 1,234": what
/// became of the configurations of a search; the rest was priced.
[[nodiscard]] std::string describeExclusions(const TrainingAnswer& answer);

}  // namespace p2::inline training_answer
