// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <string>

#include "support/atlas/validation.h"

namespace p2 {

/// By machine, the ranges that the held-out times of all other machines give.
[[nodiscard]] std::map<std::string, PredictionRanges> rangesOfOthers(const AtlasValidation& validation);
/// By band, the share of held-out times within the ranges that the other machines' times give.
[[nodiscard]] std::array<double, kSizeBands> coverageOf(const AtlasValidation& validation);
/// The ranges as the file resources/nccl/ranges.json, rounded to three digits after the point.
[[nodiscard]] std::string rangesFileText(const PredictionRanges& ranges);

}  // namespace p2
