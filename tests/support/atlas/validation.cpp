// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/atlas/validation.h"

#include <cmath>
#include <set>
#include <tuple>

#include "base/median.h"
#include "support/atlas/atlas_measurements.h"

namespace p2 {
namespace {

/// Predicted over measured.
double ratioOf(const NcclModel& model, NcclSample sample, const std::vector<double>& networks) {
  if (sample.network >= 0 && !networks.empty()) {
    for (Traffic& traffic : sample.traffic) {
      traffic.path.across *= networks[static_cast<std::size_t>(sample.network)];
      traffic.path.slowest *= networks[static_cast<std::size_t>(sample.network)];
    }
  }
  return predicted(model, sample).seconds / sample.seconds;
}

double offBy(const NcclModel& model, const NcclSample& sample, const std::vector<double>& networks) {
  return std::abs(ratioOf(model, sample, networks) - 1);
}

void addRatio(AtlasValidation& validation, const AtlasTable& table, const NcclSample& sample, const NcclModel& nominal,
              const NcclModel& heldOut) {
  AtlasRatio ratio{&table, sample.bytes, ratioOf(nominal, sample, {}), ratioOf(heldOut, sample, {})};
  const Traffic& traffic = sample.traffic[0];
  ratio.network = traffic.machine->network;
  ratio.reach = {traffic.nodes, traffic.members};
  if (const auto kind = stepKind(traffic.collective)) ratio.cell = {*kind, traffic.nodes > 1, sizeBand(sample.bytes)};
  if (std::isfinite(ratio.nominal) && std::isfinite(ratio.heldOut)) validation.ratios.push_back(ratio);
}

}  // namespace

std::vector<AtlasRatio> extrapolated(std::int64_t mostNodes, std::int64_t leastNodes, int fitSteps,
                                     std::stop_token stop) {
  const AtlasMeasurements all(stop);
  std::vector<NcclSample> few;
  for (std::size_t i = 0; i < all.samples().size(); ++i) {
    if (all.tableOf(i).nodes <= mostNodes) few.push_back(all.samples()[i]);
  }
  AtlasValidation validation;
  const NcclFit fit = fitNccl(std::move(few), all.labels().size(), ncclPriors(), fitSteps, stop);
  const NcclModel nominal(ncclConstants(), NcclModel::Repeats::BackToBack);
  const NcclModel fitted(fit.constants, NcclModel::Repeats::BackToBack);
  for (std::size_t i = 0; i < all.samples().size() && !stop.stop_requested(); ++i) {
    if (all.tableOf(i).nodes >= leastNodes) addRatio(validation, all.tableOf(i), all.samples()[i], nominal, fitted);
  }
  return validation.ratios;
}

AtlasValidation validateOnAtlas(int fitSteps, std::stop_token stop) {
  const AtlasMeasurements all(stop);
  if (stop.stop_requested()) return {};
  const std::size_t networks = all.labels().size();
  AtlasValidation validation;
  validation.networks = all.labels();
  std::optional<NcclRefit> refit;
  if (fitSteps > 0) refit.emplace(all.samples(), networks, ncclPriors(), fitSteps, stop);
  validation.fit = refit ? refit->all() : NcclFit{ncclPriors(), {}, {}};
  const auto backToBack = NcclModel::Repeats::BackToBack;
  const NcclModel nominal(ncclConstants(), backToBack);
  const NcclModel fitted(validation.fit.constants, backToBack);
  std::map<std::tuple<std::string, std::string, std::size_t>, std::array<std::vector<double>, 3>> byKey;
  std::array<std::array<std::vector<double>, 3>, kSizeBands> byBand;
  std::set<std::string> machines;
  for (std::size_t i = 0; i < all.samples().size(); ++i) machines.insert(all.tableOf(i).machine());
  for (const std::string& machine : machines) {
    if (stop.stop_requested()) break;
    const NcclFit rest = refit ? refit->without(all.areOf(machine)) : NcclFit{ncclPriors(), {}, {}};
    const NcclModel heldOut(rest.constants, backToBack);
    validation.heldOutConstants.emplace(machine, rest.constants);
    for (std::size_t i = 0; i < all.samples().size(); ++i) {
      const AtlasTable& table = all.tableOf(i);
      if (table.machine() != machine) continue;
      const NcclSample& sample = all.samples()[i];
      const std::size_t band = sizeBand(sample.bytes);
      addRatio(validation, table, sample, nominal, heldOut);
      const std::array<double, 3> off{offBy(nominal, sample, {}), offBy(heldOut, sample, rest.networks),
                                      offBy(fitted, sample, validation.fit.networks)};
      const auto step = stepKind(sample.traffic[0].collective);
      if (step && std::isfinite(off[1])) {
        const double ratio = 1 / ratioOf(heldOut, sample, {});
        validation.heldOutTimes.push_back({{*step, sample.traffic[0].nodes > 1, band},
                                           ratio,
                                           0,
                                           sample.weight,
                                           {sample.traffic[0].nodes, sample.traffic[0].members},
                                           sample.traffic[0].machine->network,
                                           sample.bytes});
        validation.heldOutMachines.push_back(machine);
      }
      for (std::size_t kind = 0; kind < off.size(); ++kind) {
        byKey[{machine, table.collective, band}][kind].push_back(off[kind]);
        byBand[band][kind].push_back(off[kind]);
      }
    }
  }
  for (auto& [key, off] : byKey) {
    validation.errors.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), off[0].size(),
                                 upperMedianOf(off[0]), upperMedianOf(off[1]), upperMedianOf(off[2])});
  }
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    validation.nominal[band] = upperMedianOf(byBand[band][0]);
    validation.heldOut[band] = upperMedianOf(byBand[band][1]);
    validation.fitted[band] = upperMedianOf(byBand[band][2]);
  }
  return validation;
}

}  // namespace p2
