// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/training_runs.h"

#include <cassert>

#include "base/counted.h"
#include "text/csv.h"
#include "training/detail/ring_prices.h"
#include "training/detail/run_columns.h"
#include "training/detail/run_systems.h"
#include "training/detail/training_files.h"

namespace p2::inline training {

namespace {

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
