// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/training_runs.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include "base/counted.h"
#include "system/topology.h"
#include "text/csv.h"
#include "training/detail/nccl_prices.h"
#include "training/detail/placement_bound.h"
#include "training/detail/ring_prices.h"
#include "training/detail/run_columns.h"
#include "training/detail/training_files.h"
#include "workspace/machine_parts.h"

namespace p2::inline training {
namespace {

/// Draws every machine once. For one thread at a time.
class RunTopologies {
 public:
  /// Errors as systemOfRun() and of a system that cannot be worked with.
  [[nodiscard]] Result<std::shared_ptr<const Topology>> of(const TrainingRun& run);

 private:
  std::map<std::string, std::shared_ptr<const Topology>> m_known;
};

/// The machine of a published run, drawn from its parts: nodes, what joins their GPUs, NICs, rails. Errors for machines
/// without known parts (TPU, Trainium, Intel), and more nodes than devices.
Result<System> systemOfRun(const TrainingRun& run) {
  if (generationOf(run.device).empty()) return Error{"the parts of \"" + run.device + "\" are not known"};
  const std::int64_t devices = run.configuration.plan.devices;
  MachineParts parts;
  parts.gpu = run.device;
  const bool rack = run.device.starts_with("GB");
  parts.gpusPerNode = rack ? std::min<std::int64_t>(4, devices) : std::min(run.accelerator.domain, devices);
  if (parts.gpusPerNode < 1 || devices % parts.gpusPerNode != 0)
    return Error{"the number of devices is not a multiple of the devices of a node"};
  parts.nodes = devices / parts.gpusPerNode;
  const bool volta = run.device.starts_with("V100");
  const bool pcie = run.accelerator.link <= 32e9;
  parts.nvlink = rack                           ? "MNNVL"
                 : pcie                         ? ""
                 : run.device.starts_with("MI") ? "Infinity Fabric"
                 : volta                        ? "cube mesh"
                                                : "NVSwitch";
  // As many cards as have the bandwidth of their kind: 8 of 25 GB/s, or a single one.
  const double node = run.accelerator.nic * static_cast<double>(parts.gpusPerNode);
  const double card = run.accelerator.nic >= 25e9 ? run.accelerator.nic : std::min(node, 12.5e9);
  parts.nics = std::max<std::int64_t>(1, std::llround(node / card));
  while (parts.gpusPerNode % parts.nics != 0) --parts.nics;
  parts.nicBandwidth = node / static_cast<double>(parts.nics);
  parts.fabric = "IB";
  return systemOf(parts);
}

Result<std::shared_ptr<const Topology>> RunTopologies::of(const TrainingRun& run) {
  const std::string key = run.device + " " + std::to_string(run.configuration.plan.devices) + " " +
                          std::to_string(run.accelerator.domain) + " " + std::to_string(run.accelerator.nic) + " " +
                          std::to_string(run.accelerator.link);
  auto& known = m_known[key];
  if (known) return known;
  P2_TRY_ASSIGN(const System system, systemOfRun(run));
  P2_TRY_ASSIGN(auto checked, validated(system));
  known = std::make_shared<const Topology>(std::move(checked));
  return known;
}

/// The prices of a run on its drawn machine, ranks in Megatron's default order. Errors as above, and for degrees that
/// cannot be laid out over its levels.
Result<std::unique_ptr<CommunicationPrices>> drawnPricesOf(const TrainingRun& run, RunTopologies& topologies) {
  P2_TRY_ASSIGN(auto topology, topologies.of(run));
  P2_TRY_ASSIGN(const TrainingMesh mesh, trainingMesh(run.model, run.configuration.plan));
  std::unique_ptr<CommunicationPrices> prices;
  // On one device there is nothing to place.
  if (mesh.axes.empty()) return std::unique_ptr<CommunicationPrices>(std::make_unique<NoCommunication>());
  P2_TRY_ASSIGN(const ParallelismMatrix matrix, defaultPlacement(*topology->system(), mesh));
  prices = std::make_unique<NcclPrices>(topology, mesh, matrix, routingOf(run.model, run.configuration.dispatch));
  return prices;
}

/// The titles, and every row with the line on which it begins. The error's position is a line.
struct RowsOfFile {
  std::vector<std::string> titles;
  std::vector<TrainingRow> rows;
  std::vector<std::string> lines;
};

Result<RowsOfFile> readRows(std::string_view csv) {
  CsvReader lines(csv);
  RowsOfFile read;
  if (!lines.next(read.titles)) return Error{"the file is empty", "line 1"};
  CsvReader::Cells cells;
  while (lines.next(cells)) {
    read.lines.push_back("line " + std::to_string(lines.line()));
    if (cells.size() != read.titles.size()) {
      return Error{countedText(cells.size(), "cell") + " instead of " + std::to_string(read.titles.size()),
                   read.lines.back()};
    }
    TrainingRow& row = read.rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) row[read.titles[i]] = cells[i];
  }
  if (lines.isLeftOpen()) return Error{"a quote that begins here does not end", "line " + std::to_string(lines.line())};
  return read;
}

}  // namespace

Result<std::vector<TrainingRow>> trainingRowsFrom(std::string_view csv) {
  P2_TRY_ASSIGN(RowsOfFile read, readRows(csv));
  return std::move(read.rows);
}

Result<std::vector<TrainingRun>> trainingRunsFrom(std::string_view csv) {
  P2_TRY_ASSIGN(const std::vector<TrainingRow> rows, trainingRowsFrom(csv));
  std::vector<TrainingRun> runs;
  for (const TrainingRow& row : rows) runs.push_back(runFromRow(row));
  return runs;
}

namespace {

void drawMachines(std::vector<TrainingRun>& runs) {
  RunTopologies topologies;
  for (TrainingRun& run : runs) {
    if (!run.isScored()) continue;
    if (auto prices = drawnPricesOf(run, topologies); prices.ok()) run.drawn = std::move(prices).value();
  }
}

}  // namespace

const std::vector<TrainingRun>& trainingRuns() {
  static const std::vector<TrainingRun> kRuns = [] {
    auto read = trainingRunsFrom(trainingStepsFile());
    assert(read.ok());
    std::vector<TrainingRun> runs = std::move(read).value();
    drawMachines(runs);
    return runs;
  }();
  return kRuns;
}

Result<OtherTrainingRuns> otherTrainingRunsFrom(std::string_view csv, const std::string& name) {
  P2_TRY_ASSIGN(RowsOfFile read, readRows(csv));
  P2_TRY(checkRunColumns(read.titles));
  OtherTrainingRuns others{{}, unknownRunColumns(read.titles)};
  for (std::size_t i = 0; i < read.rows.size(); ++i) {
    if (auto checked = completeRow(read.rows[i], name); !checked.ok()) return checked.error().at(read.lines[i]);
    others.runs.push_back(runFromRow(read.rows[i]));
    others.runs.back().unseen = true;
  }
  if (others.runs.empty()) return Error{"there is no run below the titles", "line 1"};
  drawMachines(others.runs);
  return others;
}

const std::vector<TrainingRun>& unseenRuns() {
  static const std::vector<TrainingRun> kRuns = [] {
    auto read = otherTrainingRunsFrom(unseenRunsFile(), "");
    assert(read.ok());
    return std::move(read).value().runs;
  }();
  return kRuns;
}

Result<StepEstimate> estimateRun(const TrainingRun& run, const TrainingConstants& constants) {
  if (run.drawn) return estimateStep(run.model, run.configuration, run.accelerator, *run.drawn, constants);
  const StepConstants values(constants, constants.numbersFor(run.accelerator.generation, run.configuration));
  const RingPrices prices(run.accelerator, run.configuration.plan,
                          run.configuration.dispatch != ExpertDispatch::AllToAll ? run.model.expertsPerToken : 0,
                          values);
  return estimateStep(run.model, run.configuration, run.accelerator, prices, constants);
}

}  // namespace p2::inline training
