// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "training/training_runs.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// A measured training step next to its prediction.
struct ComparedStep {
  const TrainingRun* run = nullptr;
  std::optional<StepEstimate> estimate = {};  ///< none if it cannot be predicted
  std::string problem = {};                   ///< why not
};
/// All published steps, in the order of their tables, those first that no constant was fitted to. Half a second and
/// more. Errors: cancelled.
[[nodiscard]] Result<std::vector<ComparedStep>> comparedSteps(const std::stop_token& stop);

/// A table of runs that the user opened, next to their predictions.
struct OpenedRuns {
  QString name;  ///< the file's, without its folder
  OtherTrainingRuns table;
  std::vector<ComparedStep> steps = {};  ///< one for each run of the table
};
/// The runs of a CSV file. Errors: of otherTrainingRunsFrom(), with the file; cancelled.
[[nodiscard]] Result<std::shared_ptr<const OpenedRuns>> openRuns(const QString& path, const std::stop_token& stop);

/// Steps like the ones of a document.
struct AccuracyFilter {
  std::string generation;       ///< accelerators of this generation; empty for all
  std::optional<bool> mixture;  ///< mixtures of experts or dense models
  std::optional<FrameworkFamily> family;
};

/// Errors of the predictions of the shown steps.
struct AccuracySummary {
  std::size_t steps = 0;
  std::size_t fitted = 0;     ///< number of them used for fitting
  std::size_t unseen = 0;     ///< number of them that no constant was fitted to, see TrainingRun::unseen
  double unseenError = 0;     ///< medianError of those
  double medianError = 0;     ///< median of |ln(predicted / measured)|, as p2 atlas
  double withinInterval = 0;  ///< share of measured times in the predicted interval
  std::size_t tooLong = 0;    ///< number of steps whose prediction is above the measured time
};

class AccuracyModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Model, Machine, Degrees, Batch, Precision, Measured, Predicted, Error, Fitted, Source };

  using RowsModel::RowsModel;

  void setSteps(std::shared_ptr<const std::vector<ComparedStep>> steps, const AccuracyFilter& filter);
  [[nodiscard]] const ComparedStep& at(int row) const { return (*m_steps)[m_rows[std::size_t(row)]]; }
  [[nodiscard]] AccuracySummary summary() const;

 protected:
  [[nodiscard]] int count() const override { return int(m_rows.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;

 private:
  std::shared_ptr<const std::vector<ComparedStep>> m_steps;
  std::vector<std::size_t> m_rows;
};

}  // namespace p2::views
