// SPDX-License-Identifier: GPL-3.0-or-later
// The wires of networks to their members, or to what these are folded into.
#include <algorithm>
#include <map>
#include <optional>

#include "system/link_graph.h"
#include "views/common/text.h"
#include "views/system/drawn_parts.h"
#include "views/system/link_names.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;
using Kind = SystemPart::Kind;

constexpr std::int64_t kMostFollowed = 4096;  // members behind one anchor; more has no valid system

struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// One line: from an anchor to an instance of the network, for all members behind that anchor.
struct Wire {
  std::size_t anchor = 0;
  std::size_t bar = 0;
  std::vector<Place> members;
  std::vector<std::int64_t> instances;  // instances of the network, one per member
  std::vector<std::size_t> orders;      // of each member among its instance's visible ones
};

class NetworkWires {
 public:
  NetworkWires(DrawnParts& parts, std::size_t network)
      : m_parts(parts), m_index(network), m_network(parts.system().networks[network]) {
    m_within = levelIndex(parts.system(), m_network.within);
  }

  /// Finds the wires, counts them by anchor, and returns how many links they stand for.
  std::size_t find(std::map<std::size_t, std::size_t>& all) {
    const bool mesh = m_network.interconnect.kind == InterconnectKind::Mesh;
    std::size_t links = 0;
    for (const Member& member : m_network.members) collect(member);
    for (Wire& wire : m_wires) {
      ++all[wire.anchor];
      for (std::size_t i = 0; i < wire.members.size(); ++i) {
        std::vector<Place>& members = m_members[wire.instances[i]];
        links += mesh ? 2 * members.size() : 2;
        wire.orders.push_back(members.size());
        members.push_back(wire.members[i]);
      }
    }
    return links;
  }

  void draw(const std::map<std::size_t, std::size_t>& all, std::map<std::size_t, std::size_t>& before, bool named) {
    for (const Wire& wire : m_wires) add(wire, before[wire.anchor]++, all.at(wire.anchor), named);
  }

 private:
  /// The instances of a part that an anchor stands for.
  [[nodiscard]] std::optional<Range> covered(const Anchor& anchor, const SystemPart& part) const {
    if (anchor.kind == part.kind && anchor.index == part.index) return Range{anchor.first, anchor.last};
    if (!anchor.folded || anchor.kind != Kind::Level || part.kind == Kind::Interconnect) return std::nullopt;
    const System& system = m_parts.system();
    const int standsIn = part.kind == Kind::Network
                             ? levelIndex(system, system.networks[std::size_t(part.index)].within)
                             : part.index - 1;
    if (standsIn < anchor.index) return std::nullopt;
    const std::int64_t each = instancesWithin(system, part, anchor.index);
    return Range{anchor.first * each, anchor.last * each};
  }

  void collect(const Member& member) {
    const SystemPart part = partNamed(m_parts.system(), member.of);
    if (part.index < 0) return;
    const std::int64_t each = instancesWithin(m_parts.system(), part, m_within);
    const std::int64_t left = std::max<std::int64_t>(each - member.first, 0);
    const std::int64_t count = member.count == 0 ? left : std::min(member.count, left);
    if (each < 1 || count < 1 || m_network.instances < 1) return;
    for (std::size_t i = 0; i < m_parts.anchors().size(); ++i) {
      const auto range = covered(m_parts.anchors()[i], part);
      if (!range) continue;
      const std::int64_t last = std::min(range->last, range->first + kMostFollowed);
      for (std::int64_t instance = range->first; instance < last; ++instance) {
        const std::int64_t order = instance % each - member.first;
        if (order < 0 || order >= count) continue;
        const bool inTurn = m_network.assignment == Network::Assignment::InTurn;
        const std::int64_t to = inTurn ? order % m_network.instances : order * m_network.instances / count;
        join(i, {part.kind, std::size_t(part.index), instance}, instance / each * m_network.instances + to);
      }
    }
  }

  void join(std::size_t anchor, const Place& member, std::int64_t instance) {
    const auto bar = barOf(instance);
    if (!bar || *bar == anchor) return;
    auto wire = std::find_if(m_wires.begin(), m_wires.end(),
                             [&](const Wire& one) { return one.anchor == anchor && one.bar == *bar; });
    if (wire == m_wires.end()) {
      m_wires.push_back({anchor, *bar, {}, {}, {}});
      wire = m_wires.end() - 1;
    }
    wire->members.push_back(member);
    wire->instances.push_back(instance);
  }

  [[nodiscard]] std::optional<std::size_t> barOf(std::int64_t instance) const {
    const auto& anchors = m_parts.anchors();
    for (std::size_t i = 0; i < anchors.size(); ++i) {
      const Anchor& anchor = anchors[i];
      const bool own = anchor.kind == Kind::Network && anchor.index == int(m_index);
      if (own && anchor.first <= instance && instance < anchor.last) return i;
    }
    return std::nullopt;
  }

  /// Wires of one anchor are side by side; wires from rails have a column of their own each.
  [[nodiscard]] QPolygonF lineOf(const Wire& wire, std::size_t order, std::size_t all) const {
    const Anchor& from = m_parts.anchors()[wire.anchor];
    const Anchor& to = m_parts.anchors()[wire.bar];
    if (from.rail) {
      const std::int64_t column = m_parts.anchors()[wire.anchor].first % std::max<std::int64_t>(railsOf(from), 1);
      const double x = from.rect.right() - double(std::min(column, kMostAbreast) + 1) * kTap;
      return QPolygonF({QPointF(x, from.rect.center().y()), QPointF(x, to.rect.top())});
    }
    const double x = from.rect.left() + from.rect.width() * double(order + 1) / double(all + 1);
    const bool down = from.rect.center().y() < to.rect.center().y();
    const double start = down ? from.rect.bottom() : from.rect.top();
    if (to.rail) return QPolygonF({QPointF(x, start), QPointF(x, to.rect.center().y())});
    const double end =
        std::clamp(x, to.rect.left() + kPadding, std::max(to.rect.left() + kPadding, to.rect.right() - kPadding));
    return QPolygonF({QPointF(x, start), QPointF(end, down ? to.rect.top() : to.rect.bottom())});
  }

  [[nodiscard]] std::int64_t railsOf(const Anchor& rail) const {
    return m_parts.system().networks[std::size_t(rail.index)].instances;
  }

  /// The names that routes have for the links of a wire.
  [[nodiscard]] std::vector<std::string> namesOf(const Wire& wire) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < wire.members.size(); ++i) {
      const std::vector<Place>& members = m_members.at(wire.instances[i]);
      const Place owner{Kind::Network, m_index, wire.instances[i]};
      const Place& next = members[(wire.orders[i] + 1) % members.size()];
      const auto more = linkNames(m_parts.system(), owner, wire.members[i], next, members);
      names.insert(names.end(), more.begin(), more.end());
    }
    return names;
  }

  void add(const Wire& wire, std::size_t order, std::size_t all, bool named) {
    const System& system = m_parts.system();
    const Anchor& to = m_parts.anchors()[wire.bar];
    const auto name = [&](const Place& place) { return qs(placeName(system, place)); };
    Shape shape{Shape::Kind::Link, {Kind::Network, int(m_index), wire.instances.front(), true}};
    shape.line = lineOf(wire, order, all);
    shape.rail = to.rail;
    if (to.rail && m_network.interconnect.colour < 0) {
      shape.colour = int(wire.instances.front() % m_network.instances);
    }
    if (named) shape.part.names = namesOf(wire);
    if (m_network.instances > 1) shape.figure = m_network.interconnect.bandwidth;
    const QString words = bandwidthWords(m_network.interconnect);
    const QString bar =
        to.folded ? interconnectName(m_network.interconnect) : name({Kind::Network, m_index, wire.instances.front()});
    shape.name = wire.members.size() == 1 ? drawingTr("%1 ↔ %2, %3").arg(name(wire.members.front()), bar, words)
                                          : drawingTr("%1 … %2 ↔ %3: %4 links, %5")
                                                .arg(name(wire.members.front()), name(wire.members.back()), bar)
                                                .arg(wire.members.size())
                                                .arg(words);
    m_parts.add(std::move(shape));
  }

  DrawnParts& m_parts;
  std::size_t m_index;
  const Network& m_network;
  int m_within = -1;
  std::vector<Wire> m_wires;
  std::map<std::int64_t, std::vector<Place>> m_members;  // in sight, by instance of the network
};

}  // namespace

void joinMembers(DrawnParts& parts) {
  std::vector<NetworkWires> networks;
  std::map<std::size_t, std::size_t> all;
  std::size_t links = 0;
  for (std::size_t i = 0; i < parts.system().networks.size(); ++i) links += networks.emplace_back(parts, i).find(all);
  // Of more links than these there are no routes that could name one.
  const bool named = links <= kMostLinks;
  std::map<std::size_t, std::size_t> before;
  for (NetworkWires& network : networks) network.draw(all, before, named);
}

}  // namespace p2::views
