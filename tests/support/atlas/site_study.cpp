// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/atlas/site_study.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "base/median.h"
#include "cost/calibration/library_calibration.h"
#include "cost/calibration/system_tuning.h"
#include "cost/simulator.h"
#include "support/atlas/shipped_ranges.h"

namespace p2 {
namespace {

constexpr int kFew = 8;
constexpr int kMany = 16;
constexpr double kLeastBytes = 1048576;

using Tables = std::vector<const AtlasTable*>;

std::optional<Algorithm> forcedIn(const AtlasTable& table) {
  if (table.algorithm.find("Ring") != std::string::npos) return Algorithm::Ring;
  if (table.algorithm == "Tree") return Algorithm::Tree;
  if (table.algorithm == "NVLSTree") return Algorithm::NvlsTree;
  return std::nullopt;
}

/// Tables that differ in their nodes and forced algorithms alone.
std::map<std::pair<std::string, std::string>, Tables> studiedTables() {
  std::map<std::pair<std::string, std::string>, Tables> groups;
  for (const AtlasTable& table : atlasTables()) {
    if (table.healthy != "yes" || table.collective != "all_reduce" || table.nodes < 2 || !table.protocol.empty())
      continue;
    const auto word = [](const std::string& text) { return text.empty() ? "?" : text.substr(0, text.find(' ')); };
    groups[{table.machine(), "nvls " + word(table.nvls) + ", sharp " + word(table.sharp) + ", " +
                                 std::to_string(table.gpusPerNode) + " GPUs a node"}]
        .push_back(&table);
  }
  return groups;
}

std::vector<MeasuredTime> measurementsOf(const Tables& tables, const std::vector<int>& nodes) {
  std::vector<MeasuredTime> measured;
  for (const AtlasTable* table : tables) {
    if (std::find(nodes.begin(), nodes.end(), table->nodes) == nodes.end()) continue;
    for (const AtlasRow& row : table->rows) {
      if (row.seconds <= 0 || row.bytes < kLeastBytes) continue;
      MeasuredTime time;
      const std::int64_t devices = std::int64_t{table->nodes} * table->gpusPerNode;
      time.axes = {{"all", devices, true}};
      time.matrix = ParallelismMatrix(1, 2);
      time.matrix.set(0, 0, table->nodes);
      time.matrix.set(0, 1, table->gpusPerNode);
      time.cost = {Algorithm::Auto, Bytes(row.bytes), 1, "nccl"};
      time.seconds = row.seconds;
      time.outermost = table->nodes;
      time.forced = forcedIn(*table);
      time.backToBack = true;
      time.file = table->name;
      measured.push_back(std::move(time));
    }
  }
  return measured;
}

/// The system with all constants said, so that none of those that were fitted to it too is used.
System withConstants(System system, const NcclConstants& constants, const std::vector<TunedConstant>& tuned) {
  system.calibrated = true;
  system.tuned.clear();
  for (std::size_t i = 0; i < kNcclConstants; ++i) {
    const std::string& key = ncclConstantTable()[i].key;
    const auto own = std::find_if(tuned.begin(), tuned.end(), [&](const TunedConstant& one) { return one.key == key; });
    system.tuned.push_back({key, own == tuned.end() ? constants.values[i] : own->value});
  }
  return system;
}

struct Judgement {
  std::vector<double> errors;
  std::vector<double> widths;
  std::size_t inside = 0;

  void add(double measured, double predicted, double low, double high) {
    errors.push_back(std::abs(std::log(predicted / measured)));
    widths.push_back(std::log(high / low));
    inside += measured >= low && measured <= high;
  }
};

/// `others` are the ranges to be used where the system has none.
Judgement judged(const System& system, const Tables& tables, int nodes, const PredictionRanges* others) {
  const auto valid = validated(system);
  const Topology topology(*valid);
  DeviceGroup group;
  for (const Device device : IdRange<Device>(topology.deviceCount())) group.push_back(device);
  const std::vector<double> whole(group.size(), 1);
  const LoweredStep step{Collective::AllReduce, {{group, whole, whole}}};
  const NcclModel model(ncclConstants(), NcclModel::Repeats::BackToBack);
  Judgement judgement;
  for (const AtlasTable* table : tables) {
    if (table->nodes != nodes) continue;
    std::vector<Traffic> ways;
    for (const Algorithm algorithm :
         model.candidates(Collective::AllReduce, forcedIn(*table).value_or(Algorithm::Auto)))
      ways.push_back(trafficOf(topology, step, model, algorithm));
    for (const AtlasRow& row : table->rows) {
      if (row.seconds <= 0 || row.bytes < kLeastBytes) continue;
      RunChoice runs;
      for (const Traffic& traffic : ways) runs.consider(model.price(traffic, Bytes(row.bytes)));
      StepCost cost = runs.chosen();
      if (!std::isfinite(cost.seconds)) continue;
      if (others != nullptr) {
        const ErrorRange range = others->at({0, true, sizeBand(Bytes(row.bytes))}, ways[0].machine->network,
                                            {ways[0].nodes, ways[0].members}, Bytes(row.bytes));
        cost.lowSeconds = cost.seconds * range.low;
        cost.highSeconds = cost.seconds * range.high;
      }
      judgement.add(row.seconds, cost.seconds, cost.lowSeconds, cost.highSeconds);
    }
  }
  return judgement;
}

}  // namespace

std::vector<SiteStudy> siteStudies(const AtlasValidation& heldOut) {
  const auto others = rangesOfOthers(heldOut);
  std::vector<SiteStudy> studies;
  for (const auto& [key, tables] : studiedTables()) {
    std::set<int> few;
    const AtlasTable* largest = tables.front();
    for (const AtlasTable* table : tables) {
      if (table->nodes > largest->nodes) largest = table;
      if (table->nodes <= kFew) few.insert(table->nodes);
    }
    if (largest->nodes < kMany || few.empty()) continue;
    SiteStudy study;
    study.machine = key.first;
    study.settings = key.second;
    study.nodes = largest->nodes;
    const NcclConstants& start = heldOut.heldOutConstants.at(key.first);
    const auto nominal = systemOf(*largest);
    const PredictionRanges& ranges = others.at(key.first);
    const Judgement without = judged(withConstants(*nominal, start, {}), tables, study.nodes, &ranges);
    if (without.errors.empty()) continue;
    study.times = without.errors.size();
    study.without = upperMedianOf(without.errors);
    study.insideWithout = double(without.inside) / double(study.times);
    study.widthWithout = upperMedianOf(without.widths);
    // The least alone, it and the most, and all.
    std::set<std::vector<int>> chosen{{*few.begin()}, {few.begin(), few.end()}};
    if (few.size() > 1) chosen.insert({*few.begin(), *few.rbegin()});
    for (const std::vector<int>& measured : chosen) {
      const auto fitted =
          calibrateLibrary(*nominal, measurementsOf(tables, measured), HoldOut::Tables, 5, {}, {}, start);
      if (!fitted.ok()) continue;
      const Judgement with = judged(withConstants(fitted->system, start, fitted->system.tuned), tables, study.nodes,
                                    fitted->system.ranges.empty() ? &ranges : nullptr);
      if (with.errors.size() != study.times) continue;
      study.measured = measured;
      study.with = upperMedianOf(with.errors);
      study.insideWith = double(with.inside) / double(study.times);
      study.widthWith = upperMedianOf(with.widths);
      study.site = fitted->site;
      studies.push_back(study);
    }
  }
  return studies;
}

void printSiteStudies(const std::vector<SiteStudy>& studies) {
  for (const SiteStudy& study : studies) {
    std::string measured;
    for (const int nodes : study.measured) measured += (measured.empty() ? "" : " and ") + std::to_string(nodes);
    std::printf(
        "%-12s %-38s %s nodes measured, %d predicted, %zu times: |ln| %.3f without, %.3f with; inside %.0f%%, "
        "%.0f%%; ln(high/low) %.2f, %.2f",
        study.machine.c_str(), study.settings.c_str(), measured.c_str(), study.nodes, study.times, study.without,
        study.with, 100 * study.insideWithout, 100 * study.insideWith, study.widthWithout, study.widthWith);
    for (const FittedSite& site : study.site)
      std::printf("; %s %.3g to %.3g", site.name.c_str(), site.nominal, site.fitted);
    std::printf("\n");
  }
}

}  // namespace p2
