// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost.
#pragma once

#include <optional>

#include "cost/detail/cut_demand.h"
#include "cost/detail/link_cuts.h"
#include "synthesis/synthesis_hierarchy.h"
#include "system/topology.h"

namespace p2::inline cost {

/// The cuts of ListedLowerBound::byInstances() on a large system, found once for all placements: what crosses them
/// depends on the placement, the links that do so do not. Where all nodes are equal, those inside the first node stand
/// for all.
class CutSurvey {
 public:
  /// The topology must have listed links and outlive it. O((vertices + links) · (levels + networks)).
  CutSurvey(const Topology& topology, Collective collective);

  /// As ListedLowerBound::byInstances(). The hierarchy is of the kind ReductionAxes and without replicated levels.
  /// O(devices · (levels + networks)).
  [[nodiscard]] LeastTime least(const SynthesisHierarchy& hierarchy) const;

 private:
  /// Links in one direction, or in both.
  struct Border {
    double bandwidth = 0;
    std::string over;  ///< names of their interconnects
  };
  struct Cut {
    std::string name;
    std::vector<std::vector<std::int32_t>> parts;  ///< devices
    std::int64_t repeats = 1;                      ///< nodes; `parts` are in the first
    bool reduces = false;
    std::optional<Border> out;
    std::optional<Border> in;
    std::optional<Border> both;
  };
  /// Groups of a placement by device.
  struct Grouped {
    std::vector<std::int32_t> groupOf;
    std::vector<bool> isFirst;
    std::int64_t size = 1;
    std::int64_t groups = 1;
  };

  void considerLevel(std::size_t level);
  void considerNetworks();
  void consider(std::span<const Part> parts, const std::string& name, std::int64_t repeats);
  [[nodiscard]] Border borderOf(const std::vector<LinkId>& links, std::int64_t repeats) const;
  [[nodiscard]] bool overlap(std::span<const Part> parts) const;
  [[nodiscard]] std::string nameOf(const Part& part) const;
  [[nodiscard]] std::vector<std::int32_t> devicesOf(const Part& part) const;
  [[nodiscard]] CutDemand demandOf(const Cut& cut, const Grouped& grouped) const;
  [[nodiscard]] bool nodesAreEqual() const;

  const Topology& m_topology;
  Collective m_collective;
  LinkCuts m_cuts;
  std::vector<Device> m_deviceAt;  // by vertex
  std::int64_t m_node = 0;         // devices of a node that stands for all; 0 where none does
  Part m_rest;                     // vertices in the other nodes
  std::vector<Cut> m_found;
};

}  // namespace p2::inline cost
