// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/training_runs.h"

#include <cassert>

#include "base/counted.h"
#include "text/csv.h"
#include "training/detail/ring_prices.h"
#include "training/detail/run_systems.h"
#include "training/detail/training_files.h"

namespace p2::inline training {

Result<std::vector<TrainingRow>> trainingRowsFrom(std::string_view csv) {
  CsvReader lines(csv);
  CsvReader::Cells titles;
  if (!lines.next(titles)) return Error{"the file is empty", "line 1"};
  std::vector<TrainingRow> rows;
  CsvReader::Cells cells;
  while (lines.next(cells)) {
    if (cells.size() != titles.size()) {
      return Error{"there are " + countedText(cells.size(), "cell") + " instead of " + std::to_string(titles.size()),
                   "line " + std::to_string(lines.line())};
    }
    TrainingRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) row[titles[i]] = cells[i];
  }
  return rows;
}

Result<std::vector<TrainingRun>> trainingRunsFrom(std::string_view csv) {
  P2_TRY_ASSIGN(const std::vector<TrainingRow> rows, trainingRowsFrom(csv));
  std::vector<TrainingRun> runs;
  for (const TrainingRow& row : rows) runs.push_back(runFromRow(row));
  return runs;
}

const std::vector<TrainingRun>& trainingRuns() {
  static const std::vector<TrainingRun> kRuns = [] {
    auto read = trainingRunsFrom(trainingStepsFile());
    assert(read.ok());
    std::vector<TrainingRun> runs = std::move(read).value();
    RunTopologies topologies;
    for (TrainingRun& run : runs) {
      if (!run.isScored()) continue;
      if (auto prices = drawnPricesOf(run, topologies); prices.ok()) run.drawn = std::move(prices).value();
    }
    return runs;
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
