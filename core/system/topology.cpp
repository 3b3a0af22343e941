// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/topology.h"

namespace p2 {

bool leadsForward(std::int64_t from, std::int64_t to, std::int64_t count) {
  return 2 * ((to - from + count) % count) <= count;
}

Topology::Topology(const System& system) {
  m_deviceCount = system.deviceCount();
  Device below = m_deviceCount;
  std::int64_t instances = 1;
  for (const Level& level : system.levels) {
    below /= level.count;
    instances *= level.count;
    const Interconnect& link = level.interconnect;
    const double latency = link.kind == InterconnectKind::Ring ? link.latency : link.latency / 2;
    m_levels.push_back({level.name, link.kind, link.bandwidth, latency, level.count, below, m_linkCount});
    m_linkCount += 2 * instances;
  }
}

std::size_t Topology::levelOf(LinkId link) const {
  std::size_t level = m_levels.size() - 1;
  while (level > 0 && m_levels[level].first > link) --level;
  return level;
}

std::int64_t Topology::instanceOf(LinkId link) const { return (link - m_levels[levelOf(link)].first) / 2; }

std::string Topology::linkName(LinkId link) const {
  const std::size_t level = levelOf(link);
  const LevelLinks& own = m_levels[level];
  const bool second = (link - own.first) % 2 != 0;
  std::int64_t instance = instanceOf(link);
  std::string place = own.name + " " + std::to_string(instance % own.count);
  for (std::size_t outer = level; outer-- > 0;) {
    instance /= m_levels[outer + 1].count;
    if (m_levels[outer].count == 1) continue;
    place += " of " + m_levels[outer].name + " " + std::to_string(instance % m_levels[outer].count);
  }
  if (own.kind == InterconnectKind::Ring) return place + (second ? " → previous" : " → next");
  return place + (second ? " ↓" : " ↑");
}

void Topology::ringRoute(std::size_t level, std::int64_t from, std::int64_t to, std::vector<LinkId>& links) const {
  const LevelLinks& ring = m_levels[level];
  const std::int64_t base = from / ring.count * ring.count;
  std::int64_t at = from - base;
  const std::int64_t goal = to - base;
  const bool forward = leadsForward(at, goal, ring.count);
  while (at != goal) {
    links.push_back(ring.first + 2 * (base + at) + (forward ? 0 : 1));
    at = (at + (forward ? 1 : ring.count - 1)) % ring.count;
  }
}

void Topology::route(Device from, Device to, std::vector<LinkId>& links) const {
  if (from == to) return;
  std::size_t parting = 0;
  while (from / m_levels[parting].devicesBelow == to / m_levels[parting].devicesBelow) ++parting;
  for (std::size_t level = m_levels.size(); level-- > parting + 1;) {
    if (!m_levels[level].hasPorts()) continue;
    links.push_back(m_levels[level].first + 2 * (from / m_levels[level].devicesBelow));
  }
  const LevelLinks& meeting = m_levels[parting];
  const std::int64_t source = from / meeting.devicesBelow;
  const std::int64_t target = to / meeting.devicesBelow;
  if (meeting.kind == InterconnectKind::Ring) {
    ringRoute(parting, source, target, links);
  } else {
    links.push_back(meeting.first + 2 * source);
    links.push_back(meeting.first + 2 * target + 1);
  }
  for (std::size_t level = parting + 1; level < m_levels.size(); ++level) {
    if (!m_levels[level].hasPorts()) continue;
    links.push_back(m_levels[level].first + 2 * (to / m_levels[level].devicesBelow) + 1);
  }
}

double Topology::routeLatency(Device from, Device to) const {
  std::vector<LinkId> links;
  route(from, to, links);
  double sum = 0;
  for (const LinkId link : links) sum += latency(link);
  return sum;
}

}  // namespace p2
