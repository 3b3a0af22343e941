// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workspace.
#pragma once

#include "text/json_value.h"
#include "workspace/strategy_choice.h"

namespace p2::inline workspace {

/// The "strategy" object of a workspace; null for the choice of a new document.
[[nodiscard]] Json strategyChoiceJson(const StrategyChoice& choice);
/// Reads it back; a missing key keeps its default.
[[nodiscard]] StrategyChoice readStrategyChoice(const JsonValue& in);

}  // namespace p2::inline workspace
