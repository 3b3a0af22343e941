// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/rank_places.h"

#include <algorithm>

#include "base/counted.h"
#include "base/lists.h"
#include "system/level_names.h"

namespace p2::inline placement {
namespace {

std::string listedSlots(const std::vector<std::int64_t>& slots) { return joined(slots, ","); }

bool countsUp(const std::vector<std::int64_t>& slots) { return std::is_sorted(slots.begin(), slots.end()); }

}  // namespace

bool RankPlaces::keepsDevices() const { return std::all_of(locals.begin(), locals.end(), countsUp); }

std::optional<std::vector<std::int64_t>> RankPlaces::commonLocals() const {
  const bool common = std::all_of(locals.begin(), locals.end(), [&](const auto& each) { return each == locals[0]; });
  return common && !locals.empty() ? std::optional(locals[0]) : std::nullopt;
}

std::vector<std::int64_t> RankPlaces::hostOrder() const {
  std::vector<std::int64_t> made;
  const auto size = static_cast<std::size_t>(perHost);
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    if (rank % size == 0) made.push_back(hosts[rank]);
    if (hosts[rank] != made.back()) return {};
  }
  return made;
}

std::string RankPlaces::visibleDevices(const std::vector<std::string>& names) const {
  if (keepsDevices()) return {};
  if (const auto common = commonLocals()) {
    return "# GPUs by local rank: CUDA_VISIBLE_DEVICES=" + listedSlots(*common) + " on every node.\n";
  }
  std::string text;
  for (std::size_t host = 0; host < locals.size(); ++host) {
    if (countsUp(locals[host])) continue;
    text += "# GPUs by local rank on " + names[host] + ": CUDA_VISIBLE_DEVICES=" + listedSlots(locals[host]) + "\n";
  }
  return text;
}

std::string RankPlaces::slurmBinding() const {
  const auto common = commonLocals();
  return common && !countsUp(*common) ? " --gpu-bind=map_gpu:" + listedSlots(*common) : std::string();
}

RankPlaces rankPlaces(const System& system, const Placement& placement, const AxisOrder& order) {
  RankPlaces places;
  places.perHost = devicesPerHost(system);
  places.locals.resize(static_cast<std::size_t>(system.deviceCount() / places.perHost));
  for (const Device device : devicesByRank(placement, order)) {
    places.hosts.push_back(device.value() / places.perHost);
    places.slots.push_back(device.value() % places.perHost);
    places.locals[static_cast<std::size_t>(places.hosts.back())].push_back(places.slots.back());
  }
  return places;
}

Result<std::vector<std::string>> hostNames(const System& system, std::vector<std::string> given) {
  const std::int64_t hosts = system.deviceCount() / devicesPerHost(system);
  if (given.empty()) {
    for (std::int64_t host = 0; host < hosts; ++host) given.push_back("node" + std::to_string(host));
  }
  if (static_cast<std::int64_t>(given.size()) == hosts) return given;
  const char* each = devicesPerHost(system) == devicesPerNode(system) ? "node" : "tray";
  return Error{countedText(given.size(), "host") + " for " + countedText(hosts, each) + "; name every " + each +
                   " once, in the order of the devices",
               "hosts"};
}

}  // namespace p2::inline placement
