// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/route_table.h"

namespace p2::inline system {

UnitRoutes* RouteTable::knownUnits() {
  if (!m_triedUnits) m_units = UnitRoutes::of(*m_graph);
  m_triedUnits = true;
  return m_units.get();
}

const UnitRoutes* RouteTable::units() {
  const std::lock_guard lock(m_mutex);
  return knownUnits();
}

const UnitRoutes::Hops* RouteTable::hops(Device from, Device to) {
  const std::lock_guard lock(m_mutex);
  UnitRoutes* units = knownUnits();
  return units == nullptr ? nullptr : units->hops(from, to, [this](Device a, Device b) { return search(a, b); });
}

/// By way of relays where the device itself has no way out of its node, or in.
std::vector<LinkId> RouteTable::search(Device from, Device to) {
  const bool relays = !m_graph->relaysOut().empty() || !m_graph->relaysIn().empty();
  if (!relays || from.value() / m_nodeDevices == to.value() / m_nodeDevices) return m_search.route(from, to);
  const Device out = m_graph->relayOut(from);
  const Device in = m_graph->relayIn(to);
  std::vector<LinkId> links = m_search.route(from, out);
  for (const auto& [a, b] : {std::pair(out, in), std::pair(in, to)}) {
    const std::vector<LinkId> part = m_search.route(a, b);
    links.insert(links.end(), part.begin(), part.end());
  }
  return links;
}

void RouteTable::append(Device from, Device to, std::vector<LinkId>& links) {
  if (m_torus) {
    const std::vector<LinkId> found = m_torus->route(from, to);
    links.insert(links.end(), found.begin(), found.end());
    return;
  }
  const std::int64_t key = from.value() * kMostDevices + to.value();
  const std::lock_guard lock(m_mutex);
  if (UnitRoutes* units = knownUnits()) {
    const auto* hops = units->hops(from, to, [this](Device a, Device b) { return search(a, b); });
    const std::int64_t source = from.value() / units->unitDevices();
    const std::int64_t target = to.value() / units->unitDevices();
    if (hops != nullptr) {
      for (const UnitRoutes::Hop& hop : *hops) links.push_back(units->link(hop, source, target));
      return;
    }
  }
  auto known = m_known.find(key);
  if (known == m_known.end()) {
    const std::vector<LinkId> found = search(from, to);
    if (m_links.size() + found.size() > kMostKnown) {
      m_known.clear();
      m_links.clear();
    }
    known = m_known.emplace(key, Known{m_links.size(), found.size()}).first;
    m_links.insert(m_links.end(), found.begin(), found.end());
  }
  const auto begin = m_links.begin() + static_cast<std::ptrdiff_t>(known->second.begin);
  links.insert(links.end(), begin, begin + static_cast<std::ptrdiff_t>(known->second.count));
}

}  // namespace p2::inline system
