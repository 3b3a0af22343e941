// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/collective_traits.h"

#include <array>
#include <cstdlib>

namespace p2 {
namespace {

DeviceState unionOf(const MemberStates& members) {
  DeviceState all = *members[0];
  for (const DeviceState* member : members) all.unite(*member);
  return all;
}

std::vector<DeviceState> unionEverywhere(const MemberStates& members) {
  return std::vector<DeviceState>(members.size(), unionOf(members));
}

std::vector<DeviceState> unionAtRoot(const MemberStates& members) {
  std::vector<DeviceState> after(members.size(), DeviceState(members[0]->size()));
  after[0] = unionOf(members);
  return after;
}

std::vector<DeviceState> unionDealtOut(const MemberStates& members) {
  const DeviceState all = unionOf(members);
  const std::vector<int> rows = all.rows();
  const std::size_t share = rows.size() / members.size();
  std::vector<DeviceState> after;
  for (std::size_t i = 0; i < members.size(); ++i) after.push_back(all.keepingRows(rows, i * share, share));
  return after;
}

std::vector<DeviceState> rootEverywhere(const MemberStates& members) {
  return std::vector<DeviceState>(members.size(), *members[0]);
}

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
    .after = unionEverywhere,
    .treeShape = FlowShape::Tree,
    .rounds = 2,
};
constexpr CollectiveTraits kReduceScatter{
    .name = "ReduceScatter",
    .shortName = "RS",
    .premises = kScattering,
    .effect = "the sum is dealt out: the i-th member then holds its i-th block of chunks",
    .after = unionDealtOut,
    .dealsOut = true,
};
constexpr CollectiveTraits kAllGather{
    .name = "AllGather",
    .shortName = "AG",
    .premises = kGathering,
    .effect = "every member then holds the chunks of all members",
    .after = unionEverywhere,
    .worksOnResult = true,
};
constexpr CollectiveTraits kReduce{
    .name = "Reduce",
    .shortName = "R",
    .premises = kReducing,
    .effect = "the root then holds the sum, the others nothing",
    .after = unionAtRoot,
    .shape = FlowShape::ChainToRoot,
    .rooted = true,
};
constexpr CollectiveTraits kBroadcast{
    .name = "Broadcast",
    .shortName = "B",
    .premises = kSending,
    .effect = "every member then holds what the root holds",
    .after = rootEverywhere,
    .forMasters = false,
    .shape = FlowShape::ChainFromRoot,
    .rooted = true,
};
constexpr CollectiveTraits kAllToAll{
    .name = "AllToAll",
    .shortName = "A2A",
    .premises = kScattering,
    .effect =
        "everybody's blocks are dealt out, none summed: the i-th member then holds its i-th block of chunks as "
        "each of them held it",
    .after = unionDealtOut,
    .shape = FlowShape::Exchange,
    .dealsOut = true,
    .keepsApart = true,
};
constexpr CollectiveTraits kScatter{
    .name = "Scatter",
    .shortName = "SC",
    .premises = kDealing,
    .effect = "what the root holds is dealt out: the i-th member then holds its i-th block of chunks",
    .after = unionDealtOut,
    .shape = FlowShape::Spread,
    .dealsOut = true,
    .rooted = true,
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
  if (shape != FlowShape::Ring) return 1;
  return traitsOf(collective).rounds * (static_cast<double>(members - 1) / static_cast<double>(members));
}

}  // namespace p2
