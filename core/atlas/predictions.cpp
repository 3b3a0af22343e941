// SPDX-License-Identifier: GPL-3.0-or-later
#include "atlas/predictions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "atlas/detail/median.h"
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
    sample.seconds = medianOf(seconds);
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
    if (!errors[band].empty()) prediction.medianError[band] = medianOf(errors[band]);
  }
  return prediction;
}

namespace {

/// The samples of all healthy tables and what they belong to.
class Measurements {
 public:
  explicit Measurements(const std::stop_token& stop) {
    for (const AtlasTable& table : atlasTables()) {
      if (stop.stop_requested()) return;
      if (table.healthy != "yes") continue;
      const auto samples = samplesOf(table, m_labels);
      if (!samples.ok()) continue;
      for (const NcclSample& sample : *samples) {
        m_samples.push_back(sample);
        m_tables.push_back(&table);
      }
    }
    weigh();
  }

  [[nodiscard]] const std::vector<NcclSample>& samples() const { return m_samples; }
  [[nodiscard]] const AtlasTable& tableOf(std::size_t sample) const { return *m_tables[sample]; }
  [[nodiscard]] const NetworkLabels& labels() const { return m_labels; }

  [[nodiscard]] std::vector<bool> areOf(const std::string& machine) const {
    std::vector<bool> are;
    for (const AtlasTable* table : m_tables) are.push_back(table->machine() == machine);
    return are;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::size_t, int>;
  [[nodiscard]] Key keyOf(std::size_t i) const {
    const int nodes = m_tables[i]->nodes;
    const int scale = nodes == 1 ? 0 : nodes <= kFewNodes ? 1 : nodes <= kSomeNodes ? 2 : 3;
    return {m_tables[i]->machine(), m_tables[i]->collective, sizeBand(m_samples[i].bytes), scale};
  }
  // Machines that publish more rows do not count more; those that publish a few count less. Large machines count
  // as much as their small parts.
  static constexpr int kFewNodes = 8;
  static constexpr int kSomeNodes = 48;
  void weigh() {
    constexpr double kEnough = 6;
    std::map<Key, double> counts;
    for (std::size_t i = 0; i < m_samples.size(); ++i) ++counts[keyOf(i)];
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
      const double count = counts[keyOf(i)];
      m_samples[i].weight = std::min(1.0, count / kEnough) / count;
    }
  }

  std::vector<NcclSample> m_samples;
  std::vector<const AtlasTable*> m_tables;
  NetworkLabels m_labels;
};

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
  const AtlasRatio ratio{&table, sample.bytes, ratioOf(nominal, sample, {}), ratioOf(heldOut, sample, {})};
  if (std::isfinite(ratio.nominal) && std::isfinite(ratio.heldOut)) validation.ratios.push_back(ratio);
}

constexpr std::size_t kFewestMachines = 3;

}  // namespace

PredictionRanges rangesOf(const AtlasValidation& validation) {
  std::map<RangeCell, std::set<std::string>> machines;
  std::vector<HeldOutTime> single;
  std::vector<HeldOutTime> pooled;
  for (std::size_t i = 0; i < validation.heldOutTimes.size(); ++i) {
    HeldOutTime time = validation.heldOutTimes[i];
    machines[time.cell].insert(validation.heldOutMachines[i]);
    single.push_back(time);
    for (std::size_t kind = 0; kind < kStepKinds; ++kind) {
      time.cell.kind = kind;
      pooled.push_back(time);
    }
  }
  std::erase_if(single, [&](const HeldOutTime& time) { return machines[time.cell].size() < kFewestMachines; });
  PredictionRanges ranges = rangesOf(pooled);
  ranges.overlay(rangesOf(single));
  return ranges;
}

AtlasValidation nominalErrors(std::stop_token stop) { return validateOnAtlas(0, std::move(stop)); }

AtlasValidation validateOnAtlas(int fitSteps, std::stop_token stop) {
  const Measurements all(stop);
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
        validation.heldOutTimes.push_back(
            {{*step, table.nodes > 1, band}, ratio, 0, sample.weight, sample.traffic[0].nodes});
        validation.heldOutMachines.push_back(machine);
      }
      for (std::size_t kind = 0; kind < off.size(); ++kind) {
        byKey[{machine, table.collective, band}][kind].push_back(off[kind]);
        byBand[band][kind].push_back(off[kind]);
      }
    }
  }
  for (auto& [key, off] : byKey) {
    validation.errors.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), off[0].size(), medianOf(off[0]),
                                 medianOf(off[1]), medianOf(off[2])});
  }
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    validation.nominal[band] = medianOf(byBand[band][0]);
    validation.heldOut[band] = medianOf(byBand[band][1]);
    validation.fitted[band] = medianOf(byBand[band][2]);
  }
  return validation;
}

}  // namespace p2::inline atlas
