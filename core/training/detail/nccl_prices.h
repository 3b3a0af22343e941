// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "cost/pattern_pricer.h"
#include "placement/placement.h"
#include "synthesis/state_graph.h"
#include "training/detail/communication.h"
#include "training/detail/placement_bound.h"
#include "workload/generate/training_mesh.h"
#include "workload/workload.h"

namespace p2::inline training {

/// Traffic of groups on one topology, shared by placements with the same groups: a search over degrees meets the same
/// groups again and again, tp 8 inside a node with every division of the nodes. Groups are the same where the factors
/// of their axes are at the same digits of the levels, for any names of the other axes.
class NcclGroups {
 public:
  explicit NcclGroups(std::shared_ptr<const Topology> topology);
  [[nodiscard]] const std::shared_ptr<const Topology>& topology() const { return m_topology; }
  /// Sorts of groups that were asked for.
  [[nodiscard]] std::size_t count() const;

 private:
  friend class NcclPrices;
  /// A collective of groups.
  struct Sent {
    CommunicationKind kind;
    bool betweenEnds;                      ///< ends of a pipeline
    std::optional<ExpertRouting> routing;  ///< for a dispatch
    double bytes;
    friend bool operator==(const Sent&, const Sent&) = default;
  };
  struct SentHash {
    std::size_t operator()(const Sent& sent) const {
      return std::hash<double>()(sent.bytes) * 31 + static_cast<std::size_t>(sent.kind) * 2 +
             (sent.betweenEnds ? 1 : 0);
    }
  };
  /// Groups of one sort, with their traffic as far as it was asked for.
  struct Groups {
    std::unique_ptr<SynthesisHierarchy> hierarchy;
    std::unique_ptr<PatternPricer> pricer;
    std::optional<Traffic> shift;
    std::map<CommunicationKind, std::vector<StateEdge>> steps;
    unsigned priced = 0;  ///< kinds whose traffic is known, a bit for each
    /// Seconds per byte of a gather over all rings of a torus at once, 0 where collectives do not run so.
    std::optional<double> torusGather;
    /// Prices that were asked for, by bytes: placements of many configurations send the same.
    std::unordered_map<Sent, double, SentHash> known;
    [[nodiscard]] bool isPriced(CommunicationKind kind) const {
      return (priced >> static_cast<unsigned>(kind) & 1) != 0;
    }
  };
  std::shared_ptr<const Topology> m_topology;
  const TorusRoutes* m_torus = nullptr;  ///< where the accelerators' compiler uses all rings of a torus at once
  mutable std::mutex m_mutex;
  std::map<std::string, std::unique_ptr<Groups>> m_known;
  ReachedNodes m_reached;
};

/// Prices of the collectives that frameworks run, one for each group, on the drawn links of a placement by a model of
/// core/cost: nccl unless the system has no generation. On a torus of TPUs, gathers and reductions use all rings of a
/// group (torus_rings.h), at the share of their bandwidth that public runs on TPUs reach. The traffic of a group is
/// found once for each collective; after that a price is one call of the model, for any number of devices. May be asked
/// by several threads, which then wait for one another.
class NcclPrices : public CommunicationPrices {
 public:
  /// The mesh is trainingMesh() of the plan, the matrix a placement of its axes on the topology's system. Tokens go to
  /// their experts once for every node where `routing` says how many experts a token has.
  NcclPrices(std::shared_ptr<const Topology> topology, const TrainingMesh& mesh, const ParallelismMatrix& matrix,
             const std::optional<ExpertRouting>& routing);
  /// With traffic that other placements on the same topology may have found.
  NcclPrices(std::shared_ptr<NcclGroups> groups, const TrainingMesh& mesh, const ParallelismMatrix& matrix,
             const std::optional<ExpertRouting>& routing);

  [[nodiscard]] double seconds(TrainingGroup group, CommunicationKind kind, double bytes) const override;
  [[nodiscard]] double secondsAtLeast(TrainingGroup group, CommunicationKind kind, double bytes) const override;
  [[nodiscard]] bool isInnermost(TrainingGroup group) const override;
  [[nodiscard]] std::string busiestLink(TrainingGroup group, CommunicationKind kind, double bytes) const override;

 private:
  using Groups = NcclGroups::Groups;
  [[nodiscard]] Groups& groupsOf(TrainingGroup group) const;
  [[nodiscard]] const std::vector<StateEdge>& steps(Groups& groups, CommunicationKind kind) const;
  /// Where the members of a group are.
  struct Reach {
    std::int64_t across = 1;  ///< nodes
    std::int64_t inside = 1;  ///< members in each of them
    bool isInnermost = true;
  };
  // These expect the lock of the shared groups.
  [[nodiscard]] const Reach& reachOf(TrainingGroup group) const;
  [[nodiscard]] double known(Groups& groups, TrainingGroup group, CommunicationKind kind, double bytes) const;
  [[nodiscard]] double priced(Groups& groups, TrainingGroup group, CommunicationKind kind, double bytes) const;
  [[nodiscard]] double collective(Groups& groups, CommunicationKind kind, double bytes) const;
  /// As collective() on a torus of TPUs; none where the kind or the group does not run over all rings.
  [[nodiscard]] std::optional<double> overTorus(Groups& groups, CommunicationKind kind, double bytes) const;
  [[nodiscard]] double allToAll(Groups& groups, const GroupPattern& pattern, double bytes) const;
  [[nodiscard]] double shift(Groups& groups, double bytes) const;
  struct Exchange {
    GroupPattern pattern;
    double seconds = 0;
  };
  struct Exchanges {
    Exchange first;
    Exchange second;  ///< empty where one exchange reaches all experts
    [[nodiscard]] double seconds() const { return first.seconds + second.seconds; }
  };
  /// The faster way of tokens to their experts: a copy for every expert, or a copy for every node over the rail of its
  /// sender, and from there to the experts. Libraries make the same choice.
  [[nodiscard]] Exchanges exchanges(Groups& groups, double bytes) const;
  [[nodiscard]] double dispatch(Groups& groups, double bytes) const;
  [[nodiscard]] GroupPattern longestExchange(Groups& groups, double bytes) const;

  std::shared_ptr<NcclGroups> m_shared;
  const Topology& m_topology;
  TrainingMesh m_mesh;
  ParallelismMatrix m_matrix;
  std::optional<ExpertRouting> m_routing;
  CostOptions m_options;
  double m_outside = 0;         ///< bytes/s that a device can send out of its node
  std::size_t m_nodeDepth = 0;  ///< levels outside a node
  mutable std::array<Groups*, kTrainingGroups> m_groups{};
  mutable std::array<std::optional<Reach>, kTrainingGroups> m_reach{};
};

/// The order of axes that a framework's ranks have by default, tensor innermost, then context, experts and data, the
/// pipeline outermost, as a placement of the mesh on a system. Errors: axes that do not multiply to the devices, levels
/// that the axes cannot be cut along.
[[nodiscard]] Result<ParallelismMatrix> defaultPlacement(const System& system, const TrainingMesh& mesh);

}  // namespace p2::inline training
