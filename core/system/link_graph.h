// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/strong_id.h"
#include "system/place.h"

namespace p2::inline system {

/// A directed link of a system: its number in the LinkGraph or in closed form, see Topology.
using LinkId = StrongId<struct LinkTag>;

/// Every directed link of a system and the vertices between them: the way out of and into every instance, the hubs of
/// switches and buses, and the points where a message enters and leaves forwarding rings and meshes. Ways out and in
/// are separate vertices, so that no device forwards a message of another network.
class LinkGraph {
 public:
  using Vertex = std::int32_t;

  enum class Role { Up, Down, Next, Previous, Pair, Core };

  struct Link {
    Vertex tail = 0;
    Vertex head = 0;
    LinkId resource;       ///< the lowest of the links that share one bandwidth; itself when none does
    double bandwidth = 0;  ///< bytes/s
    double latency = 0;    ///< seconds
    Role role = Role::Up;
    Place from;
    Place to;
    Place owner;         ///< the interconnect it belongs to
    DeviceRange within;  ///< devices of the enclosure that stands in
  };

  /// The links of a system whose levels and networks have been checked. Errors: a name in `disabled` that nothing
  /// bears, more than 2 kMostLinks, devices that no way connects. O(vertices + links), as long as some hub joins all
  /// devices.
  [[nodiscard]] static Result<std::shared_ptr<const LinkGraph>> build(std::shared_ptr<const System> system);

  [[nodiscard]] const System& system() const { return *m_system; }
  [[nodiscard]] const std::vector<Link>& links() const { return m_links; }
  [[nodiscard]] const Link& link(LinkId id) const { return m_links[id.index()]; }
  /// Whether any links share a bandwidth.
  [[nodiscard]] bool sharesBandwidth() const { return m_sharesBandwidth; }

  [[nodiscard]] Vertex vertexCount() const { return static_cast<Vertex>(m_ranges.size()); }
  [[nodiscard]] Vertex wayOut(Device device) const { return m_wayOut[device.index()]; }
  [[nodiscard]] Vertex wayIn(Device device) const { return m_wayIn[device.index()]; }
  /// The devices among which a message can meet the vertex.
  [[nodiscard]] const DeviceRange& within(Vertex vertex) const { return m_ranges[static_cast<std::size_t>(vertex)]; }

  /// The device of its node that carries a device's traffic to other nodes, or from them, because parts on its own way
  /// are out of order; itself where none are.
  [[nodiscard]] Device relayOut(Device device) const { return relayOf(m_relaysOut, device); }
  [[nodiscard]] Device relayIn(Device device) const { return relayOf(m_relaysIn, device); }
  /// All devices that have one.
  [[nodiscard]] const std::map<Device, Device>& relaysOut() const { return m_relaysOut; }
  [[nodiscard]] const std::map<Device, Device>& relaysIn() const { return m_relaysIn; }

  /// Numbers of the links that leave or enter a vertex, ascending.
  [[nodiscard]] std::span<const std::int32_t> leaving(Vertex vertex) const { return m_leaving.of(vertex); }
  [[nodiscard]] std::span<const std::int32_t> entering(Vertex vertex) const { return m_entering.of(vertex); }
  /// The vertices that a message at this one is at as well, and those that have this one among them.
  [[nodiscard]] std::span<const Vertex> joinedTo(Vertex vertex) const { return m_joinedTo.of(vertex); }
  [[nodiscard]] std::span<const Vertex> joinedFrom(Vertex vertex) const { return m_joinedFrom.of(vertex); }

 private:
  /// One list per vertex, all in one piece of memory.
  struct Lists {
    std::vector<std::int32_t> items;
    std::vector<std::size_t> begins;  // one more than there are vertices
    [[nodiscard]] std::span<const std::int32_t> of(Vertex vertex) const {
      const auto at = static_cast<std::size_t>(vertex);
      return {items.data() + begins[at], begins[at + 1] - begins[at]};
    }
  };

  static Device relayOf(const std::map<Device, Device>& relays, Device device) {
    const auto found = relays.find(device);
    return found == relays.end() ? device : found->second;
  }

  std::shared_ptr<const System> m_system;
  std::map<Device, Device> m_relaysOut;
  std::map<Device, Device> m_relaysIn;
  std::vector<Link> m_links;
  bool m_sharesBandwidth = false;
  std::vector<DeviceRange> m_ranges;
  std::vector<Vertex> m_wayOut;
  std::vector<Vertex> m_wayIn;
  Lists m_leaving;
  Lists m_entering;
  Lists m_joinedTo;
  Lists m_joinedFrom;
  friend class LinkGraphBuilder;
};

/// "node 2 ↑", "gpu 5 of node 1 → next", "NIC 0 of node 2 → PCIe switch 1 of node 2": unique, for people.
[[nodiscard]] std::string linkName(const System& system, const LinkGraph::Link& link);

/// Largest number of links that drawings name one by one: a mesh of 724 devices. Twice as many are listed.
inline constexpr std::size_t kMostLinks = std::size_t{1} << 19;

}  // namespace p2::inline system
