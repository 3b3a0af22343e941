// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "base/property.h"
#include "workspace/strategy_choice.h"

namespace p2::inline workspace {

/// The fields of a StrategyChoice that are one value each, in the order of files: most options of `p2 strategy`, the
/// keys of a workspace's "strategy" and the rows of the window's forms come from them. Sizes by name, pins and the
/// memory of a device, which may be "any", are no rows.
[[nodiscard]] std::span<const Property<StrategyChoice>> strategyFields();
/// The row of that key. Precondition: there is one.
[[nodiscard]] const Property<StrategyChoice>& strategyField(std::string_view key);

}  // namespace p2::inline workspace
