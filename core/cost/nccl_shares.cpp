// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "cost/nccl_kinds.h"
#include "cost/nccl_parts.h"
#include "cost/nccl_versions.h"

namespace p2 {
namespace {

using enum NcclConstant;

}  // namespace

/// What a ring gets of the nominal bandwidth inside a node.
double NcclModel::ringShare(const LibraryView& machine) const {
  if (machine.hostLinked) return m_constants[HostShare];
  return m_constants.of(RingShareFirst, machine.generation) * (machine.mesh ? m_constants[MeshShare] : 1);
}

/// What is used of the nominal bandwidth between nodes.
double NcclModel::acrossShare(const LibraryView& machine) const {
  if (machine.hostLinked) return m_constants[AcrossShareHost];
  // Slingshot's machines with A100s have no PCIe switches, so that every byte goes through the processor (PCIe 4).
  if (machine.network == NetworkKind::Slingshot && machine.generation == Generation::Ampere)
    return m_constants[AcrossShareRoot];
  return m_constants.of(AcrossShareFirst, machine.network);
}

NcclModel::Shares NcclModel::directShares(const LibraryView& machine) const {
  return {ringShare(machine) * m_constants[ExchangeInsideShare],
          acrossShare(machine) * m_constants[ExchangeAcrossShare]};
}

/// `nic` is what the busiest link between nodes carries, in bytes/s.
NcclModel::Shares NcclModel::shares(const Traffic& traffic, double nic, Protocol protocol) const {
  const LibraryView& machine = *traffic.machine;
  double inside = ringShare(machine);
  double across = acrossShare(machine);
  if (traffic.algorithm == Algorithm::Tree) inside *= m_constants[TreeShare];
  if (traffic.algorithm == Algorithm::Tree && traffic.nodes == 2) {
    across = std::min(across, m_constants.of(TreePairBandwidthFirst, machine.generation) / nic);
  }
  if (isMulticast(traffic.algorithm)) {
    inside = machine.generation == Generation::Hopper ? m_constants[MulticastShareHopper]
                                                      : m_constants[MulticastShareBlackwell];
  }
  if (isChain(traffic.collective)) {
    // Chains gain over the rings of their machine, but nothing is faster than its links. Over PCIe a chain of two gains
    // much, since nobody both sends and receives; in a longer one all but its ends do.
    const double chain = m_constants[ChainShare];
    const bool oneWay = machine.hostLinked && traffic.members == 2;
    inside = std::min(1.0, inside * chain * (oneWay ? m_constants[HostChainShare] : 1));
    across = std::min(1.0, across * chain);
  }
  double share = 1;
  if (protocol == Protocol::LL) {
    share = m_constants[ShareLL] * (ncclHas(NcclFeature::WideLL, machine) ? 1 : narrowLL());
  } else if (protocol == Protocol::LL128) {
    share = m_constants[ShareLL128];
  }
  return {inside * share, across * share, share};
}

/// Bytes/s of a device on PCIe that both sends to other nodes and receives from them; 0 where nothing such is known.
double NcclModel::hostBothWays(const Traffic& traffic) const {
  const LibraryView& machine = *traffic.machine;
  if (!machine.hostLinked || traffic.nodes == 1 || localMembers(traffic) > 1 || isChain(traffic.collective)) return 0;
  const bool pcie5 = machine.generation == Generation::Hopper || machine.generation == Generation::Blackwell;
  return m_constants[HostBothWays] * (pcie5 ? 2 : 1);
}

double NcclModel::movingSeconds(const Traffic& traffic, const Moving& moving, Protocol protocol) const {
  const Shares shares = this->shares(traffic, moving.nic, protocol);
  double seconds = std::max(moving.inside / shares.inside, moving.across / shares.across);
  if (const double rate = hostBothWays(traffic); rate > 0)
    seconds = std::max(seconds, moving.most / rate / shares.protocol);
  if (protocol != Protocol::LL) return seconds;
  return std::max(seconds, moving.most / (m_constants[MostLL] * shareOfMostLL(*traffic.machine, traffic.nodes)));
}

}  // namespace p2
