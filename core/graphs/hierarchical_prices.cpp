// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/hierarchical_prices.h"

#include <algorithm>
#include <cmath>

#include "explore/explore.h"
#include "system/interconnects.h"

namespace p2 {
namespace {

/// With proportional times any number of bytes will do.
constexpr int kAnyExponent = 30;

std::size_t cheapest(const std::vector<double>& seconds) {
  return static_cast<std::size_t>(std::min_element(seconds.begin(), seconds.end()) - seconds.begin());
}

}  // namespace

HierarchicalPrices::HierarchicalPrices(const ValidSystem& system, ExploreOptions options, std::stop_token stop)
    : m_topology(std::make_shared<const Topology>(system)), m_options(std::move(options)), m_stop(std::move(stop)) {
  m_options.cost.repeat = 1;
  // What is demanded are all-reduces, and their programs are ranked step by step, whatever else the document asks.
  m_options.goal = ExploreOptions{}.goal;
  m_options.cost.overlap = false;
  const auto all = interconnects(this->system());
  m_hasLatency = std::any_of(all.begin(), all.end(),
                             [&](const auto& placed) { return latencyOf(placed.link, this->system().calibrated) > 0; });
}

Workspace HierarchicalPrices::workspaceFor(const std::vector<std::int64_t>& axes, const AllReduceDemand& demand) const {
  Workspace workspace;
  workspace.system = system();
  workspace.options = m_options;
  workspace.options.cost.bytes = demand.bytes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    workspace.axes.push_back({"axis" + std::to_string(i), axes[i], demand.axes[i]});
  }
  return workspace;
}

/// Below a plain switch everybody is as far from everybody else.
HierarchicalPrices::Signature HierarchicalPrices::signatureOf(const ParallelismMatrix& matrix,
                                                              const std::vector<bool>& reduced) const {
  Signature lie;
  for (std::size_t level = 0; level < matrix.columns(); ++level) {
    const bool anywhere = m_topology->isUniform() && m_topology->levels()[level].kind == InterconnectKind::Switch;
    std::int64_t stride = 1;
    std::int64_t factors = 1;
    for (std::size_t axis = matrix.rows(); axis-- > 0;) {
      const std::int64_t factor = matrix.at(axis, level);
      if (reduced[axis] && factor > 1) {
        factors *= factor;
        // Axes that lie side by side are to their group as one.
        const bool goesOn = !anywhere && !lie.empty() && lie.back() > 0 && stride == lie.back() * lie[lie.size() - 2];
        if (goesOn) {
          lie[lie.size() - 2] *= factor;
        } else if (!anywhere) {
          lie.insert(lie.end(), {factor, stride});
        }
      }
      stride *= factor;
    }
    lie.insert(lie.end(), {factors, 0});
  }
  return lie;
}

const std::vector<HierarchicalPrices::Group*>& HierarchicalPrices::groupsOf(const Reduced& reduced) {
  if (const auto known = m_groupsOf.find(reduced); known != m_groupsOf.end()) return known->second;
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < reduced.first.size(); ++i) {
    axes.push_back({"axis" + std::to_string(i), reduced.first[i], reduced.second[i]});
  }
  std::vector<Group*> groups;
  MatrixEnumerator enumerator(reduced.first, system().counts());
  while (enumerator.next()) {
    const ParallelismMatrix& matrix = enumerator.matrix();
    groups.push_back(
        &m_groups.try_emplace(signatureOf(matrix, reduced.second), Group{Placement(axes, matrix)}).first->second);
  }
  return m_groupsOf.emplace(reduced, std::move(groups)).first->second;
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

Result<double> HierarchicalPrices::simulated(Group& group, const Goal& goal, int exponent) {
  const std::pair asked{goal.name, exponent};
  if (const auto known = group.seconds.find(asked); known != group.seconds.end()) return known->second;
  if (m_stop.stop_requested()) return cancelledError();
  if (!group.pricer) {
    group.hierarchy = std::make_shared<const SynthesisHierarchy>(system(), group.placement);
    group.pricer = std::make_unique<PatternPricer>(*m_topology, *group.hierarchy, m_options.cost, m_stop);
  }
  P2_TRY_ASSIGN(CheapestProgram* const programs, programsFor(*group.hierarchy, goal));
  group.pricer->setBytes(Bytes(std::ldexp(1.0, exponent)));
  const auto found = programs->find(*group.pricer, m_stop);
  if (m_stop.stop_requested()) return cancelledError();
  // Without a program of so few steps the single collective is all there is.
  const double seconds = found ? found->seconds : group.pricer->price(singleSteps(*group.hierarchy, goal)[0]).seconds;
  if (m_stop.stop_requested()) return cancelledError();
  return group.seconds.emplace(asked, seconds).first->second;
}

Result<double> HierarchicalPrices::secondsOn(const Placement& placement, const Goal& goal, int exponent) {
  std::vector<bool> reduced;
  for (const Axis& axis : placement.axes()) reduced.push_back(axis.reduce);
  const Signature lie = signatureOf(placement.matrix(), reduced);
  return simulated(m_groups.try_emplace(lie, Group{placement}).first->second, goal, exponent);
}

Result<HierarchicalPrices::Curve> HierarchicalPrices::priced(const std::vector<std::int64_t>& axes,
                                                             const AllReduceDemand& demand) {
  const int exponent = m_hasLatency ? std::max(0, std::ilogb(demand.bytes.value())) : kAnyExponent;
  const double share = demand.bytes / Bytes(std::ldexp(1.0, exponent));
  Curve seconds;
  for (Group* group : groupsOf({axes, demand.axes})) {
    P2_TRY_ASSIGN(const double low, simulated(*group, kAllReduceGoal, exponent));
    if (!m_hasLatency) {
      seconds.push_back(low * share);
      continue;
    }
    P2_TRY_ASSIGN(const double high, simulated(*group, kAllReduceGoal, exponent + 1));
    seconds.push_back(low + (high - low) * std::max(0.0, share - 1));
  }
  return seconds;
}

Result<HierarchicalPrices::Curve> HierarchicalPrices::pricedTogether(const std::vector<std::int64_t>& axes,
                                                                     const std::vector<AllReduceDemand>& demands) {
  Curve total;
  for (const AllReduceDemand& demand : demands) {
    P2_TRY_ASSIGN(const auto seconds, priced(axes, demand));
    total.resize(seconds.size(), 0);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += demand.times * seconds[i];
  }
  return total;
}

Result<double> HierarchicalPrices::seconds(const std::vector<std::int64_t>& axes,
                                           const std::vector<AllReduceDemand>& demands) {
  if (demands.empty()) return 0.0;
  P2_TRY_ASSIGN(const auto total, pricedTogether(axes, demands));
  return total[cheapest(total)];
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

}  // namespace p2
