// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>

#include "cost/nccl/nccl_constants.h"
#include "cost/prediction_ranges.h"
#include "system/system.h"

namespace p2::inline cost {

/// Checks a system's calibration: constants of the nccl model, each once and above 0, and ranges of
/// known steps and sizes with low ≤ 1 ≤ high. The error names the part of the system: "/tuned",
/// "/ranges/2".
[[nodiscard]] Result<void> checkTuning(const System& system);

/// The nccl model's constants on a calibrated system; null where none was fitted or it is not calibrated. O(constants).
[[nodiscard]] std::shared_ptr<const NcclConstants> tunedConstantsOf(const System& system);

/// The ranges of a model on a calibrated system, and the others' where none was found; null where it has none of its
/// own.
[[nodiscard]] std::shared_ptr<const PredictionRanges> systemRangesOf(const System& system, std::string_view model,
                                                                     const PredictionRanges& others);

/// As a system carries them: those that are known, under the name of the model.
[[nodiscard]] std::vector<PredictionRange> systemRanges(const PredictionRanges& ranges, std::string_view model);

}  // namespace p2::inline cost
