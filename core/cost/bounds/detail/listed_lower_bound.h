// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <span>

#include "cost/bounds/detail/cut_survey.h"
#include "cost/bounds/detail/max_flow.h"
#include "synthesis/synthesis_hierarchy.h"
#include "system/topology.h"

namespace p2::inline cost {

/// placementLowerBound() in a system whose links are listed, for a vector of one byte. The topology must outlive it.
class ListedLowerBound {
 public:
  /// The hierarchy is of the kind ReductionAxes.
  ListedLowerBound(const Topology& topology, const SynthesisHierarchy& hierarchy, Collective collective);

  /// The larger of byInstances() and, in systems of up to kMostFlowDevices devices, byFlows().
  [[nodiscard]] LeastTime least();
  /// The cuts of a CutSurvey, and in the rings of the levels also the runs of neighbours, unless they are long.
  [[nodiscard]] LeastTime byInstances();
  /// All cuts that separate one member of each group from the others, or from the first of each, whichever number it
  /// has. Times up to `known` need not be found. Also what both directions of a cut that was found ask for.
  [[nodiscard]] LeastTime byFlows(double known);

 private:
  using Vertex = LinkGraph::Vertex;

  /// Bytes that have to leave some devices, each its own.
  struct Task {
    std::vector<double> bytes;  // by device
    std::set<Device> goals;     // the devices that they must get away to
    bool backwards = false;     // they come from the goals instead
  };

  void considerRings(std::size_t level);
  void considerCuttings(std::size_t level, std::span<const Part> parts);
  [[nodiscard]] static Part runOf(std::span<const Part> ring, std::size_t first, std::size_t length);
  /// The disjoint parts of one sum.
  void consider(std::span<const Part> parts, const std::string& name);
  void consider(const Cut& cut);
  void nameShards(const SynthesisHierarchy& hierarchy);
  [[nodiscard]] std::map<std::int32_t, std::map<std::int64_t, std::int64_t>> holdersIn(
      const std::vector<std::int32_t>& part) const;
  /// Where the sum is scattered in shards that have replicas (m_shardOf).
  [[nodiscard]] CutDemand shardDemandOf(const Cut& cut) const;

  [[nodiscard]] Task spreading(std::size_t goal, bool backwards) const;
  [[nodiscard]] Task sending(std::size_t goal, bool backwards) const;
  void considerCuts(const Task& task);
  [[nodiscard]] Part tightestCut(const Task& task) const;

  const Topology& m_topology;
  Collective m_collective;
  std::vector<DeviceGroup> m_groups;
  CutGroups m_grouped;
  std::vector<std::int64_t> m_shardOf;  // by device; empty unless shards have replicas
  std::int64_t m_replicas = 1;          // copies of a shard
  CutSurvey m_survey;
  CutSurvey::Demands m_demands;
  LeastTime m_least;
};

}  // namespace p2::inline cost
