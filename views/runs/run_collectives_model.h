// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "run_answer/run_answer.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// The collectives of a measured run with their predictions and the reason of the difference, most expensive first.
class RunCollectivesModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Collective, Bytes, Devices, Runs, Measured, Predicted, Difference, Wait, Reason };

  using RowsModel::RowsModel;
  void show(std::shared_ptr<const RunAnswer> answer);

 protected:
  [[nodiscard]] int count() const override { return m_answer ? int(m_answer->collectives.size()) : 0; }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;

 private:
  std::shared_ptr<const RunAnswer> m_answer;
};

}  // namespace p2::views
