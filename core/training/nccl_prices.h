// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "cost/pattern_pricer.h"
#include "placement/placement.h"
#include "training/communication.h"
#include "workload/generate/training_mesh.h"
#include "workload/workload.h"

namespace p2 {

/// Prices of the collectives that frameworks run, one for each group, on the drawn links of a placement by a model of
/// core/cost: nccl unless the system has no generation. The traffic of a group is found once for each collective; after
/// that a price is one call of the model, whatever the number of devices. May be asked by several threads, which
/// then wait for one another.
class NcclPrices : public CommunicationPrices {
 public:
  /// The mesh is trainingMesh() of the plan, the matrix a placement of its axes on the topology's system. Tokens go to
  /// their experts once for every node where `routing` says how many experts a token has.
  NcclPrices(std::shared_ptr<const Topology> topology, const TrainingMesh& mesh, const ParallelismMatrix& matrix,
             const std::optional<ExpertRouting>& routing);

  [[nodiscard]] double seconds(TrainingGroup group, CommunicationKind kind, double bytes) const override;
  [[nodiscard]] std::string busiestLink(TrainingGroup group, CommunicationKind kind) const override;

 private:
  /// Groups of one sort, and the traffic that is known of them.
  struct Groups {
    std::unique_ptr<SynthesisHierarchy> hierarchy;
    std::unique_ptr<PatternPricer> pricer;
    std::optional<Traffic> shift;
  };
  [[nodiscard]] Groups& groupsOf(TrainingGroup group) const;
  [[nodiscard]] double collective(Groups& groups, CommunicationKind kind, double bytes) const;
  [[nodiscard]] double allToAll(Groups& groups, const GroupPattern& pattern, double bytes) const;
  [[nodiscard]] double shift(Groups& groups, double bytes) const;
  [[nodiscard]] double dispatch(Groups& groups, double bytes) const;

  std::shared_ptr<const Topology> m_topology;
  TrainingMesh m_mesh;
  ParallelismMatrix m_matrix;
  std::optional<ExpertRouting> m_routing;
  CostOptions m_options;
  mutable std::mutex m_mutex;
  mutable std::array<std::unique_ptr<Groups>, kTrainingGroups> m_groups;
};

/// The order of axes that a framework's ranks have by default, tensor innermost, then context, experts and data, the
/// pipeline outermost, as a placement of the mesh on a system. Errors: axes that do not multiply to the devices, levels
/// that the axes cannot be cut along.
[[nodiscard]] Result<ParallelismMatrix> defaultPlacement(const System& system, const TrainingMesh& mesh);

}  // namespace p2
