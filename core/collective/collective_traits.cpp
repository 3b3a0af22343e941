// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/collective_traits.h"

#include <array>
#include <cstdlib>

namespace p2::inline collective {
namespace {

using enum Premise;
constexpr std::array kReducing{MembersNonEmpty, RowsEqual, ColumnsDisjoint};
constexpr std::array kScattering{MembersNonEmpty, RowsEqual, ColumnsDisjoint, SizeDividesRows};
constexpr std::array kGathering{MembersNonEmpty, RowCountsEqual, RowsDisjoint};
constexpr std::array kSending{RootNonEmpty, MembersWithinRoot, RootTellsSomething};
constexpr std::array kDealing{RootNonEmpty, OthersEmpty, SizeDividesRows};

constexpr CollectiveTraits kAllReduce{
    .name = "AllReduce",
    .shortName = "AR",
    .premises = kReducing,
    .effect = "every member then holds the sum of all members",
    .treeShape = FlowShape::Tree,
    .rounds = 2,
};
constexpr CollectiveTraits kReduceScatter{
    .name = "ReduceScatter",
    .shortName = "RS",
    .premises = kScattering,
    .leaves = Leaves::Scattered,
    .effect = "the sum is split: each member keeps one block of its chunks, in order",
};
constexpr CollectiveTraits kAllGather{
    .name = "AllGather",
    .shortName = "AG",
    .premises = kGathering,
    .makes = Makes::Pieces,
    .effect = "every member then holds the chunks of all members",
};
constexpr CollectiveTraits kReduce{
    .name = "Reduce",
    .shortName = "R",
    .premises = kReducing,
    .leaves = Leaves::AtRoot,
    .effect = "the root then holds the sum, the others nothing",
    .shape = FlowShape::ChainToRoot,
};
constexpr CollectiveTraits kBroadcast{
    .name = "Broadcast",
    .shortName = "B",
    .premises = kSending,
    .makes = Makes::RootCopy,
    .effect = "every member then holds the root's data",
    .forMasters = false,
    .shape = FlowShape::ChainFromRoot,
};
constexpr CollectiveTraits kAllToAll{
    .name = "AllToAll",
    .shortName = "A2A",
    .premises = kScattering,
    .leaves = Leaves::Scattered,
    .effect = "blocks are exchanged and not summed: the i-th member then holds the i-th block of every member",
    .shape = FlowShape::Exchange,
    .keepsApart = true,
};
constexpr CollectiveTraits kScatter{
    .name = "Scatter",
    .shortName = "SC",
    .premises = kDealing,
    .makes = Makes::RootCopy,
    .leaves = Leaves::Scattered,
    .effect = "the root's data is split: each member receives one block of its chunks, in order",
    .shape = FlowShape::Spread,
};

}  // namespace

const CollectiveTraits& traitsOf(Collective collective) {
  switch (collective) {
    case Collective::AllReduce:
      return kAllReduce;
    case Collective::ReduceScatter:
      return kReduceScatter;
    case Collective::AllGather:
      return kAllGather;
    case Collective::Reduce:
      return kReduce;
    case Collective::Broadcast:
      return kBroadcast;
    case Collective::AllToAll:
      return kAllToAll;
    case Collective::Scatter:
      return kScatter;
  }
  std::abort();
}

double flowFactor(Collective collective, FlowShape shape, std::int64_t members) {
  if (shape != FlowShape::Ring && shape != FlowShape::TorusRings) return 1;
  return traitsOf(collective).rounds * (static_cast<double>(members - 1) / static_cast<double>(members));
}

}  // namespace p2::inline collective
