// SPDX-License-Identifier: GPL-3.0-or-later
#include "atlas/predictions.h"

#include <algorithm>
#include <cmath>

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

std::array<double, kSizeBands> nominalErrors(const std::stop_token& stop) {
  const NcclModel model(ncclConstants(), NcclModel::Repeats::BackToBack);
  std::array<std::vector<double>, kSizeBands> errors;
  NetworkLabels labels;
  for (const AtlasTable& table : atlasTables()) {
    if (stop.stop_requested()) return {};
    if (table.healthy != "yes") continue;
    const auto samples = samplesOf(table, labels);
    if (!samples.ok()) continue;
    for (const NcclSample& sample : *samples) {
      errors[sizeBand(sample.bytes)].push_back(std::abs(predicted(model, sample).seconds / sample.seconds - 1));
    }
  }
  std::array<double, kSizeBands> medians{};
  std::transform(errors.begin(), errors.end(), medians.begin(), [](auto& off) { return upperMedianOf(off); });
  return medians;
}

}  // namespace p2::inline atlas
