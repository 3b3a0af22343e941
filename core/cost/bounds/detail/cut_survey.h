// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cost/bounds/detail/cut_demand.h"
#include "cost/bounds/detail/link_cuts.h"
#include "synthesis/synthesis_hierarchy.h"
#include "system/topology.h"

namespace p2::inline cost {

/// Links in one direction, or in both.
struct CutBorder {
  double bandwidth = 0;
  std::string over;  ///< names of their interconnects
  friend bool operator==(const CutBorder&, const CutBorder&) = default;
};

/// Disjoint parts of a system and the links around them; a direction without a bound is missing.
struct Cut {
  std::string name;
  std::vector<std::vector<std::int32_t>> parts;  ///< devices
  std::int64_t repeats = 1;                      ///< nodes; `parts` are in the first
  bool reduces = false;                          ///< whether a switch between the parts adds up
  std::optional<CutBorder> out;
  std::optional<CutBorder> in;
  std::optional<CutBorder> both;
};

/// Groups of a placement by device.
struct CutGroups {
  std::vector<std::int32_t> groupOf;  ///< by device
  std::vector<bool> isFirst;          ///< by device
  std::int64_t size = 1;
  std::int64_t groups = 1;

  /// The hierarchy is of the kind ReductionAxes. O(devices).
  [[nodiscard]] static CutGroups of(const SynthesisHierarchy& hierarchy, std::int64_t devices);
};

/// Replaces `least` by the time that the cut needs, if that is longer.
void keepLonger(const Cut& cut, const CutDemand& demand, LeastTime& least);

/// Cuts of a system with listed links: every instance of every level and network, and all instances of one together, in
/// the whole system and in each instance of an outer level; over a torus also runs of its places up to the half. The
/// demand across them depends on the placement, their links do not, so cuts are found once for all placements.
class CutSurvey {
 public:
  /// Where all nodes are equal, the cuts inside the first node stand for all. The topology must have listed links and
  /// outlive it. O((vertices + links) · (levels + networks)).
  CutSurvey(const Topology& topology, Collective collective);
  /// Cuts of messages that stay within these ranges of devices, node by node.
  CutSurvey(const Topology& topology, Collective collective, std::vector<DeviceRange> ranges);

  /// The longest time that a cut needs, for a vector of one byte. O(devices · (levels + networks)) time,
  /// O(devices) memory.
  [[nodiscard]] LeastTime least(const SynthesisHierarchy& hierarchy) const;

  [[nodiscard]] const std::vector<Cut>& cuts() const { return m_found; }
  [[nodiscard]] const LinkCuts& links() const { return m_cuts; }
  /// Vertices of the devices first … last−1.
  [[nodiscard]] Part instance(const DeviceRange& devices) const { return m_cuts.instance(devices); }
  /// One more cut, between disjoint parts of the system; none where no link leaves or enters them.
  [[nodiscard]] std::optional<Cut> cutOf(std::span<const Part> parts, const std::string& name, std::int64_t repeats);
  /// "node 1", or its first device and how many more.
  [[nodiscard]] std::string nameOf(const Part& part) const;

  /// Finds the demand across cuts, one after the other.
  class Demands {
   public:
    Demands(const CutSurvey& survey, const CutGroups& groups);
    /// O(devices of the cut).
    [[nodiscard]] CutDemand of(const Cut& cut);

   private:
    struct Held {
      std::int32_t group = 0;
      std::int32_t members = 0;  // in all parts
      std::int32_t parts = 0;
      std::int32_t inside = 0;  // in the current part
      bool root = false;
      CutDemand apart;
    };
    void addPart(const std::vector<std::int32_t>& part, std::int32_t shift);

    const CutSurvey& m_survey;
    const CutGroups& m_groups;
    std::vector<Held> m_held;
    std::vector<std::int32_t> m_touched;  // places in m_held, of the current part
    std::vector<std::int32_t> m_slot;     // by group: place in m_held, −1 for none
  };

 private:
  void find();
  void considerLevel(std::size_t level);
  void considerNetworks();
  void considerRuns(const TorusRoutes& torus);
  void consider(std::span<const Part> parts, std::int64_t repeats, const std::function<std::string()>& name);
  [[nodiscard]] bool isLikeDeviceBefore(const Cut& cut);
  [[nodiscard]] CutBorder borderOf(const std::vector<LinkId>& links, std::int64_t repeats);
  /// "NIC and rail", by interconnect.
  [[nodiscard]] std::string namesOf(const std::vector<std::pair<Place::Kind, std::size_t>>& owners) const;
  [[nodiscard]] bool overlap(std::span<const Part> parts) const;
  [[nodiscard]] std::vector<std::int32_t> devicesOf(const Part& part) const;
  [[nodiscard]] bool nodesAreEqual() const;

  const Topology& m_topology;
  Collective m_collective;
  LinkCuts m_cuts;
  std::vector<Device> m_deviceAt;  // by vertex
  std::int64_t m_node = 0;         // devices of a node that stands for all; 0 where none does
  Part m_rest;                     // vertices in the other nodes
  std::vector<Cut> m_found;
  bool m_devicesAreEqual = false;         // whether all devices of a group send and receive as much
  std::optional<std::size_t> m_ofDevice;  // the last cut around one device, in m_found
  // Interconnects of the last border and their names: most borders of a system have the same.
  std::vector<std::pair<Place::Kind, std::size_t>> m_lastOwners;
  std::string m_lastOver;
};

}  // namespace p2::inline cost
