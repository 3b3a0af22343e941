// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cut_demand.h"

#include <cstdlib>

namespace p2 {

CutDemand demandOf(Collective collective, std::int64_t members, std::int64_t inside, bool root) {
  if (inside == 0 || inside == members) return {};
  const double own = static_cast<double>(inside) / static_cast<double>(members);
  switch (collective) {
    case Collective::AllReduce:
      return {1, 1};
    case Collective::ReduceScatter:
      return {1 - own, own};
    case Collective::AllGather:
      return {own, 1 - own};
    case Collective::Reduce:
      return root ? CutDemand{0, 1} : CutDemand{1, 0};
    case Collective::Broadcast:
      return root ? CutDemand{1, 0} : CutDemand{0, 1};
    case Collective::AllToAll:
      return {static_cast<double>(inside) * (1 - own), static_cast<double>(inside) * (1 - own)};
    case Collective::Scatter:
      return root ? CutDemand{1 - own, 0} : CutDemand{0, own};
  }
  std::abort();
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
  if (parts < 2 || collective == Collective::AllToAll || collective == Collective::Scatter) return {};
  const auto all = static_cast<double>(parts);
  const double messages = (collective == Collective::AllReduce ? 2 : 1) * (all - 1);
  if (!switchesReduce) return {messages, messages};
  switch (collective) {
    case Collective::AllReduce:
      return {all, all};
    case Collective::ReduceScatter:
    case Collective::Reduce:
      return {all - 1, 1};
    case Collective::AllGather:
    case Collective::Broadcast:
      return {1, all - 1};
    case Collective::AllToAll:
    case Collective::Scatter:
      return {};
  }
  std::abort();
}

}  // namespace p2
