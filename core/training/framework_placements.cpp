// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/framework_placements.h"

#include <algorithm>

#include "placement/containment.h"
#include "step/framework_orders.h"
#include "training/detail/nccl_prices.h"
#include "training/detail/placement_bound.h"

namespace p2::inline training {
namespace {

Result<std::shared_ptr<NcclGroups>> groupsOn(const System& system) {
  P2_TRY_ASSIGN(const auto valid, validated(system));
  return std::make_shared<NcclGroups>(std::make_shared<const Topology>(valid));
}

/// Prices the placements of meshes on one system.
class MeshPlacements {
 public:
  MeshPlacements(const ModelShape& model, const System& system)
      : m_model(model), m_system(system), m_groups(groupsOn(system)) {}

  Result<std::vector<PricedPlacement>> ordered(const TrainingFramework& framework,
                                               const TrainingConfiguration& configuration) const {
    P2_TRY_ASSIGN(const auto groups, m_groups);
    P2_TRY_ASSIGN(const auto mesh, trainingMesh(m_model, configuration.plan));
    std::vector<PricedPlacement> placements;
    for (const FrameworkOrder& order : frameworkOrders(m_system, mesh.axes, std::vector<double>(mesh.axes.size(), 0))) {
      const auto& offered = framework.orders;
      if (order.matrix.empty() || std::find(offered.begin(), offered.end(), order.name) == offered.end()) continue;
      const auto same = std::find_if(placements.begin(), placements.end(),
                                     [&](const PricedPlacement& each) { return each.matrix == order.matrix; });
      if (same != placements.end()) {
        same->orders.push_back(order.name);
      } else {
        placements.push_back(
            {mesh.axes, order.matrix, {order.name}, priced(groups, mesh, order.matrix, configuration)});
      }
    }
    return placements;
  }

  Result<std::vector<PricedPlacement>> others(const TrainingFramework& framework,
                                              const TrainingConfiguration& configuration,
                                              const std::stop_token& stop) const {
    P2_TRY_ASSIGN(const auto groups, m_groups);
    P2_TRY_ASSIGN(const auto mesh, trainingMesh(m_model, configuration.plan));
    P2_TRY_ASSIGN(const auto known, ordered(framework, configuration));
    std::vector<PricedPlacement> placements;
    MatrixEnumerator matrices = matricesOf(m_system, mesh.axes);
    while (matrices.next()) {
      if (stop.stop_requested()) return cancelledError();
      const ParallelismMatrix& matrix = matrices.matrix();
      const bool isKnown =
          std::any_of(known.begin(), known.end(), [&](const PricedPlacement& each) { return each.matrix == matrix; });
      if (!isKnown) placements.push_back({mesh.axes, matrix, {}, priced(groups, mesh, matrix, configuration)});
    }
    return placements;
  }

 private:
  [[nodiscard]] std::shared_ptr<const CommunicationPrices> priced(const std::shared_ptr<NcclGroups>& groups,
                                                                  const TrainingMesh& mesh,
                                                                  const ParallelismMatrix& matrix,
                                                                  const TrainingConfiguration& configuration) const {
    return std::make_shared<NcclPrices>(groups, mesh, matrix, routingOf(m_model, configuration.dispatch));
  }

  const ModelShape& m_model;
  const System& m_system;
  Result<std::shared_ptr<NcclGroups>> m_groups;
};

}  // namespace

TrainingPlacements trainingPlacements(const ModelShape& model, const System& system) {
  const auto placements = std::make_shared<const MeshPlacements>(model, system);
  return {[placements](const TrainingFramework& framework, const TrainingConfiguration& configuration,
                       std::stop_token) { return placements->ordered(framework, configuration); },
          [placements](const TrainingFramework& framework, const TrainingConfiguration& configuration,
                       std::stop_token stop) { return placements->others(framework, configuration, stop); }};
}

PlacementPricer frameworkPlacements(const ModelShape& model, const System& system) {
  return trainingPlacements(model, system).orders;
}

}  // namespace p2::inline training
