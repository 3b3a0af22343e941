// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "training/accelerator_data.h"
#include "training/detail/configuration.h"
#include "training/detail/constants.h"
#include "training/step_estimate.h"

namespace p2::inline training {

/// A published training step with its configuration, as a row of resources/training/steps.csv.
struct TrainingRun {
  std::string table;      ///< "Narayanan 2021 / A100-80GB / Megatron": rows of one make, scored together
  std::string source;     ///< publisher: "Narayanan 2021"; rows of one are held out together
  std::string reference;  ///< repository and file, or paper and table
  std::string name;       ///< name of the model
  std::string device;     ///< name of the accelerator, as published
  std::string note;
  std::string release;  ///< release of the framework's container: "26.04.01"; empty where the row names none
  ModelShape model;
  TrainingConfiguration configuration;
  TrainingAccelerator accelerator;
  /// On its machine as drawn from its parts, see drawnPricesOf(); none where these are not known.
  std::shared_ptr<const CommunicationPrices> drawn = {};
  double seconds = 0;                     ///< measured
  std::string unscored = {};              ///< why it is neither scored nor fitted to; empty if it is
  std::vector<std::string> assumed = {};  ///< defaults for figures missing in the row
  bool unseen = false;                    ///< kept to test the model, see unseenRuns()
  bool hasDerivedLayers = false;          ///< layers follow from the number of parameters

  [[nodiscard]] bool isScored() const { return unscored.empty(); }
};

/// All bundled runs, in the file's order, with their machines drawn. The first call takes half a second.
[[nodiscard]] const std::vector<TrainingRun>& trainingRuns();
/// From the text of steps.csv. The error's position is a line.
[[nodiscard]] Result<std::vector<TrainingRun>> trainingRunsFrom(std::string_view csv);
/// Bundled runs of resources/training/unseen_runs.csv that test the model of a step: no constant is fitted to them. The
/// first call takes a tenth of a second.
[[nodiscard]] const std::vector<TrainingRun>& unseenRuns();

/// Runs that no constant was fitted to, with their machines drawn.
struct OtherTrainingRuns {
  std::vector<TrainingRun> runs;
  std::vector<std::string> unknownColumns;  ///< titles that nothing is read from
};
/// From a table of runs with any of the columns of steps.csv, and `etp` and `schedule`. It needs gpu_type, gpus, seq,
/// global_batch_sequences, and step_seconds or tokens_per_s_per_gpu. `name` stands for tables that rows do not name.
/// Errors: a missing column, a cell that is no number; the position is a line.
[[nodiscard]] Result<OtherTrainingRuns> otherTrainingRunsFrom(std::string_view csv, const std::string& name);

/// The prediction of a run: with the collectives of its drawn machine, else with rings at the row's bandwidths.
/// Errors as estimateStep().
[[nodiscard]] Result<StepEstimate> estimateRun(const TrainingRun& run,
                                               const TrainingConstants& constants = trainingConstants());

/// A row by its columns' names.
using TrainingRow = std::map<std::string, std::string, std::less<>>;
/// The rows of a CSV file with titles. The error's position is a line.
[[nodiscard]] Result<std::vector<TrainingRow>> trainingRowsFrom(std::string_view csv);
/// Model, configuration and machine of a row; missing figures are assumed, see TrainingRun::assumed.
[[nodiscard]] TrainingRun runFromRow(const TrainingRow& row);
/// The shape of a row's model: its columns, completed by published figures of models of that name.
void completeShape(const TrainingRow& row, TrainingRun& run);

}  // namespace p2::inline training
