// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/hierarchical_prices.h"

#include <algorithm>

#include "explore/explore.h"
#include "placement/group_signature.h"
#include "system/interconnects.h"

namespace p2::inline graphs {
HierarchicalPrices::HierarchicalPrices(const ValidSystem& system, ExploreOptions options, std::stop_token stop)
    : m_topology(std::make_shared<const Topology>(system)), m_options(std::move(options)), m_stop(std::move(stop)) {
  m_options.cost.repeat = 1;
  m_options.goal = ExploreOptions{}.goal;
  m_options.cost.overlap = false;
}

Result<CheapestProgram*> HierarchicalPrices::programsFor(const SynthesisHierarchy& hierarchy, const Goal& goal) {
  const std::pair shape{goal.name, synthesisShape(hierarchy, m_options.rules).sizes};
  auto known = m_programs.find(shape);
  if (known == m_programs.end()) {
    P2_TRY_ASSIGN(const auto graph,
                  StateGraph::build(shape.second, m_options.rules, m_options.sizeLimit, m_stop, goal));
    known = m_programs.emplace(shape, CheapestProgram(graph, m_options.sizeLimit)).first;
  }
  return &known->second;
}

Result<double> HierarchicalPrices::simulated(Group& group, const Goal& goal, Bytes bytes) {
  const std::pair asked{goal.name, bytes.value()};
  if (const auto known = group.seconds.find(asked); known != group.seconds.end()) return known->second;
  if (m_stop.stop_requested()) return cancelledError();
  if (!group.pricer) {
    group.hierarchy = std::make_shared<const SynthesisHierarchy>(system(), group.placement);
    group.pricer = std::make_unique<PatternPricer>(*m_topology, *group.hierarchy, m_options.cost, m_stop);
  }
  P2_TRY_ASSIGN(CheapestProgram* const programs, programsFor(*group.hierarchy, goal));
  group.pricer->setBytes(bytes);
  const auto found = programs->find(*group.pricer, m_stop);
  if (m_stop.stop_requested()) return cancelledError();
  const double seconds = found ? found->seconds : group.pricer->price(singleSteps(*group.hierarchy, goal)[0]).seconds;
  if (m_stop.stop_requested()) return cancelledError();
  return group.seconds.emplace(asked, seconds).first->second;
}

Result<double> HierarchicalPrices::secondsOn(const Placement& placement, const Goal& goal, Bytes bytes) {
  AxisSet reduced = 0;
  for (std::size_t axis = 0; axis < placement.axes().size(); ++axis) {
    if (placement.axes()[axis].reduce) reduced |= AxisSet{1} << axis;
  }
  const std::vector<std::int64_t> signature = groupSignature(*m_topology, placement.matrix(), reduced);
  return simulated(m_groups.try_emplace(signature, Group{placement}).first->second, goal, bytes);
}

Result<HierarchicalPrices::Program> HierarchicalPrices::programOn(const Placement& placement, const Goal& goal,
                                                                  Bytes bytes) {
  Workspace workspace;
  workspace.system = system();
  workspace.options = m_options;
  workspace.options.goal = goal;
  workspace.options.cost.bytes = bytes;
  workspace.axes = placement.axes();
  workspace.matrix = placement.matrix();
  ExploreScope scope;
  scope.programsPerPlacement = 1;
  P2_TRY_ASSIGN(const auto exploration, exploreOn(m_topology, workspace, scope, true, m_stop));
  const PlacementResult& found = exploration->placements[0];
  if (found.programs.empty()) return Program{};
  return Program{programText(*found.hierarchy, found.programs[0].program), found.programs[0].seconds};
}

}  // namespace p2::inline graphs
