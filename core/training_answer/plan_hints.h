// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "training/planner.h"

namespace p2::inline training_answer {

/// The batch nearest to the question's that divides by the odd factors of the number of devices and by 16; none if the
/// question's divides by those factors, or if it is farther away than a tenth.
[[nodiscard]] std::optional<std::int64_t> dividingBatch(const TrainingQuestion& question);

/// dividingBatch() in words: "512 sequences do not divide by 3, a factor of the 96 devices; more degrees divide 528". A
/// sentence without a full stop; empty without such a batch.
[[nodiscard]] std::string batchHint(const TrainingQuestion& question);

/// The configuration that leaves most memory of those tied with the first, where the first needs 95 % of a device or
/// more with its reserve and the other 90 % or less; without such a tie the first listed one of 90 % or less. A
/// sentence without a full stop; empty otherwise. O(configurations).
[[nodiscard]] std::string memoryHint(const TrainingAnswer& answer);

/// The place of the configuration that memoryHint() names; none without a hint.
[[nodiscard]] std::optional<std::size_t> memoryHintPlace(const TrainingAnswer& answer);

/// "with a rank file, pp 9 · ep 8 · dp 32 takes 5.10 s": the fastest listed configuration, where no order of the
/// framework gives its placement and it is definitely faster than the first. The first is ranked by what its framework
/// gives. A sentence without a full stop; empty otherwise. O(configurations).
[[nodiscard]] std::string rankFileHint(const TrainingAnswer& answer);
/// The place of the configuration that rankFileHint() names; none without a hint.
[[nodiscard]] std::optional<std::size_t> rankFileHintPlace(const TrainingAnswer& answer);

}  // namespace p2::inline training_answer
