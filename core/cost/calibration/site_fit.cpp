// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/detail/site_fit.h"

#include <algorithm>

#include "cost/detail/library_view.h"
#include "cost/nccl/detail/nccl_parts.h"
#include "cost/nccl/site_defaults.h"
#include "system/interconnects.h"
#include "system/topology.h"

namespace p2::inline cost {
namespace {

/// The best that the measurements say of any parameter with one of these names.
Determined bestOf(const Calibration& calibration, const std::vector<std::string>& names, FittedParameter::Kind kind) {
  Determined best = Determined::No;
  for (const FittedParameter& each : calibration.parameters) {
    if (each.kind == kind && std::find(names.begin(), names.end(), each.name) != names.end())
      best = std::min(best, each.determined);
  }
  return best;
}

double hopOf(System system, bool calibrated, const LibraryView& machine) {
  if (machine.hop > 0) return machine.hop;
  system.calibrated = calibrated;
  const auto valid = validated(system);
  return valid.ok() ? Topology(*valid).routeLatency(Device(0), Device(machine.nodeDevices)) : 0;
}

}  // namespace

double spreadOverSites(std::size_t constant, MeasuredNodes nodes) {
  constexpr double kOfLibrary = 0.2;
  const double held = nodes == MeasuredNodes::OneNumber ? 0.5 : 1;
  for (const SiteDefaults& site : siteDefaults()) {
    const auto share = static_cast<std::size_t>(constantOf(NcclConstant::AcrossShareFirst, site.network));
    if (constant == share) return held * site.share.spread();
    if (constant == congestionOf(site)) return held * site.congestion.spread();
  }
  const bool isStart = constant >= static_cast<std::size_t>(NcclConstant::BaseLL) &&
                       constant <= static_cast<std::size_t>(NcclConstant::BaseChain);
  return (isStart ? 1 : held * kOfLibrary) * ncclConstantTable()[constant].spread;
}

std::size_t congestionOf(const SiteDefaults& site) {
  return static_cast<std::size_t>(constantOf(NcclConstant::CongestionFirst, site.network));
}

double congestionAt(const SiteDefaults& site, double start, double deviations) {
  constexpr double kLeast = 1e-4;
  return std::max(kLeast, start + site.congestion.deviation() * deviations);
}

std::vector<FittedSite> fittedSiteOf(const Calibration& calibration, const NcclConstants& start) {
  const System& system = calibration.system;
  const auto valid = validated(system);
  if (!valid.ok() || nodeCount(system) < 2) return {};
  const LibraryView machine = libraryViewOf(Topology(*valid));
  const SiteDefaults& defaults = siteDefaultsOf(machine.network);
  const auto constant = [&](NcclConstant which, bool fitted) {
    const std::string& key = ncclConstantTable()[static_cast<std::size_t>(which)].key;
    const auto found = std::find_if(system.tuned.begin(), system.tuned.end(),
                                    [&](const TunedConstant& tuned) { return tuned.key == key; });
    return fitted && found != system.tuned.end() ? found->value : start[which];
  };
  double narrowest = 1;
  std::vector<std::string> links;
  const auto placed = interconnects(system);
  for (std::size_t i = 0; i < placed.size() && i < calibration.interconnects.size(); ++i) {
    if (!machine.across[i] || placed[i].link.bandwidth <= 0) continue;
    links.push_back(calibration.interconnects[i].name);
    narrowest = std::min(narrowest, bandwidthOf(placed[i].link, true) / placed[i].link.bandwidth);
  }
  const NcclConstant share = acrossShareConstant(machine);
  const NcclConstant congestion = constantOf(NcclConstant::CongestionFirst, machine.network);
  const auto keyOf = [](NcclConstant which) { return ncclConstantTable()[static_cast<std::size_t>(which)].key; };
  using Kind = FittedParameter::Kind;
  const double nominalShare = machine.nicShare > 0 ? machine.nicShare : constant(share, false);
  const double fittedShare = (machine.nicShare > 0 ? machine.nicShare : constant(share, true)) * narrowest;
  const Determined shareMeasured =
      std::min(bestOf(calibration, {keyOf(share)}, Kind::Constant), bestOf(calibration, links, Kind::Bandwidth));
  const bool isGiven = machine.congestion >= 0;
  return {{"NIC share", nominalShare, fittedShare, defaults.share.low, defaults.share.high, shareMeasured, false},
          {"congestion", isGiven ? machine.congestion : constant(congestion, false),
           isGiven ? machine.congestion : constant(congestion, true), defaults.congestion.low, defaults.congestion.high,
           bestOf(calibration, {keyOf(congestion)}, Kind::Constant), false},
          {"hop", hopOf(system, false, machine), hopOf(system, true, machine), defaults.hop.low, defaults.hop.high,
           bestOf(calibration, links, Kind::Latency), true}};
}

}  // namespace p2::inline cost
