// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "run_answer/run_answer.h"

namespace p2::views {

/// The collectives of a measured run with their predictions and the reason of the difference, most expensive first.
class RunCollectivesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Collective, Bytes, Devices, Runs, Measured, Predicted, Difference, Wait, Reason, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;
  void show(std::shared_ptr<const RunAnswer> answer);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] QString textOf(const MeasuredCollective& row, int column) const;

  std::shared_ptr<const RunAnswer> m_answer;
};

}  // namespace p2::views
