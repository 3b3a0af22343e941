// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/site_defaults.h"

#include <cassert>
#include <cmath>
#include <optional>
#include <vector>

#include "cost/detail/nccl_constants_file.h"
#include "cost/prediction_ranges.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline cost {
namespace {

SiteFigure siteFigureAt(const JsonValue& row, const char* key) {
  const JsonValue figure = row.at(key, {});
  return {figure.at("low", {}).number(0, 1, {}), figure.at("default", {}).number(0, 1, {}),
          figure.at("high", {}).number(0, 1, {})};
}

std::vector<SiteDefaults> loadSites() {
  std::vector<SiteDefaults> sites;
  const auto json = parseJson(ncclSitesFile());
  assert(json.ok());
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  for (const JsonValue& row : in.at("networks", {}).items({})) {
    const auto network = static_cast<NetworkKind>(sites.size());
    assert(row.at("network", {}).text({}) == nameOf(network));
    sites.push_back({network, siteFigureAt(row, "share"), siteFigureAt(row, "congestion"), siteFigureAt(row, "hop"),
                     row.at("sites", {}).text({})});
  }
  assert(!problem && sites.size() == kNetworkKindCount);
  return sites;
}

}  // namespace

double SiteFigure::spread() const {
  // Between the 10 % and the 90 % quantile of a normal distribution.
  constexpr double kDeviations = 2.563;
  return std::log(high / low) / kDeviations;
}

std::span<const SiteDefaults> siteDefaults() {
  static const std::vector<SiteDefaults> kSites = loadSites();
  return kSites;
}

const SiteDefaults& siteDefaultsOf(NetworkKind network) { return siteDefaults()[static_cast<std::size_t>(network)]; }

}  // namespace p2::inline cost
