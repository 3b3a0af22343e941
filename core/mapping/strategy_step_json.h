// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "strategy/strategy_step.h"
#include "text/json_writer.h"

namespace p2::inline mapping {

/// "step" of a p2-strategy file: microbatches, zero, recompute, optimizer, element_bytes and, of models of tokens,
/// sequences and tokens of a microbatch. Inside an object.
void writeStrategyStep(JsonWriter& json, const StrategyStep& step);

/// Reads "step" from a file. Without "step" it is empty but for the microbatches of a pipeline. Errors name the JSON
/// pointer: values out of range.
[[nodiscard]] Result<StrategyStep> strategyStepFromJson(std::string_view text);

}  // namespace p2::inline mapping
