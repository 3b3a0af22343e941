// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "views/strategy/pipeline_answer.h"

namespace p2::views {

/// The stages of a pipeline: each one's operators, slot and memory.
class PipelineStagesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    StageColumn,
    OperatorsColumn,
    CostColumn,
    MemoryColumn,
    StageTimeColumn,
    SendsColumn,
    OnceColumn,
    FlightColumn,
    MeshColumn,
    ColumnCount
  };

  using QAbstractTableModel::QAbstractTableModel;

  void show(std::shared_ptr<const PipelineAnswer> answer);
  void setStale(bool stale);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString cellText(std::size_t stage, int column) const;
  [[nodiscard]] QString toolTip(std::size_t stage) const;

  std::shared_ptr<const PipelineAnswer> m_answer;
  bool m_stale = false;
};

}  // namespace p2::views
