// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/unit_routes.h"

#include <algorithm>
#include <bit>

namespace p2::inline system {
namespace {

/// Pairs of devices whose routes are kept (64 MiB), and different routes, at most. Others are searched for each time.
constexpr std::size_t kMostEntries = std::size_t{1} << 24;
constexpr std::size_t kMostHops = std::size_t{1} << 20;

}  // namespace

std::unique_ptr<UnitRoutes> UnitRoutes::of(const LinkGraph& graph) {
  if (!repeatsByNode(graph.system())) return nullptr;
  std::unique_ptr<UnitRoutes> made(new UnitRoutes(graph));
  if (!made->attach() || !made->classify()) return nullptr;
  return made;
}

UnitRoutes::UnitRoutes(const LinkGraph& graph) : m_graph(graph) {
  const System& system = graph.system();
  m_sizes.push_back(system.deviceCount());
  for (std::size_t level = 0; level < nodeDepth(system); ++level) {
    m_sizes.push_back(m_sizes.back() / system.levels[level].count);
  }
  for (const Network& network : system.networks) m_depths.push_back(depthWithin(system, network.within));
}

/// The instance that a place is, or stands in, no deeper than the units.
std::pair<std::size_t, std::int64_t> UnitRoutes::enclosureOf(const Place& place) const {
  const System& system = m_graph.system();
  std::size_t depth = place.index;
  std::int64_t instance = place.instance;
  if (place.kind == Place::Kind::Level) ++depth;
  if (place.kind == Place::Kind::Network) {
    depth = m_depths[place.index];
    instance /= system.networks[place.index].instances;
  }
  for (; depth > this->depth(); --depth) instance /= system.levels[depth - 1].count;
  return {depth, instance};
}

bool UnitRoutes::attach() {
  std::vector<std::vector<std::size_t>> counts;
  for (const std::int64_t size : m_sizes) counts.emplace_back(static_cast<std::size_t>(m_sizes.front() / size) + 1, 0);
  for (const LinkGraph::Link& link : m_graph.links()) {
    auto deeper = enclosureOf(link.from);
    auto outer = enclosureOf(link.to);
    if (deeper.first < outer.first) std::swap(deeper, outer);
    if (deeper.second * m_sizes[deeper.first] / m_sizes[outer.first] != outer.second) return false;
    const auto at = static_cast<std::size_t>(deeper.second);
    m_attachments.push_back({static_cast<std::uint8_t>(deeper.first), deeper.second,
                             static_cast<std::int32_t>(counts[deeper.first][at]++)});
  }
  for (const std::vector<std::size_t>& each : counts) {
    Lists& lists = m_attached.emplace_back();
    std::size_t sum = 0;
    for (const std::size_t count : each) {
      lists.begins.push_back(sum);
      sum += count;
    }
    lists.items.resize(sum);
  }
  for (std::size_t i = 0; i < m_attachments.size(); ++i) {
    const Attachment& own = m_attachments[i];
    Lists& lists = m_attached[own.depth];
    lists.items[lists.begins[static_cast<std::size_t>(own.instance)] + static_cast<std::size_t>(own.index)] =
        LinkId(static_cast<std::int64_t>(i));
    const Attachment& shared = m_attachments[m_graph.links()[i].resource.index()];
    m_hasSharedLinks = m_hasSharedLinks || shared.depth != own.depth || shared.instance != own.instance;
  }
  return true;
}

/// Number of a place as seen from an instance that it is in, or that it is around.
std::int64_t UnitRoutes::relative(const Place& place, std::size_t depth, std::int64_t instance) const {
  const System& system = m_graph.system();
  const auto enclosure = enclosureOf(place);
  const bool isAround = place.kind == Place::Kind::Level ? place.index + 1 <= depth : enclosure.first < depth;
  const std::int64_t each =
      place.kind == Place::Kind::Network ? system.networks[place.index].instances : std::int64_t{1};
  if (isAround) return place.instance % each;
  std::int64_t inside = each;
  std::size_t at = place.kind == Place::Kind::Network ? m_depths[place.index] : place.index;
  if (place.kind == Place::Kind::Level) ++at;
  for (; at > depth; --at) inside *= system.levels[at - 1].count;
  return place.instance - instance * inside;
}

std::vector<std::int64_t> UnitRoutes::signatureOf(std::size_t depth, std::int64_t instance) const {
  std::vector<std::int64_t> signature;
  const auto add = [&](const Place& place) {
    signature.push_back(static_cast<std::int64_t>(place.kind));
    signature.push_back(static_cast<std::int64_t>(place.index));
    signature.push_back(relative(place, depth, instance));
  };
  const Lists& lists = m_attached[depth];
  const auto at = static_cast<std::size_t>(instance);
  for (std::size_t i = lists.begins[at]; i < lists.begins[at + 1]; ++i) {
    const LinkGraph::Link& link = m_graph.link(lists.items[i]);
    add(link.from);
    add(link.to);
    signature.push_back(static_cast<std::int64_t>(link.role));
    signature.push_back(std::bit_cast<std::int64_t>(link.bandwidth));
    signature.push_back(std::bit_cast<std::int64_t>(link.latency));
  }
  return signature;
}

bool UnitRoutes::classify() {
  std::vector<std::int32_t> classes{0};
  for (std::size_t depth = 1; depth <= this->depth(); ++depth) {
    std::map<std::pair<std::int32_t, std::vector<std::int64_t>>, std::int32_t> known;
    std::vector<std::int32_t> next;
    const std::int64_t count = m_sizes.front() / m_sizes[depth];
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t outer = i * m_sizes[depth] / m_sizes[depth - 1];
      auto key = std::pair(classes[static_cast<std::size_t>(outer)], signatureOf(depth, i));
      const auto [at, isNew] = known.try_emplace(std::move(key), static_cast<std::int32_t>(known.size()));
      next.push_back(at->second);
    }
    m_classCount = static_cast<std::int32_t>(known.size());
    if (m_classCount > kMostClasses) return false;
    classes = std::move(next);
  }
  m_classes = std::move(classes);
  return true;
}

std::size_t UnitRoutes::parting(std::int64_t one, std::int64_t other) const {
  if (one == other) return depth() + 1;
  std::size_t depth = 1;
  while (instanceAt(depth, one) == instanceAt(depth, other)) ++depth;
  return depth;
}

std::int32_t& UnitRoutes::entry(Device from, Device to) {
  const std::int64_t size = unitDevices();
  const std::int64_t source = from.value() / size;
  const std::int64_t target = to.value() / size;
  const std::int64_t pair = std::int64_t{classOf(source)} * kMostClasses + classOf(target);
  const std::int64_t key =
      pair * static_cast<std::int64_t>(kMostLevels + 2) + static_cast<std::int64_t>(parting(source, target));
  if (key != m_lastKey) {
    const auto pairs = static_cast<std::size_t>(size * size);
    const auto known = m_entries.find(key);
    if (known == m_entries.end() && (m_entries.size() + 1) * pairs > kMostEntries) {
      static thread_local std::int32_t searchedEachTime = kElsewhere;
      return searchedEachTime;
    }
    m_lastEntries =
        known == m_entries.end() ? &m_entries.emplace(key, std::vector(pairs, kUnknown)).first->second : &known->second;
    m_lastKey = key;
  }
  return (*m_lastEntries)[static_cast<std::size_t>(from.value() % size * size + to.value() % size)];
}

std::optional<UnitRoutes::Hops> UnitRoutes::hopsOf(Device from, Device to, const std::vector<LinkId>& links) const {
  Hops hops;
  for (const LinkId id : links) {
    const Attachment& own = m_attachments[id.index()];
    if (own.depth == 0) {
      hops.push_back({false, 0, static_cast<std::int32_t>(id.value())});
      continue;
    }
    const std::int64_t size = m_sizes[own.depth];
    const bool atSource = from.value() / size == own.instance;
    if (!atSource && to.value() / size != own.instance) return {};
    hops.push_back({!atSource, own.depth, own.index});
  }
  return hops;
}

std::int32_t UnitRoutes::kept(Device from, Device to, const std::vector<LinkId>& links) {
  auto hops = hopsOf(from, to, links);
  if (!hops) return kElsewhere;
  if (m_hops.size() >= kMostHops && !m_numbers.contains(*hops)) return kElsewhere;
  const auto [at, isNew] = m_numbers.try_emplace(std::move(*hops), static_cast<std::int32_t>(m_hops.size()));
  if (isNew) m_hops.push_back(&at->first);
  return at->second;
}

bool repeatsByNode(const System& system) {
  const std::size_t depth = nodeDepth(system);
  if (depth == 0 || depth >= system.levels.size()) return false;
  const auto hub = [](const Interconnect& link) {
    return link.kind == InterconnectKind::Switch || link.kind == InterconnectKind::Bus;
  };
  std::int64_t unit = 1;
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    const Level& own = system.levels[level];
    if (level >= depth) unit *= own.count;
    const bool joins = own.count > 1 && own.interconnect.kind != InterconnectKind::None;
    if (level < depth && joins && !hub(own.interconnect)) return false;
  }
  const bool hubs = std::all_of(system.networks.begin(), system.networks.end(), [&](const Network& network) {
    return depthWithin(system, network.within) >= depth || hub(network.interconnect);
  });
  return hubs && unit <= kMostUnitDevices;
}

}  // namespace p2::inline system
