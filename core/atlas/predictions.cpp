// SPDX-License-Identifier: GPL-3.0-or-later
#include "atlas/predictions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "atlas/detail/atlas_measurements.h"
#include "base/median.h"
#include "cost/simulator.h"

namespace p2::inline atlas {
namespace {

Algorithm forcedAlgorithm(const std::string& name) {
  if (name.find("Ring") != std::string::npos) return Algorithm::Ring;  // "NVLSTree (fell back to Ring)"
  if (name == "Tree") return Algorithm::Tree;
  if (name == "NVLSTree") return Algorithm::NvlsTree;
  return Algorithm::Auto;
}

Protocol forcedProtocol(const std::string& name) {
  if (name == "LL") return Protocol::LL;
  if (name == "LL128") return Protocol::LL128;
  return name == "Simple" ? Protocol::Simple : Protocol::None;
}

/// Of what joins the nodes: "IB" of "IB HDR", "EFA v2", "RoCE" of "RoCE (gIB)".
std::string networkOf(const AtlasTable& table) {
  std::string label = table.fabric.substr(0, table.fabric.find(" ("));
  if (label.starts_with("IB")) label = "IB";
  return label;
}

int numberOf(const std::string& label, NetworkLabels& labels) {
  const auto number = std::find(labels.begin(), labels.end(), label) - labels.begin();
  if (static_cast<std::size_t>(number) == labels.size()) labels.push_back(label);
  return static_cast<int>(number);
}

}  // namespace

std::optional<Collective> collectiveOf(std::string_view name) {
  if (name == "all_reduce") return Collective::AllReduce;
  if (name == "all_gather") return Collective::AllGather;
  if (name == "reduce_scatter") return Collective::ReduceScatter;
  if (name == "broadcast") return Collective::Broadcast;
  if (name == "reduce") return Collective::Reduce;
  return std::nullopt;
}

Result<std::vector<NcclSample>> samplesOf(const AtlasTable& table, NetworkLabels& labels) {
  P2_TRY_ASSIGN(auto system, systemOf(table));
  P2_TRY_ASSIGN(const auto valid, validated(system));
  const Topology topology(valid);
  DeviceGroup group;
  for (const Device device : IdRange<Device>(topology.deviceCount())) group.push_back(device);
  NcclSample sample;
  sample.exchange = table.collective == "alltoall";
  const auto collective = collectiveOf(table.collective);
  if (!collective && !sample.exchange) return Error{"\"" + table.collective + "\" is not a collective that is priced"};
  if (sample.exchange) {
    sample.traffic.push_back(allToAllTraffic(topology, group));
  } else {
    const NcclModel model;
    const std::vector<double> whole(group.size(), 1);
    const LoweredStep step{*collective, {{group, whole, whole}}};
    for (const Algorithm algorithm : model.candidates(*collective, forcedAlgorithm(table.algorithm))) {
      sample.traffic.push_back(trafficOf(topology, step, model, algorithm));
    }
  }
  sample.only = forcedProtocol(table.protocol);
  if (table.nodes > 1) sample.network = numberOf(networkOf(table), labels);
  std::map<double, std::vector<double>> bySize;
  for (const AtlasRow& row : table.rows) bySize[row.bytes].push_back(row.seconds);
  std::vector<NcclSample> samples;
  for (const auto& [bytes, seconds] : bySize) {
    sample.bytes = Bytes(bytes);
    sample.seconds = upperMedianOf(seconds);
    if (bytes > 0 && sample.seconds > 0) samples.push_back(sample);
  }
  return samples;
}

Result<TablePrediction> predictionOf(const AtlasTable& table) {
  NetworkLabels labels;
  P2_TRY_ASSIGN(const auto samples, samplesOf(table, labels));
  const NcclModel model(ncclConstants(), NcclModel::Repeats::BackToBack);
  TablePrediction prediction;
  std::array<std::vector<double>, kSizeBands> errors;
  for (const NcclSample& sample : samples) {
    const double seconds = predicted(model, sample).seconds;
    if (!std::isfinite(seconds)) continue;
    prediction.seconds[sample.bytes.value()] = seconds;
    errors[sizeBand(sample.bytes)].push_back(std::abs(seconds / sample.seconds - 1));
  }
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    if (!errors[band].empty()) prediction.medianError[band] = upperMedianOf(errors[band]);
  }
  return prediction;
}

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
  ratio.network = sample.traffic[0].machine->network;
  if (const auto kind = stepKind(sample.traffic[0].collective))
    ratio.cell = {*kind, table.nodes > 1, sizeBand(sample.bytes)};
  if (std::isfinite(ratio.nominal) && std::isfinite(ratio.heldOut)) validation.ratios.push_back(ratio);
}

}  // namespace

AtlasValidation nominalErrors(std::stop_token stop) { return validateOnAtlas(0, std::move(stop)); }

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
        validation.heldOutTimes.push_back({{*step, table.nodes > 1, band},
                                           ratio,
                                           0,
                                           sample.weight,
                                           sample.traffic[0].nodes,
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

}  // namespace p2::inline atlas
