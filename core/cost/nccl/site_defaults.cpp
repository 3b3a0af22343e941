// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl/site_defaults.h"

#include <cassert>
#include <cmath>
#include <optional>
#include <vector>

#include "base/numbers.h"
#include "base/units.h"
#include "cost/nccl/detail/nccl_constants_file.h"
#include "cost/prediction_ranges.h"
#include "system/system.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline cost {
namespace {

/// Standard deviations between the 10 % and the 90 % quantile of a normal distribution.
constexpr double kDeviations = 2.563;

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

const SiteFigure* siteFigureOf(const SiteDefaults& site, std::string_view key) {
  if (key == "nicShare") return &site.share;
  if (key == "congestion") return &site.congestion;
  return key == "hop" ? &site.hop : nullptr;
}

}  // namespace

double SiteFigure::spread() const { return std::log(high / low) / kDeviations; }

double SiteFigure::deviation() const { return (high - low) / kDeviations; }

std::span<const SiteDefaults> siteDefaults() {
  static const std::vector<SiteDefaults> kSites = loadSites();
  return kSites;
}

const SiteDefaults& siteDefaultsOf(NetworkKind network) { return siteDefaults()[static_cast<std::size_t>(network)]; }

std::string siteDefaultText(const System& system, std::string_view key) {
  const NetworkKind network = networkKindOf(system);
  const SiteFigure* figure = siteFigureOf(siteDefaultsOf(network), key);
  if (figure == nullptr || nodeCount(system) < 2) return {};
  const auto text = [&](double value) { return key == "hop" ? formatSeconds(value) : exactNumber(value); };
  const std::string kind = network == NetworkKind::Other ? "an unnamed network" : std::string(nameOf(network));
  return "Default of " + kind + ": " + text(figure->typical) + ", on most sites " + text(figure->low) + " to " +
         text(figure->high);
}

}  // namespace p2::inline cost
