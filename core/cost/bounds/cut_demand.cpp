// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/bounds/detail/cut_demand.h"

#include "collective/collective_traits.h"

namespace p2::inline cost {

CutDemand demandOf(Collective collective, std::int64_t members, std::int64_t inside, bool root) {
  if (inside == 0 || inside == members) return {};
  const CollectiveTraits& traits = traitsOf(collective);
  const double own = static_cast<double>(inside) / static_cast<double>(members);
  // The share of the vector that each side ends with.
  double endsInside = traits.scatters() ? own : 1;
  double endsOutside = traits.scatters() ? 1 - own : 1;
  if (traits.leaves == Leaves::AtRoot) {
    endsInside = root ? 1 : 0;
    endsOutside = root ? 0 : 1;
  }
  switch (traits.makes) {
    case Makes::Pieces:
      return {own, 1 - own};
    case Makes::RootCopy:
      return root ? CutDemand{endsOutside, 0} : CutDemand{0, endsInside};
    case Makes::Sum:
      break;
  }
  // Sums cross once. Contributions that are kept apart cross one by one.
  const double contributionsOut = traits.keepsApart ? static_cast<double>(inside) : 1;
  const double contributionsIn = traits.keepsApart ? static_cast<double>(members - inside) : 1;
  return {contributionsOut * endsOutside, contributionsIn * endsInside};
}

CutDemand demandOf(const ShardCut& cut) {
  const auto all = static_cast<double>(cut.shards);
  return {static_cast<double>(cut.outside) / all, static_cast<double>(cut.inside) / all};
}

CutDemand shardCrossingsOf(std::int64_t parts, double holders) {
  if (parts < 2) return {};
  const double messages = static_cast<double>(parts - 1) + holders - 1;
  return {messages, messages};
}

CutDemand crossingsOf(Collective collective, std::int64_t parts, bool switchesReduce) {
  const CollectiveTraits& traits = traitsOf(collective);
  // Messages straight to their destination have no least number of crossings.
  if (parts < 2 || isDirect(traits.shape)) return {};
  const auto all = static_cast<double>(parts);
  const double messages = traits.rounds * (all - 1);
  if (!switchesReduce) return {messages, messages};
  const bool up = traits.makes == Makes::Sum;
  const bool down = traits.leaves == Leaves::Everywhere;
  if (up && down) return {all, all};
  return up ? CutDemand{all - 1, 1} : CutDemand{1, all - 1};
}

}  // namespace p2::inline cost
