// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/lower_bound.h"

#include "base/units.h"
#include "cost/detail/listed_lower_bound.h"
#include "cost/detail/uniform_lower_bound.h"

namespace p2::inline cost {

LowerBound placementLowerBound(const Topology& topology, const Placement& placement, Collective collective,
                               const CostOptions& options) {
  if (placement.groupSize() < 2) return {};
  const SynthesisHierarchy hierarchy(*topology.system(), placement);
  const LeastTime least = topology.isUniform() ? uniformLowerBound(topology, hierarchy, collective)
                                               : ListedLowerBound(topology, hierarchy, collective).least();
  return {least.seconds * options.bytes.value() * options.repeat, least.where};
}

std::string timesLowerBound(double seconds, const LowerBound& limit) {
  return limit.seconds > 0 ? formatFactor(seconds / limit.seconds) + " the limit" : "";
}

bool isAtLowerBound(double seconds, const LowerBound& limit) {
  return limit.seconds > 0 && seconds <= 1.05 * limit.seconds;
}

}  // namespace p2::inline cost
