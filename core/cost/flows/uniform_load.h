// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cost/flows/detail/pattern_geometry.h"
#include "cost/flows/link_loads.h"

namespace p2::inline cost {

/// The traffic of a pattern's groups in closed form: in a system with uniform levels, the groups below an instance are
/// counted from the pattern's geometry instead of being visited, so the time does not depend on the number of devices
/// below a switch. Equals ListedLoad, flow by flow. For hierarchies of the kind ReductionAxes.
class UniformLoad {
 public:
  UniformLoad(const Topology& topology, const LibraryView& machine, const SynthesisHierarchy& hierarchy,
              const GroupPattern& pattern);

  /// Traffic::loads for a vector of one byte, with groups that work on `shares` of it (see StateEdge).
  [[nodiscard]] std::vector<LinkLoad> loads(FlowShape shape, const std::vector<GroupShare>& shares) const;
  /// Traffic::own for the same, with the caps that a model has for the shape's algorithm.
  [[nodiscard]] std::vector<LinkLoad> ownLoads(FlowShape shape, const std::vector<GroupShare>& shares,
                                               std::span<const double> caps) const;
  [[nodiscard]] Hops hops(Collective collective, FlowShape shape) const;
  [[nodiscard]] ChannelPath path() const;
  /// Nodes that a group spans.
  [[nodiscard]] std::int64_t nodes() const { return m_groupSize / localMembers(); }

 private:
  /// Instances that are equal for the groups passing through them.
  struct InstanceClass {
    LevelSet nonFirst = 0;
    std::int64_t lowest = 0;  ///< the lowest such instance
  };
  /// Flows of one group between places of one ring, all below the same parent.
  struct RingTraffic {
    struct PlaceFlow {
      std::int64_t from;
      std::int64_t to;
      double weight;
    };
    std::int64_t firstMember = 0;  ///< first member of the group below that parent
    std::vector<PlaceFlow> flows;
  };
  /// What each group that passes a port sends through it, at the port where that is most.
  struct PortUse {
    double weight = 0;
    std::int64_t member = 0;  ///< member of a group based at device 0, below that port's instance
  };
  class Busiest;
  /// The flows whose bytes count in a link's load.
  enum class Of { AllGroups, OneFlow };
  struct Shares {
    const std::vector<GroupShare>& each;
    Of of = Of::AllGroups;
  };
  /// Largest traffic of a group between two devices over a level's ports, the lowest ports among equals.
  struct LargestFlow {
    double weight = 0;
    std::int64_t member = 0;
    bool down = false;
  };
  /// Heads of chains that are neighbours in the double binary tree.
  struct HeadEdge {
    std::int64_t a;
    std::int64_t b;
    double weight;
  };
  /// Change from one link to the next, by direction and place of a ring.
  using RingChange = std::array<std::vector<double>, 2>;

  [[nodiscard]] std::vector<InstanceClass> instanceClasses(std::size_t depth, const Shares& shares) const;
  [[nodiscard]] double shareOf(LevelSet nonFirst, const Shares& shares) const;
  [[nodiscard]] std::vector<LinkLoad> busiestLinks(FlowShape shape, const Shares& shares) const;
  [[nodiscard]] double weightBelow(std::size_t depth, LevelSet nonFirst, const Shares& shares) const;
  [[nodiscard]] std::int64_t chainLength() const { return localMembers(); }
  [[nodiscard]] std::int64_t headCount() const { return m_groupSize / chainLength(); }
  [[nodiscard]] std::int64_t instanceOf(std::int64_t member, std::size_t depth) const;

  void addPorts(std::size_t level, FlowShape shape, const Shares& shares, Busiest& busiest) const;
  void addChainPorts(std::size_t level, const Shares& shares, Busiest& busiest) const;
  void addRing(std::size_t level, FlowShape shape, const Shares& shares, Busiest& busiest) const;
  static void addTo(RingChange& change, const RingTraffic::PlaceFlow& flow, std::int64_t base, double weight);
  static void considerRing(const RingChange& change, std::int64_t parent, Busiest& busiest);
  [[nodiscard]] std::vector<RingTraffic> ringTraffic(std::size_t level, FlowShape shape) const;
  [[nodiscard]] LargestFlow largestFlow(std::size_t level, FlowShape shape) const;
  [[nodiscard]] static std::vector<HeadEdge> headEdges(std::int64_t heads);
  [[nodiscard]] std::vector<RingTraffic> chainTraffic(std::size_t level, bool up) const;
  [[nodiscard]] std::vector<RingTraffic> spreadTraffic(std::size_t level) const;
  [[nodiscard]] std::vector<RingTraffic> treeTraffic(std::size_t level, std::int64_t chain) const;
  [[nodiscard]] bool isInside(std::size_t level) const;
  [[nodiscard]] std::int64_t localMembers() const;
  [[nodiscard]] PortUse channelPort(std::size_t level, FlowShape shape) const;
  [[nodiscard]] std::vector<RingTraffic> channelRing(std::size_t level, FlowShape shape) const;
  [[nodiscard]] double slowestHop(FlowShape shape) const;

  const Topology& m_topology;
  const LibraryView& m_machine;
  std::vector<std::int64_t> m_sizes;
  PatternGeometry m_geometry;
  std::int64_t m_groupSize = 1;
};

}  // namespace p2::inline cost
