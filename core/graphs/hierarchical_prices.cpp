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

/// The matrix of that number in enumeration order.
ParallelismMatrix matrixAt(const System& system, const std::vector<std::int64_t>& axes, std::size_t index) {
  MatrixEnumerator enumerator(axes, system.counts());
  for (std::size_t i = 0; i <= index; ++i) enumerator.next();
  return enumerator.matrix();
}

}  // namespace

HierarchicalPrices::HierarchicalPrices(ValidSystem system, ExploreOptions options, std::stop_token stop)
    : m_topology(std::make_shared<const Topology>(std::move(system))),
      m_options(std::move(options)),
      m_stop(std::move(stop)) {
  m_options.cost.repeat = 1;
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

Result<const HierarchicalPrices::Curve*> HierarchicalPrices::simulated(const Key& key) {
  if (const auto known = m_curves.find(key); known != m_curves.end()) return &known->second;
  ExploreScope scope;
  scope.programsPerPlacement = 0;
  P2_TRY_ASSIGN(const auto exploration,
                exploreOn(m_topology, workspaceFor(key.axes, {key.reduced, Bytes(std::ldexp(1.0, key.exponent))}),
                          scope, false, m_stop));
  Curve seconds;
  for (const PlacementResult& placement : exploration->placements) seconds.push_back(placement.bestSeconds);
  return &m_curves.emplace(key, std::move(seconds)).first->second;
}

Result<HierarchicalPrices::Curve> HierarchicalPrices::priced(const std::vector<std::int64_t>& axes,
                                                             const AllReduceDemand& demand) {
  const int exponent = m_hasLatency ? std::max(0, std::ilogb(demand.bytes.value())) : kAnyExponent;
  P2_TRY_ASSIGN(const auto low, simulated({axes, demand.axes, exponent}));
  Curve seconds = *low;
  const double share = demand.bytes / Bytes(std::ldexp(1.0, exponent));
  if (!m_hasLatency) {
    for (double& each : seconds) each *= share;
    return seconds;
  }
  P2_TRY_ASSIGN(const auto high, simulated({axes, demand.axes, exponent + 1}));
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    seconds[i] += ((*high)[i] - seconds[i]) * std::max(0.0, share - 1);
  }
  return seconds;
}

Result<HierarchicalPrices::Curve> HierarchicalPrices::pricedTogether(const std::vector<std::int64_t>& axes,
                                                                     const std::vector<AllReduceDemand>& demands) {
  Curve total;
  for (const AllReduceDemand& demand : demands) {
    P2_TRY_ASSIGN(const auto seconds, priced(axes, demand));
    total.resize(seconds.size(), 0);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += seconds[i];
  }
  return total;
}

Result<double> HierarchicalPrices::seconds(const std::vector<std::int64_t>& axes,
                                           const std::vector<AllReduceDemand>& demands) {
  if (demands.empty()) return 0.0;
  P2_TRY_ASSIGN(const auto total, pricedTogether(axes, demands));
  return total[cheapest(total)];
}

Result<HierarchicalPrices::Placed> HierarchicalPrices::place(const std::vector<std::int64_t>& axes,
                                                             const std::vector<AllReduceDemand>& demands) {
  P2_TRY_ASSIGN(const auto total, pricedTogether(axes, demands));
  Placed placed;
  placed.matrix = matrixAt(system(), axes, cheapest(total));
  for (const AllReduceDemand& demand : demands) {
    Workspace workspace = workspaceFor(axes, demand);
    workspace.matrix = placed.matrix;
    ExploreScope scope;
    scope.programsPerPlacement = 1;
    P2_TRY_ASSIGN(const auto exploration, exploreOn(m_topology, workspace, scope, true, m_stop));
    const PlacementResult& placement = exploration->placements[0];
    placed.programs.push_back(
        {programText(*placement.hierarchy, placement.programs[0].program), placement.programs[0].seconds});
  }
  return placed;
}

}  // namespace p2
