// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "cost/nccl_kinds.h"
#include "cost/nccl_model.h"

namespace p2 {
namespace {

constexpr std::array kReductions{Algorithm::Ring, Algorithm::Tree, Algorithm::Nvls, Algorithm::NvlsTree,
                                 Algorithm::CollNet};
constexpr std::array kDirect{Algorithm::Direct};
constexpr std::array kOneWay{Algorithm::Ring, Algorithm::Pat};

}  // namespace

std::span<const Algorithm> NcclModel::candidates(Collective collective, Algorithm wanted) const {
  if (isDirect(collective)) return kDirect;
  const std::span<const Algorithm> all = collective == Collective::AllReduce ? std::span<const Algorithm>(kReductions)
                                         : isOneWay(collective)              ? std::span<const Algorithm>(kOneWay)
                                                                : std::span<const Algorithm>(kOneWay).first(1);
  if (wanted == Algorithm::Auto) return all;
  const auto found = std::find(all.begin(), all.end(), wanted);
  return found == all.end() ? all.first(1) : all.subspan(static_cast<std::size_t>(found - all.begin()), 1);
}

FlowShape NcclModel::shape(Collective collective, Algorithm algorithm) const {
  if (isDirect(collective)) return traitsOf(collective).shape;
  switch (algorithm) {
    case Algorithm::Tree:
      return FlowShape::RailTree;
    case Algorithm::Nvls:
      return FlowShape::Multicast;
    case Algorithm::NvlsTree:
      return FlowShape::MulticastTree;
    case Algorithm::CollNet:
      return FlowShape::MulticastRing;
    case Algorithm::Ring:
    case Algorithm::Pat:
    case Algorithm::Direct:
    case Algorithm::Auto:
      break;
  }
  return FlowShape::RailRing;
}

double NcclModel::factor(Collective collective, Algorithm algorithm, std::int64_t members) const {
  if (isChain(collective) || algorithm == Algorithm::Tree || isMulticast(algorithm)) return 1;
  if (isDirect(collective)) return 1;
  return flowFactor(collective, FlowShape::Ring, members);
}

}  // namespace p2
