// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/rows_model.h"
#include "views/strategy/pipeline_answer.h"

namespace p2::views {

/// The stages of a pipeline: each one's operators, slot and memory.
class PipelineStagesModel : public RowsModel {
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
    MeshColumn
  };

  using RowsModel::RowsModel;

  void show(std::shared_ptr<const PipelineAnswer> answer);

 protected:
  [[nodiscard]] int count() const override { return m_answer ? int(m_answer->pipeline.stages.size()) : 0; }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  std::shared_ptr<const PipelineAnswer> m_answer;
};

}  // namespace p2::views
