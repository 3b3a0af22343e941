// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/placement_bound.h"

#include <algorithm>
#include <numeric>

#include "training/accelerator_data.h"

namespace p2::inline training {

NodeLinks nodeLinksOf(const System& system) {
  NodeLinks made;
  made.devices = devicesPerNode(system);
  made.outside = outsideOf(system);
  return made;
}

double ReachedNodes::of(const ExpertRouting& routing, std::int64_t nodes) {
  const auto [known, isNew] = m_known.try_emplace({routing, nodes}, 0);
  if (isNew) known->second = expectedNodes(routing, nodes);
  return known->second;
}

double ReachedNodes::deduplicated(double bytes, const ExpertRouting& routing, std::int64_t nodes) {
  return bytes / static_cast<double>(routing.expertsPerToken) * of(routing, nodes);
}

double outsideSecondsAtLeast(CommunicationKind kind, double bytes, std::int64_t across, std::int64_t inside,
                             double outside, const std::optional<ExpertRouting>& routing, ReachedNodes& reached) {
  if (across <= 1 || outside <= 0) return 0;
  const double leaving = static_cast<double>(across - 1) / static_cast<double>(across);
  switch (kind) {
    case CommunicationKind::AllGather:
    case CommunicationKind::ReduceScatter:
    case CommunicationKind::AllReduce:
      return bytes * leaving / static_cast<double>(inside) / outside;
    case CommunicationKind::Dispatch:
      return (routing ? std::min(bytes, reached.deduplicated(bytes, *routing, across)) : bytes) * leaving / outside;
    default:
      return 0;
  }
}

double LeastOnAnyPlacement::seconds(TrainingGroup group, CommunicationKind kind, double bytes) const {
  if (bytes <= 0 || m_nodes.outside <= 0 || group == TrainingGroup::Pipeline || group == TrainingGroup::Ends) return 0;
  const std::int64_t members = membersOf(group, m_plan);
  const std::int64_t inside = std::gcd(members, m_nodes.devices);
  return outsideSecondsAtLeast(kind, bytes, members / inside, inside, m_nodes.outside, m_routing, m_reached);
}

std::optional<ExpertRouting> routingOf(const ModelShape& model, ExpertDispatch dispatch) {
  if (model.experts == 0 || dispatch == ExpertDispatch::AllToAll) return std::nullopt;
  return ExpertRouting{model.experts, model.expertsPerToken, model.groupsPerToken, model.expertGroups};
}

}  // namespace p2::inline training
