// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/mesh_prices.h"

namespace p2::inline mapping {

const Goal& goalOf(MeshCollective collective) {
  switch (collective) {
    case MeshCollective::ReduceScatter:
      return kReduceScatterGoal;
    case MeshCollective::AllReduce:
      return kAllReduceGoal;
    case MeshCollective::AllToAll:
      return kAllToAllGoal;
    case MeshCollective::AllGather:
      return kAllGatherGoal;
  }
  return kAllReduceGoal;
}

Result<double> SimulatedMeshPricer::secondsAt(const Mesh& mesh, MeshCollective collective, MeshAxes axes, Bytes bytes) {
  return m_prices.secondsOn(Placement(mesh.axes(axes), mesh.matrix), goalOf(collective), bytes);
}

MeshPrices::MeshPrices(const Mesh& mesh, MeshPricer& pricer)
    : m_mesh(mesh), m_pricer(pricer), m_shares(sharesOf(mesh)) {}

Result<double> MeshPrices::seconds(MeshCollective collective, MeshAxes axes, Bytes bytes) {
  if (m_shares.of[axes] == 1 || bytes <= Bytes(0)) return 0.0;
  auto& known = m_known[static_cast<std::size_t>(collective)][axes];
  if (const auto found = known.find(bytes.value()); found != known.end()) return found->second;
  P2_TRY_ASSIGN(const double seconds, m_pricer.secondsAt(m_mesh, collective, axes, bytes));
  known.emplace(bytes.value(), seconds);
  return seconds;
}

Result<double> MeshPrices::seconds(const Redistribution& redistribution, Bytes bytesPerElement) {
  double sum = 0;
  for (std::size_t i = 0; i < kMeshCollectives; ++i) {
    const Redistribution::Step& step = redistribution.steps[i];
    if (step.axes == 0) continue;
    P2_TRY_ASSIGN(const double seconds,
                  seconds(static_cast<MeshCollective>(i), step.axes, step.elements * bytesPerElement));
    sum += seconds;
  }
  return sum;
}

}  // namespace p2::inline mapping
