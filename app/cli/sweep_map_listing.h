// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/sweep_listing.h"
#include "explore/sweep_map.h"

namespace p2::cli {

void writeSweepMap(std::ostream& out, const SweepMap& map, SweepFormat format);

}  // namespace p2::cli
