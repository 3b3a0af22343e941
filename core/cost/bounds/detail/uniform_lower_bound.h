// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/bounds/detail/cut_demand.h"
#include "synthesis/synthesis_hierarchy.h"
#include "system/topology.h"

namespace p2::inline cost {

/// placementLowerBound() in a uniform system, for a vector of one byte: an instance of every level, all instances of a
/// level together, and runs of neighbours in a ring. The hierarchy is of the kind ReductionAxes.
[[nodiscard]] LeastTime uniformLowerBound(const Topology& topology, const SynthesisHierarchy& hierarchy,
                                          Collective collective);

}  // namespace p2::inline cost
