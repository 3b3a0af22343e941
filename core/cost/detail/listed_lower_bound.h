// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <span>

#include "cost/detail/cut_demand.h"
#include "cost/detail/link_cuts.h"
#include "cost/detail/max_flow.h"
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
  /// Every instance of every level and network, and all instances of one together, in the whole system and below each
  /// instance of an outer level. In the rings of the levels also the runs of neighbours, unless they are long.
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

  void considerLevel(std::size_t level);
  void considerRings(std::size_t level, std::span<const Part> parts);
  void considerCuttings(std::size_t level, std::span<const Part> parts);
  [[nodiscard]] static Part runOf(std::span<const Part> ring, std::size_t first, std::size_t length);
  void considerNetworks();
  /// The disjoint parts of one sum.
  void consider(std::span<const Part> parts, const std::string& name);
  [[nodiscard]] bool overlap(std::span<const Part> parts) const;
  [[nodiscard]] CutDemand demandOf(std::span<const Part> parts);
  void nameShards(const SynthesisHierarchy& hierarchy);
  [[nodiscard]] std::map<std::size_t, std::map<std::int64_t, std::int64_t>> holdersIn(const Part& part) const;
  /// Where the sum is scattered in shards that have replicas (m_shardOf).
  [[nodiscard]] CutDemand shardDemandOf(std::span<const Part> parts);
  void keep(double seconds, const std::string& name, const std::vector<LinkId>& links);

  [[nodiscard]] Task spreading(std::size_t goal, bool backwards) const;
  [[nodiscard]] Task sending(std::size_t goal, bool backwards) const;
  void considerCuts(const Task& task);
  [[nodiscard]] Part tightestCut(const Task& task) const;
  [[nodiscard]] std::string nameOf(const Part& part) const;

  const Topology& m_topology;
  Collective m_collective;
  std::vector<DeviceGroup> m_groups;
  std::vector<std::size_t> m_groupOf;   // by device
  std::vector<std::int64_t> m_shardOf;  // by device; empty unless shards have replicas
  std::int64_t m_replicas = 1;          // copies of a shard
  std::vector<Device> m_deviceAt;       // by vertex; none for others
  LinkCuts m_cuts;
  LeastTime m_least;
};

}  // namespace p2::inline cost
