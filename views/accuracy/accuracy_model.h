// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

#include "training/training_runs.h"

namespace p2::views {

/// A published training step next to its prediction.
struct ComparedStep {
  const TrainingRun* run = nullptr;
  std::optional<StepEstimate> estimate;  ///< none if it cannot be predicted
};
/// All published steps, in the order of their tables. Half a second and more. Errors: cancelled.
[[nodiscard]] Result<std::vector<ComparedStep>> comparedSteps(const std::stop_token& stop);

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
  double medianError = 0;     ///< median of |predicted / measured − 1|
  double withinInterval = 0;  ///< share of measured times in the predicted interval
  std::size_t tooLong = 0;    ///< number of steps whose prediction is above the measured time
};

class AccuracyModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Model, Machine, Degrees, Batch, Precision, Measured, Predicted, Error, Fitted, Source, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void setSteps(std::shared_ptr<const std::vector<ComparedStep>> steps, const AccuracyFilter& filter);
  [[nodiscard]] const ComparedStep& at(int row) const { return (*m_steps)[m_rows[std::size_t(row)]]; }
  [[nodiscard]] AccuracySummary summary() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString textAt(int row, int column) const;

  std::shared_ptr<const std::vector<ComparedStep>> m_steps;
  std::vector<std::size_t> m_rows;
};

}  // namespace p2::views
