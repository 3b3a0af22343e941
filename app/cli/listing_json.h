// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/listing.h"

namespace p2::cli {

/// One JSON object: how many, then placement by placement with its programs. Stops where `out` takes no more.
void writeJsonListing(std::ostream& out, const Exploration& exploration, const ListingStyle& style);

/// The link that sets the time of a step; empty if none does.
[[nodiscard]] std::string linkOf(const Exploration& exploration, const StepCost& step);
/// Whether the cheapest program is known: there is one, and they were not too many to rank.
[[nodiscard]] bool hasBest(const PlacementResult& placement);

}  // namespace p2::cli
