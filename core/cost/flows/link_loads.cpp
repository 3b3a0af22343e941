// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/link_loads.h"

#include <algorithm>

#include "cost/flows/exchange_load.h"
#include "cost/flows/torus_loads.h"
#include "cost/simulator.h"

namespace p2::inline cost {

LinkLoads::LinkLoads(const Topology& topology)
    : m_topology(&topology),
      m_sharing(topology.linkGraph() != nullptr && topology.linkGraph()->sharesBandwidth()),
      m_bytes(static_cast<std::size_t>(topology.linkCount())),
      m_shared(m_sharing ? static_cast<std::size_t>(topology.linkCount()) : 0) {}

void LinkLoads::add(LinkId link, double bytes) {
  double& sum = m_bytes[link.index()];
  if (sum == 0 && bytes != 0) m_loaded.push_back(link);
  sum += bytes;
  if (m_sharing) m_shared[m_topology->resource(link).index()] += bytes;
}

void LinkLoads::add(const RoutedFlows& routed, Bytes bytes) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < routed.flows.size(); ++i) {
    const double load = bytes.value() * routed.flows[i].weight;
    for (; begin < routed.ends[i]; ++begin) add(routed.links[begin], load);
  }
}

void LinkLoads::add(const LinkLoads& other) {
  for (const LinkId link : other.m_loaded) add(link, other.m_bytes[link.index()]);
}

double LinkLoads::seconds(LinkId link) const {
  const double bytes = m_sharing ? m_shared[m_topology->resource(link).index()] : m_bytes[link.index()];
  return bytes / m_topology->bandwidth(link);
}

std::vector<LinkLoad> LinkLoads::busiestLinks() const {
  std::vector<LinkLoad> busiest;  // by interconnect
  std::vector<LinkId> resources = m_loaded;
  if (m_sharing) {
    for (LinkId& link : resources) link = m_topology->resource(link);
  }
  if (!std::is_sorted(resources.begin(), resources.end())) std::sort(resources.begin(), resources.end());
  for (const LinkId link : resources) {
    const std::size_t interconnect = m_topology->interconnectOf(link);
    if (interconnect >= busiest.size()) busiest.resize(interconnect + 1);
    const double bytes = m_sharing ? m_shared[link.index()] : m_bytes[link.index()];
    const LinkLoad load{link, bytes, m_topology->bandwidth(link), interconnect};
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
  // One sum over all groups, since summing up takes as long as there are links.
  std::optional<TorusLoads> torus;
  if (topology.torus() != nullptr) torus.emplace(*topology.torus());
  for (const LoweredGroup& group : step.groups) {
    const auto members = static_cast<std::int64_t>(group.devices.size());
    const Bytes bytes = options.bytes * workingShare(step.collective, group);
    const FlowShape shape = model.shape(step.collective, algorithm);
    const Bytes flow = bytes * model.factor(step.collective, algorithm, members);
    if (withoutRails(shape) == FlowShape::Exchange) {
      const double weight = flow.value() / static_cast<double>(members);
      if (torus) {
        torus->addExchange(group.devices, weight);
        continue;
      }
      const auto exchange = ExchangeLoad::of(topology, group.devices, RailRelays::of(shape, topology, machine));
      if (exchange && exchange->addTo(loads, weight, [](std::size_t) { return 1.0; })) continue;
    }
    if (torus && shape == FlowShape::TorusRings && torus->addRings(topology, group.devices, flow.value())) continue;
    loads.add(routedFlows(shape, group.devices, topology, machine, stop), flow);
  }
  if (torus) torus->addTo(loads);
  return loads;
}

LinkLoads linkLoads(const Topology& topology, const LoweredProgram& program, const CostOptions& options) {
  LinkLoads sum(topology);
  for (const LoweredStep& step : program) sum.add(linkLoads(topology, step, options));
  return sum;
}

}  // namespace p2::inline cost
