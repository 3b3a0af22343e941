// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/mesh_prices.h"

#include <algorithm>
#include <cmath>

namespace p2 {
namespace {

/// With proportional times any number of bytes will do.
constexpr int kAnyExponent = 30;
constexpr double kUnknown = -1;

}  // namespace

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

Result<double> SimulatedMeshPricer::secondsAt(const Mesh& mesh, MeshCollective collective, MeshAxes axes,
                                              int exponent) {
  return m_prices.secondsOn(Placement(mesh.axes(axes), mesh.matrix), goalOf(collective), exponent);
}

MeshPrices::MeshPrices(const Mesh& mesh, MeshPricer& pricer)
    : m_mesh(mesh), m_pricer(pricer), m_proportional(pricer.isProportional()) {}

Result<double> MeshPrices::at(MeshCollective collective, MeshAxes axes, int exponent) {
  std::vector<double>& known = m_known[static_cast<std::size_t>(collective)][axes];
  const auto place = static_cast<std::size_t>(exponent);
  if (known.size() <= place) known.resize(place + 1, kUnknown);
  if (known[place] < 0) {
    P2_TRY_ASSIGN(known[place], m_pricer.secondsAt(m_mesh, collective, axes, exponent));
  }
  return known[place];
}

Result<double> MeshPrices::seconds(MeshCollective collective, MeshAxes axes, Bytes bytes) {
  if (m_mesh.sizeOf(axes) == 1 || bytes <= Bytes(0)) return 0.0;
  const int exponent = m_proportional ? kAnyExponent : std::max(0, std::ilogb(bytes.value()));
  const double share = std::ldexp(bytes.value(), -exponent);
  P2_TRY_ASSIGN(const double low, at(collective, axes, exponent));
  if (m_proportional) return low * share;
  P2_TRY_ASSIGN(const double high, at(collective, axes, exponent + 1));
  return low + (high - low) * std::max(0.0, share - 1);
}

Result<double> MeshPrices::seconds(const Redistribution& redistribution, Bytes bytesPerElement) {
  double sum = 0;
  for (std::size_t i = 0; i < kMeshCollectives; ++i) {
    const Redistribution::Step& step = redistribution.steps[i];
    if (step.axes == 0) continue;
    P2_TRY_ASSIGN(const double seconds,
                  seconds(static_cast<MeshCollective>(i), step.axes, step.words * bytesPerElement));
    sum += seconds;
  }
  return sum;
}

}  // namespace p2
