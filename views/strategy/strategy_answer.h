// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "strategy_answer/strategy_answer.h"

namespace p2::views {

/// Strategies of the answer that cost the same as this one; 1 or more.
[[nodiscard]] std::size_t tiesOf(const StrategyAnswer& answer, std::size_t strategy);
/// "one of 3 of the same cost", "one of at least 10 of the same cost"; empty where it is the only one.
[[nodiscard]] QString tiesText(const StrategyAnswer& answer, std::size_t strategy);

}  // namespace p2::views
