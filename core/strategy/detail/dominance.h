// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <stop_token>

#include "strategy/detail/cost_network.h"

namespace p2::inline strategy {

/// The network without its dominated values. A value is dominated when at least `best` other values of its vertex are
/// cheaper for all choices of the neighbours (or cost as much and come first): then none of the `best` cheapest
/// strategies uses it, ties going to the lexicographically smallest. Removing values is repeated until no more are
/// dominated. Vertices with equal tables and neighbourhoods are examined once, in O(values² · neighbours' values) at
/// worst. When stopped, it returns early; the network is then still right, but may keep dominated values.
[[nodiscard]] CostNetwork withoutDominated(CostNetwork network, std::size_t best, std::stop_token stop = {});

}  // namespace p2::inline strategy
