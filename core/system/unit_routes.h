// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "system/link_graph.h"

namespace p2::inline system {

/// Routes between the devices of equal nodes, each searched for once for all nodes of the same class. Nodes are of one
/// class where their links, and the links of the instances around them, have the same figures and ends: in a machine
/// without degraded parts there is one class. Applies where no link joins two nodes directly.
class UnitRoutes {
 public:
  /// A link of a route: of an instance around one of its ends, by its place among the links attached to that.
  struct Hop {
    bool atTarget = false;   ///< attached to what holds the target, else the source
    std::uint8_t depth = 0;  ///< levels around the instance, as in placeName(); 0 for the system: `index` is the link
    std::int32_t index = 0;
    friend auto operator<=>(const Hop&, const Hop&) = default;
  };
  using Hops = std::vector<Hop>;

  /// The routes of a graph; null where they do not repeat: one node, rings or meshes of nodes, over kMostUnitDevices
  /// devices in a node, over kMostClasses classes. The graph must outlive it. O(links).
  [[nodiscard]] static std::unique_ptr<UnitRoutes> of(const LinkGraph& graph);

  [[nodiscard]] std::int64_t unitDevices() const { return m_sizes.back(); }
  [[nodiscard]] std::int64_t unitCount() const { return static_cast<std::int64_t>(m_classes.size()); }
  /// Levels down to the nodes, these included.
  [[nodiscard]] std::size_t depth() const { return m_sizes.size() - 1; }
  /// The instance around a unit, `depth` levels down; the unit itself at depth().
  [[nodiscard]] std::int64_t instanceAt(std::size_t depth, std::int64_t unit) const {
    return unit * unitDevices() / m_sizes[depth];
  }
  /// The first depth at which two units are in different instances; depth() + 1 for the same unit.
  [[nodiscard]] std::size_t parting(std::int64_t one, std::int64_t other) const;
  [[nodiscard]] std::int32_t classOf(std::int64_t unit) const { return m_classes[static_cast<std::size_t>(unit)]; }
  [[nodiscard]] std::int32_t classCount() const { return m_classCount; }
  /// Whether links of different instances share one bandwidth, as the ports of a shared switch between nodes do: the
  /// load of one of these links then says nothing about the bandwidth that is left.
  [[nodiscard]] bool hasSharedLinks() const { return m_hasSharedLinks; }
  /// The link attached to an instance at a depth above 0.
  [[nodiscard]] LinkId link(std::size_t depth, std::int64_t instance, std::int32_t index) const {
    const Lists& lists = m_attached[depth];
    return lists.items[lists.begins[static_cast<std::size_t>(instance)] + static_cast<std::size_t>(index)];
  }
  /// The link that a hop stands for on a route between two units.
  [[nodiscard]] LinkId link(const Hop& hop, std::int64_t from, std::int64_t to) const {
    if (hop.depth == 0) return LinkId(hop.index);
    return link(hop.depth, instanceAt(hop.depth, hop.atTarget ? to : from), hop.index);
  }

  /// The links of a route between two devices as hops; none where it passes through other nodes. O(links).
  [[nodiscard]] std::optional<Hops> hopsOf(Device from, Device to, const std::vector<LinkId>& links) const;

  /// The route between two devices; null where it passes through other nodes, and beyond the routes that are kept: at
  /// most 16 million pairs and a million different routes. `search` finds the links of a route and is called once for a
  /// class of pairs. Equal routes are one object. Not thread-safe.
  template <class Search>
  const Hops* hops(Device from, Device to, const Search& search) {
    std::int32_t& known = entry(from, to);
    if (known == kUnknown) known = kept(from, to, search(from, to));
    return known < 0 ? nullptr : m_hops[static_cast<std::size_t>(known)];
  }

 private:
  /// Links by instance of one depth, ascending.
  struct Lists {
    std::vector<LinkId> items;
    std::vector<std::size_t> begins;
  };
  /// Places of a link: the depth, and the instance there, to which it is attached.
  struct Attachment {
    std::uint8_t depth = 0;
    std::int64_t instance = 0;
    std::int32_t index = 0;
  };
  static constexpr std::int32_t kUnknown = -1;
  static constexpr std::int32_t kElsewhere = -2;

  explicit UnitRoutes(const LinkGraph& graph);
  [[nodiscard]] bool attach();
  [[nodiscard]] bool classify();
  [[nodiscard]] std::pair<std::size_t, std::int64_t> enclosureOf(const Place& place) const;
  [[nodiscard]] std::int64_t relative(const Place& place, std::size_t depth, std::int64_t instance) const;
  [[nodiscard]] std::vector<std::int64_t> signatureOf(std::size_t depth, std::int64_t instance) const;
  [[nodiscard]] std::int32_t& entry(Device from, Device to);
  [[nodiscard]] std::int32_t kept(Device from, Device to, const std::vector<LinkId>& links);

  const LinkGraph& m_graph;
  std::vector<std::int64_t> m_sizes;      // by depth: devices of an instance
  std::vector<std::size_t> m_depths;      // by network
  std::vector<Attachment> m_attachments;  // by link
  std::vector<Lists> m_attached;          // by depth
  std::vector<std::int32_t> m_classes;    // by unit
  std::int32_t m_classCount = 0;
  bool m_hasSharedLinks = false;
  std::unordered_map<std::int64_t, std::vector<std::int32_t>> m_entries;  // by classes and parting, then both devices
  std::map<Hops, std::int32_t> m_numbers;
  std::vector<const Hops*> m_hops;  // by number: keys of m_numbers
  std::int64_t m_lastKey = -1;
  std::vector<std::int32_t>* m_lastEntries = nullptr;
};

/// Whether routes repeat from node to node as far as levels and networks tell: UnitRoutes::of() without listing links.
[[nodiscard]] bool repeatsByNode(const System& system);

/// Largest number of devices of a node, and most classes of nodes, with routes kept by class.
inline constexpr std::int64_t kMostUnitDevices = 512;
inline constexpr std::int32_t kMostClasses = 1024;

}  // namespace p2::inline system
