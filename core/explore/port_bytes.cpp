// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/port_bytes.h"

#include <algorithm>
#include <map>

#include "base/near.h"
#include "cost/flows/link_loads.h"

namespace p2::inline explore {
double PortBytes::at(int steps, double progress) const {
  const std::size_t done = std::min(std::size_t(std::max(steps, 0)), bytes.size() - 1);
  if (done + 1 == bytes.size()) return bytes.back();
  return bytes[done] + (bytes[done + 1] - bytes[done]) * std::clamp(progress, 0.0, 1.0);
}

Result<std::vector<PortBytes>> portBytes(const Topology& topology, const ProgramTrace& trace,
                                         const CostOptions& options, std::stop_token stop) {
  std::vector<PortBytes> ports;
  if (topology.deviceCount() > kMostListedDevices) return ports;
  std::vector<LinkLoads> steps;
  LinkLoads all(topology);
  for (const StepId step : IdRange<StepId>(trace.validSteps())) {
    steps.push_back(
        linkLoads(topology, loweredStep(trace, step, IdRange<Device>(topology.deviceCount())), options, stop));
    if (stop.stop_requested()) return cancelledError();
    all.add(steps.back());
  }
  std::map<std::size_t, LinkId> busiest;
  for (const LinkId link : topology.links()) {
    const double bytes = all.bytes(link).value();
    if (bytes <= 0) continue;
    const auto [known, isNew] = busiest.try_emplace(topology.interconnectOf(link), link);
    if (!isNew && definitelyLess(all.bytes(known->second).value(), bytes)) known->second = link;
  }
  for (const auto& [interconnect, link] : busiest) {
    PortBytes port{interconnect, link, topology.linkName(link), {0}};
    for (const LinkLoads& step : steps) port.bytes.push_back(port.bytes.back() + step.bytes(link).value());
    ports.push_back(std::move(port));
  }
  return ports;
}

std::string ownerText(const System& system, std::size_t interconnect) {
  if (interconnect < system.levels.size()) return "a " + system.levels[interconnect].name;
  const std::size_t network = interconnect - system.levels.size();
  if (network >= system.networks.size()) return "the network";
  return "the " + system.networks[network].interconnect.name;
}

}  // namespace p2::inline explore
