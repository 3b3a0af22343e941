// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

#include "atlas/detail/atlas_files.h"
#include "cost/simulator.h"
#include "support/atlas/free_curves.h"
#include "support/atlas/noise_floor.h"
#include "support/atlas/scale_bands.h"
#include "support/atlas/shipped_ranges.h"
#include "support/atlas/site_study.h"
#include "support/atlas/validation.h"
#include "text/text_file.h"
#include "workspace/presets.h"

using namespace p2;

namespace {

std::string rangesFile;

// The interval that every prediction has unless its system is calibrated, and how often it holds.
void tellRanges(const AtlasValidation& validation) {
  const PredictionRanges ranges = rangesOf(validation);
  std::printf("\n80 %% of the times, measured over predicted, of machines that were held out\n");
  for (const RangeCell& cell : rangeCells()) {
    const ErrorRange& range = ranges.of(cell);
    std::printf("%-29s %-14s %-13s %6.3f to %6.3f, of %lld\n", kStepKindNames[cell.kind].data(),
                cell.acrossNodes ? "between nodes" : "inside a node", kSizeBandNames[cell.band].data(), range.low,
                range.high, static_cast<long long>(range.measurements));
  }
  const auto coverage = coverageOf(validation);
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    std::printf("ranges from the other machines hold for %.1f %% of the times %s\n", 100 * coverage[band],
                kSizeBandNames[band].data());
  }
  if (!rangesFile.empty()) std::ofstream(rangesFile) << rangesFileText(ranges);
}

// What no model can be asked for: how far measurements of the same thing are from each other.
void tellFloor() {
  const NoiseFloor floor = noiseFloor();
  std::printf("twins: machines of the same description; median |error| below 64 KiB, to 4 MiB, above\n");
  std::printf("%-24s %-14s %-6s %-23s %s\n", "machine", "collective", "nodes", "predicted by its twins",
              "by the model");
  for (const FloorTwin& sample : floor.each) {
    std::printf("%-24s %-14s %2dx%-3d", sample.machine.c_str(), sample.collective.c_str(), sample.nodes,
                sample.devices);
    for (double FloorError::*error : {&FloorError::other, &FloorError::model}) {
      for (const FloorError& band : sample.byBand)
        std::printf(band.times > 0 ? " %5.1f %%" : "       -", 100 * (band.*error));
      std::printf("  ");
    }
    std::printf("\n");
  }
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    const FloorError& again = floor.repeated[band];
    const FloorError& twins = floor.twins[band];
    std::printf("%-12s the same machine again %.1f %% (%lld times), a twin %.1f %% (%lld; the model %.1f %%), ",
                kSizeBandNames[band].data(), 100 * again.other, static_cast<long long>(again.times), 100 * twins.other,
                static_cast<long long>(twins.times), 100 * twins.model);
    std::printf("median twin %.1f %% (the model %.1f %%), at best reachable %.1f %%\n",
                100 * floor.ofTwins(band, &FloorError::other), 100 * floor.ofTwins(band, &FloorError::model),
                100 * floor.reachable(band));
  }
}

// What no correction of the model by collective, nodes and size can take away.
void tellFreeCurves() {
  std::printf("\nfree curves: whatever factor on the model fits best, its constants as they are\n");
  const auto curves = freeCurves();
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    const FreeCurve& curve = curves[band];
    std::printf(
        "%-12s %lld times: the model %.1f %%; a factor by collective, one or several nodes, and size: in sample "
        "%.1f %%, from other machines %.1f %%; one by machine and collective, in sample %.1f %%\n",
        kSizeBandNames[band].data(), static_cast<long long>(curve.times), 100 * curve.model, 100 * curve.inSample,
        100 * curve.heldOut, 100 * curve.byMachine);
  }
}

// Four nodes of eight GPUs and eight NICs of 50 GB/s: what is predicted, and what such networks were measured to give.
void tellFourNodes() {
  constexpr double kNetwork = 400e9;
  constexpr double kLeast = 1073741824;
  const auto system = presetSystem("dgx-h100", 4);
  const Topology topology(validated(*system).value());
  DeviceGroup group;
  for (const Device device : IdRange<Device>(topology.deviceCount())) group.push_back(device);
  const std::vector<double> whole(group.size(), 1);
  const LoweredStep step{Collective::AllReduce, {{group, whole, whole}}};
  const StepCost cost = simulateStep(topology, step, {Algorithm::Auto, Bytes(kLeast), 1, "nccl"});
  const double moved = busFactor("all_reduce", 32) * kLeast / 1e9;
  std::printf(
      "\nAllReduce of 1 GiB on dgx-h100:4: %.0f GB/s of bus bandwidth, four in five measured times within %.0f to "
      "%.0f\n",
      moved / cost.seconds, moved / cost.highSeconds, moved / cost.lowSeconds);
  for (const AtlasTable& table : atlasTables()) {
    const double network = table.nics * table.nicBandwidth;
    if (table.collective != "all_reduce" || table.healthy != "yes" || table.nodes <= 2 || table.gpusPerNode != 8)
      continue;
    if (std::abs(network - kNetwork) > 0.02 * kNetwork) continue;
    for (const AtlasRow& row : table.rows) {
      if (row.bytes < kLeast) continue;
      std::printf("%-24s %2d x %d %-16s %5.1f GiB %6.1f GB/s%s\n", table.name.c_str(), table.nodes, table.gpusPerNode,
                  table.gpu.c_str(), row.bytes / kLeast, row.busBandwidth / 1e9, row.inPlace ? " in place" : "");
    }
  }
}

// The tables as every program that asks for them reads them once.
void readingTheTables(benchmark::State& state) {
  const std::string tables = readTextFile(P2_RESOURCES "/atlas/tables.csv").value();
  const std::string rows = readTextFile(P2_RESOURCES "/atlas/rows.csv").value();
  for (auto _ : state) {
    auto read = atlasFrom(tables, rows);
    if (!read.ok()) return state.SkipWithError(read.error().text().c_str());
    benchmark::DoNotOptimize(read);
  }
}
BENCHMARK(readingTheTables)->Unit(benchmark::kMillisecond);

// Every machine of the atlas predicted by constants that were fitted to the others, by machine, collective and size.
void crossValidation(benchmark::State& state) {
  AtlasValidation validation;
  for (auto _ : state) validation = validateOnAtlas(60);
  std::printf("%-24s %-15s %-11s %5s %9s %9s\n", "machine", "collective", "sizes", "rows", "nominal", "held out");
  constexpr const char* kBands[] = {"< 64 KiB", "to 4 MiB", "above"};
  for (const BandError& error : validation.errors) {
    std::printf("%-24s %-15s %-11s %5zu %7.1f %% %7.1f %%\n", error.machine.c_str(), error.collective.c_str(),
                kBands[error.band], error.samples, 100 * error.nominal, 100 * error.heldOut);
  }
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    std::printf("median, %-9s nominal %.1f %%, held out %.1f %%, fitted %.1f %%\n", kBands[band],
                100 * validation.nominal[band], 100 * validation.heldOut[band], 100 * validation.fitted[band]);
  }
  printScaleBands(scaleBands(validation));
  printSiteStudies(siteStudies(validation));
  std::printf("\nconstants (prior, fitted, what the measurements leave of the spread)\n");
  for (std::size_t i = 0; i < kNcclConstants; ++i) {
    const NcclConstants::Entry& entry = ncclConstantTable()[i];
    std::printf("%-50s %10.4g %10.4g %6.2f\n", entry.key.c_str(), entry.prior, validation.fit.constants.values[i],
                validation.fit.open[i]);
  }
  for (std::size_t i = 0; i < validation.networks.size(); ++i) {
    std::printf("latency of %-39s %10.2f times\n", validation.networks[i].c_str(), validation.fit.networks[i]);
  }
  tellRanges(validation);
}
BENCHMARK(crossValidation)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace

// --ranges FILE writes resources/nccl/ranges.json anew; --floor tells how far measurements are from each
// other, and what free curves leave of the errors, and what four nodes were measured to reach.
int main(int count, char** words) {
  if (count == 2 && std::string(words[1]) == "--floor") {
    tellFloor();
    tellFreeCurves();
    tellFourNodes();
    return 0;
  }
  if (count == 3 && std::string(words[1]) == "--ranges") {
    rangesFile = words[2];
    count = 1;
  }
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
}
