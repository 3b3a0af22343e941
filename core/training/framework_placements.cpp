// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/framework_placements.h"

#include <algorithm>

#include "step/framework_orders.h"
#include "training/detail/nccl_prices.h"

namespace p2::inline training {
namespace {

std::optional<ExpertRouting> routingOf(const ModelShape& model) {
  if (model.experts == 0) return std::nullopt;
  return ExpertRouting{model.experts, model.expertsPerToken, model.groupsPerToken, model.expertGroups};
}

Result<std::shared_ptr<NcclGroups>> groupsOn(const System& system) {
  P2_TRY_ASSIGN(const auto valid, validated(system));
  return std::make_shared<NcclGroups>(std::make_shared<const Topology>(valid));
}

}  // namespace

PlacementPricer frameworkPlacements(const ModelShape& model, const System& system) {
  const auto groups = groupsOn(system);
  return [&model, &system, groups](const TrainingFramework& framework, const TrainingConfiguration& configuration,
                                   std::stop_token) -> Result<std::vector<PricedPlacement>> {
    if (!groups.ok()) return groups.error();
    std::vector<PricedPlacement> placements;
    P2_TRY_ASSIGN(const auto mesh, trainingMesh(model, configuration.plan));
    const auto priced = [&](const ParallelismMatrix& matrix) {
      return std::make_shared<NcclPrices>(*groups, mesh, matrix, routingOf(model));
    };
    for (const FrameworkOrder& order : frameworkOrders(system, mesh.axes, std::vector<double>(mesh.axes.size(), 0))) {
      const auto& offered = framework.orders;
      if (order.matrix.empty() || std::find(offered.begin(), offered.end(), order.name) == offered.end()) continue;
      const auto same = std::find_if(placements.begin(), placements.end(),
                                     [&](const PricedPlacement& each) { return each.matrix == order.matrix; });
      if (same != placements.end()) {
        same->orders.push_back(order.name);
      } else {
        placements.push_back({mesh.axes, order.matrix, {order.name}, priced(order.matrix)});
      }
    }
    return placements;
  };
}

}  // namespace p2::inline training
