// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/exchange_load.h"

#include <algorithm>

namespace p2::inline cost {

ExchangeLoad::ExchangeLoad(const Topology& topology, std::vector<std::int64_t> nodes, std::vector<std::int64_t> local,
                           const std::optional<RailRelays>& relays)
    : m_topology(topology),
      m_units(*topology.units()),
      m_nodes(std::move(nodes)),
      m_local(std::move(local)),
      m_relays(relays) {}

std::optional<ExchangeLoad> ExchangeLoad::of(const Topology& topology, const DeviceGroup& group,
                                             const std::optional<RailRelays>& relays) {
  if (topology.units() == nullptr) return {};
  const std::int64_t size = topology.units()->unitDevices();
  std::vector<std::int64_t> nodes;
  std::vector<std::int64_t> local;
  for (const Device device : group) {
    const std::int64_t node = device.value() / size;
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
    if (nodes.size() == 1) local.push_back(device.value() % size);
  }
  if (group.size() != nodes.size() * local.size()) return {};
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i].value() != nodes[i / local.size()] * size + local[i % local.size()]) return {};
  }
  return ExchangeLoad(topology, std::move(nodes), std::move(local), relays);
}

ExchangeLoad::Counts ExchangeLoad::countNodes() const {
  Counts counts(m_units.depth() + 1);
  for (const std::int64_t node : m_nodes) {
    for (std::size_t depth = 0; depth < counts.size(); ++depth) {
      ++counts[depth][m_units.instanceAt(depth, node)][m_units.classOf(node)];
    }
  }
  return counts;
}

void ExchangeLoad::eachKind(const Counts& counts, std::int64_t node,
                            const std::function<void(const Kind&, std::int64_t)>& visit) const {
  const std::int32_t own = m_units.classOf(node);
  for (std::size_t parting = 1; parting < counts.size(); ++parting) {
    const auto& outer = counts[parting - 1].at(m_units.instanceAt(parting - 1, node));
    const auto& inner = counts[parting].at(m_units.instanceAt(parting, node));
    for (const auto& [other, all] : outer) {
      const auto near = inner.find(other);
      const std::int64_t partners = all - (near == inner.end() ? 0 : near->second);
      if (partners > 0) visit({own, other, parting}, partners);
    }
  }
  visit({own, own, counts.size()}, 1);
}

Device ExchangeLoad::relayOf(Device from, Device to) const {
  if (!m_relays) return from;
  return m_relays->relayOf(from, to, [&](Device device) {
    return std::binary_search(m_local.begin(), m_local.end(), device.value() % m_units.unitDevices());
  });
}

/// False where the route passes through other nodes.
bool ExchangeLoad::addRoute(Device from, Device to, Bundle& bundle, double& latency) const {
  if (from == to) return true;
  const UnitRoutes::Hops* hops = m_topology.hops(from, to);
  std::optional<UnitRoutes::Hops> searched;
  if (hops == nullptr) {
    std::vector<LinkId> links;
    m_topology.route(from, to, links);
    searched = m_units.hopsOf(from, to, links);
    if (!searched) return false;
    hops = &*searched;
  }
  const std::int64_t size = m_units.unitDevices();
  for (const UnitRoutes::Hop& hop : *hops) {
    bundle.hops[{hop.atTarget, hop.depth, hop.index}] += 1;
    latency += m_topology.latency(m_units.link(hop, from.value() / size, to.value() / size));
  }
  return true;
}

std::optional<ExchangeLoad::Bundle> ExchangeLoad::bundleOf(std::int64_t from, std::int64_t to) const {
  const std::int64_t size = m_units.unitDevices();
  Bundle bundle;
  for (const std::int64_t a : m_local) {
    for (const std::int64_t b : m_local) {
      if (from == to && a == b) continue;
      const Device source(from * size + a);
      const Device target(to * size + b);
      const Device relay = relayOf(source, target);
      double latency = 0;
      if (!addRoute(source, relay, bundle, latency) || !addRoute(relay, target, bundle, latency)) return {};
      bundle.slowest = std::max(bundle.slowest, latency);
    }
  }
  return bundle;
}

std::optional<std::map<ExchangeLoad::Kind, ExchangeLoad::Bundle>> ExchangeLoad::bundles() const {
  std::map<Kind, Bundle> known;
  const Counts counts = countNodes();
  bool expressible = true;
  for (const std::int64_t node : m_nodes) {
    eachKind(counts, node, [&](const Kind& kind, std::int64_t) {
      if (!expressible || known.contains(kind)) return;
      const auto [own, other, parting] = kind;
      const auto partner = std::find_if(m_nodes.begin(), m_nodes.end(), [&](std::int64_t each) {
        return m_units.classOf(each) == other && m_units.parting(node, each) == parting;
      });
      auto bundle = bundleOf(node, *partner);
      expressible = bundle.has_value();
      if (bundle) known.emplace(kind, std::move(*bundle));
    });
  }
  if (!expressible) return {};
  return known;
}

bool ExchangeLoad::addTo(LinkLoads& loads, double weight, const std::function<double(std::size_t)>& times) const {
  const auto known = bundles();
  if (!known) return false;
  const Counts counts = countNodes();
  for (const std::int64_t node : m_nodes) {
    eachKind(counts, node, [&](const Kind& kind, std::int64_t partners) {
      const double each = weight * static_cast<double>(partners);
      const auto addSide = [&](const Bundle& bundle, bool atTarget) {
        for (const auto& [hop, pairs] : bundle.hops) {
          const auto [target, depth, index] = hop;
          if (target != atTarget) continue;
          const LinkId link = m_units.link({target, depth, index}, node, node);
          loads.add(link, each * pairs * times(depth));
        }
      };
      const auto [own, other, parting] = kind;
      addSide(known->at(kind), false);
      addSide(known->at({other, own, parting}), true);
    });
  }
  return true;
}

double ExchangeLoad::slowestRoute() const {
  const auto known = bundles();
  if (!known) return -1;
  double slowest = 0;
  for (const auto& [kind, bundle] : *known) slowest = std::max(slowest, bundle.slowest);
  return slowest;
}

}  // namespace p2::inline cost
