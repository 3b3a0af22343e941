// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/link_loads.h"

#include <algorithm>

#include "cost/simulator.h"

namespace p2::inline cost {

LinkLoads::LinkLoads(const Topology& topology)
    : m_topology(&topology), m_bytes(static_cast<std::size_t>(topology.linkCount()), 0.0), m_shared(m_bytes) {}

void LinkLoads::add(const RoutedFlows& routed, Bytes bytes) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < routed.flows.size(); ++i) {
    const double load = bytes.value() * routed.flows[i].weight;
    for (; begin < routed.ends[i]; ++begin) {
      const LinkId link = routed.links[begin];
      m_bytes[link.index()] += load;
      m_shared[m_topology->resource(link).index()] += load;
    }
  }
}

void LinkLoads::add(const LinkLoads& other) {
  for (std::size_t i = 0; i < m_bytes.size(); ++i) {
    m_bytes[i] += other.m_bytes[i];
    m_shared[i] += other.m_shared[i];
  }
}

double LinkLoads::seconds(LinkId link) const {
  return m_shared[m_topology->resource(link).index()] / m_topology->bandwidth(link);
}

std::vector<LinkLoad> LinkLoads::busiestLinks() const {
  std::vector<LinkLoad> busiest;  // by interconnect
  for (const LinkId link : m_topology->links()) {
    if (m_shared[link.index()] == 0) continue;
    const std::size_t interconnect = m_topology->interconnectOf(link);
    if (interconnect >= busiest.size()) busiest.resize(interconnect + 1);
    const LinkLoad load{link, m_shared[link.index()], m_topology->bandwidth(link), interconnect};
    if (load.isBusierThan(busiest[interconnect])) busiest[interconnect] = load;
  }
  std::erase_if(busiest, [](const LinkLoad& load) { return load.link.isNone(); });
  std::sort(busiest.begin(), busiest.end(), [](const LinkLoad& a, const LinkLoad& b) { return a.link < b.link; });
  for (LinkLoad& load : busiest) load.link = carrierOf(load.link);
  return busiest;
}

LinkId LinkLoads::carrierOf(LinkId resource) const {
  LinkId link = resource;
  while (m_topology->resource(link) != resource || bytes(link) == Bytes(0)) link = LinkId(link.value() + 1);
  return link;
}

void OwnLoads::add(const RoutedFlows& routed, Bytes bytes) {
  if (m_caps.empty()) return;
  std::map<std::pair<Device, Device>, double> weights;
  for (const Flow& flow : routed.flows) weights[{flow.from, flow.to}] += flow.weight;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < routed.flows.size(); ++i) {
    const double load = bytes.value() * weights[{routed.flows[i].from, routed.flows[i].to}];
    for (; begin < routed.ends[i]; ++begin) consider(routed.links[begin], load);
  }
}

void OwnLoads::consider(LinkId link, double bytes) {
  const std::size_t interconnect = m_topology.interconnectOf(link);
  if (m_caps[interconnect] == 0) return;
  const LinkLoad load{link, bytes, m_caps[interconnect], interconnect};
  LinkLoad& busiest = m_busiest[interconnect];
  const bool equal = load.bytes > 0 && !busiest.isBusierThan(load);
  if (load.isBusierThan(busiest) || (equal && load.link < busiest.link)) busiest = load;
}

std::vector<LinkLoad> OwnLoads::busiestLinks() const {
  std::vector<LinkLoad> busiest;
  for (const auto& [interconnect, load] : m_busiest) {
    if (!load.link.isNone()) busiest.push_back(load);
  }
  std::sort(busiest.begin(), busiest.end(), [](const LinkLoad& a, const LinkLoad& b) { return a.link < b.link; });
  return busiest;
}

LinkLoads linkLoads(const Topology& topology, const LoweredStep& step, const CostOptions& options,
                    const std::stop_token& stop) {
  const CostModel& model = modelOf(options);
  const LibraryView machine = libraryViewOf(topology);
  const Algorithm algorithm = simulateStep(topology, step, options, stop).algorithm;
  LinkLoads loads(topology);
  for (const LoweredGroup& group : step.groups) {
    const auto members = static_cast<std::int64_t>(group.devices.size());
    const Bytes bytes = options.bytes * workingShare(step.collective, group);
    loads.add(routedFlows(model.shape(step.collective, algorithm), group.devices, topology, machine, stop),
              bytes * model.factor(step.collective, algorithm, members));
  }
  return loads;
}

LinkLoads linkLoads(const Topology& topology, const LoweredProgram& program, const CostOptions& options) {
  LinkLoads sum(topology);
  for (const LoweredStep& step : program) sum.add(linkLoads(topology, step, options));
  return sum;
}

}  // namespace p2::inline cost
