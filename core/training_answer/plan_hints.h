// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "training/planner.h"

namespace p2::inline training_answer {

/// The batch nearest to the question's that divides by the odd factors of the number of devices and by 16; none if the
/// question's divides by those factors, or if it is farther away than a tenth.
[[nodiscard]] std::optional<std::int64_t> dividingBatch(const TrainingQuestion& question);

/// Advice on an answer.
struct PlanHint {
  std::string text;                  ///< a sentence without a full stop
  std::optional<std::size_t> place;  ///< place of the configuration whose trainingDegreesText() it has
};

/// dividingBatch() in words: "512 sequences do not divide by 3, a factor of the 96 devices; more degrees divide 528".
[[nodiscard]] std::optional<PlanHint> batchHint(const TrainingQuestion& question);

/// The configuration that leaves most memory of those tied with the first, where the first needs 95 % of a device or
/// more with its reserve and the other 90 % or less; without such a tie the first listed one of 90 % or less.
/// O(configurations).
[[nodiscard]] std::optional<PlanHint> memoryHint(const TrainingAnswer& answer);

/// The configuration of the least complexityOf() among those tied with the first whose steps are no more than kRunNoise
/// longer; none if the first is as simple. Where two are as simple, the faster one. O(configurations).
[[nodiscard]] std::optional<PlanHint> simplerHint(const TrainingAnswer& answer);

/// "with a rank file, pp 9 · ep 8 · dp 32 takes 5.10 s": the fastest listed configuration, where no order of the
/// framework gives its placement and it is definitely faster than the first. The first is ranked by the orders of its
/// framework. O(configurations).
[[nodiscard]] std::optional<PlanHint> rankFileHint(const TrainingAnswer& answer);

/// All hints above; one hint on each configuration.
[[nodiscard]] std::vector<PlanHint> planHints(const TrainingQuestion& question, const TrainingAnswer& answer);

}  // namespace p2::inline training_answer
