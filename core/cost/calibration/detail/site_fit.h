// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost: the site's network in a calibration.
#pragma once

#include <vector>

#include "cost/calibration/calibration.h"
#include "cost/nccl/nccl_constants.h"

namespace p2::inline cost {

/// The figures of Library::nicShare, congestion and hop that a finished calibration amounts to, starting from these
/// constants; empty for systems of one node. The share counts the narrowest network between nodes.
[[nodiscard]] std::vector<FittedSite> fittedSiteOf(const Calibration& calibration, const NcclConstants& start);

}  // namespace p2::inline cost
