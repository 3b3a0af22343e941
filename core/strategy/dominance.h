// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <stop_token>

#include "strategy/cost_network.h"

namespace p2 {

/// The network without dominated values: those that none of the `best` cheapest strategies, among equals the
/// lexicographically smallest first, makes use of, because so many other values of the same vertex cost less whatever
/// the neighbours choose, or as much and come first. Repeated until nothing more is found. Vertices with equal tables
/// and neighbourhoods are looked at once: O(values² · neighbours' values) each, for most pairs far less. Cut short, but
/// right, when stopped.
[[nodiscard]] CostNetwork withoutDominated(CostNetwork network, std::size_t best, std::stop_token stop = {});

}  // namespace p2
