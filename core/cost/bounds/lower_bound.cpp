// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/bounds/lower_bound.h"

#include "base/units.h"
#include "cost/bounds/detail/cut_survey.h"
#include "cost/bounds/detail/listed_lower_bound.h"
#include "cost/bounds/detail/uniform_lower_bound.h"

namespace p2::inline cost {

LowerBound placementLowerBound(const Topology& topology, const Placement& placement, Collective collective,
                               const CostOptions& options) {
  return PlacementLowerBounds(topology, collective).of(placement, options);
}

PlacementLowerBounds::PlacementLowerBounds(const Topology& topology, Collective collective)
    : m_topology(topology), m_collective(collective) {}

PlacementLowerBounds::~PlacementLowerBounds() = default;

LowerBound PlacementLowerBounds::of(const Placement& placement, const CostOptions& options) {
  if (placement.groupSize() < 2) return {};
  const SynthesisHierarchy hierarchy(*m_topology.system(), placement);
  const bool surveyed = !m_topology.isUniform() && m_topology.deviceCount() > kMostFlowDevices &&
                        (m_collective != Collective::ReduceScatter || hierarchy.replicatedLevels() == 0);
  if (surveyed && !m_survey) m_survey = std::make_unique<CutSurvey>(m_topology, m_collective);
  const LeastTime least = surveyed                 ? m_survey->least(hierarchy)
                          : m_topology.isUniform() ? uniformLowerBound(m_topology, hierarchy, m_collective)
                                                   : ListedLowerBound(m_topology, hierarchy, m_collective).least();
  return {least.seconds * options.bytes.value() * options.repeat, least.where};
}

std::string timesLowerBound(double seconds, const LowerBound& limit) {
  return limit.seconds > 0 ? formatFactor(seconds / limit.seconds) + " the lower bound" : "";
}

bool isAtLowerBound(double seconds, const LowerBound& limit) {
  return limit.seconds > 0 && seconds <= 1.05 * limit.seconds;
}

}  // namespace p2::inline cost
