// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl/published_latencies.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

#include "cost/detail/library_view.h"
#include "cost/nccl/detail/nccl_constants_file.h"
#include "cost/nccl/site_defaults.h"
#include "cost/prediction_ranges.h"
#include "system/interconnects.h"
#include "text/json_document.h"

namespace p2::inline cost {
namespace {

struct LatencyTable {
  struct Network {
    std::string name;
    double seconds = 0;
  };
  std::vector<Network> networks;
  double inside = 0;
};

const LatencyTable& latencyTable() {
  static const LatencyTable kTable = [] {
    const auto json = parseJson(latenciesFile());
    assert(json.ok());  // the tests read it
    LatencyTable table;
    for (const Json& row : json->at("networks")) {
      table.networks.push_back({row.at("name").get<std::string>(), row.at("seconds").get<double>()});
    }
    table.inside = json->at("inside").at(0).at("seconds").get<double>();
    return table;
  }();
  return kTable;
}

}  // namespace

std::optional<PublishedLatencies> publishedLatenciesOf(const System& system) {
  const LatencyTable& table = latencyTable();
  const std::size_t nodeDepth = p2::nodeDepth(system);
  const bool saysGeneration = !system.library.generation.empty();
  bool saysInside = false;
  bool saysAcross = system.library.hop > 0;
  PublishedLatencies found{table.inside, 0, "networks of its kind"};
  for (const auto& [place, name, link] : interconnects(system)) {
    if (latencyOf(link, system.calibrated) > 0) (joinsNodes(system, place, nodeDepth) ? saysAcross : saysInside) = true;
    const auto known = std::find_if(table.networks.begin(), table.networks.end(),
                                    [&](const LatencyTable::Network& each) { return each.name == link.name; });
    if (known != table.networks.end()) found.across = known->seconds;
  }
  const bool isOneNode = nodeCount(system) < 2;
  if (!saysGeneration)
    return isOneNode || saysInside || saysAcross || found.across == 0 ? std::nullopt : std::optional(found);
  if (found.across == 0) {
    const NetworkKind network = networkKindOf(system);
    found.across = siteDefaultsOf(network).hop.typical;
    found.of = network == NetworkKind::Other ? "common networks" : nameOf(network);
  }
  if (saysInside) found.inside = 0;
  if (saysAcross || isOneNode) found.across = 0;
  return found.inside + found.across > 0 ? std::optional(found) : std::nullopt;
}

}  // namespace p2::inline cost
