// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "timeline/step_timeline.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// The collectives of a training step, of one axis or all, most expensive first within an axis.
class CollectivesModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Axis, Collective, Purpose, Bytes, Devices, Runs, Each, Step, Link };

  using RowsModel::RowsModel;
  void setStudy(std::shared_ptr<const StepStudy> study);
  void setAxis(std::optional<ExposedAxis> axis);
  /// The number of a row in StepStudy::collectives.
  [[nodiscard]] std::size_t collectiveOf(int row) const { return m_rows[std::size_t(row)]; }
  /// Whether a cell leads to the programs of its collective.
  [[nodiscard]] bool isLink(const QModelIndex& index) const;

 protected:
  [[nodiscard]] int count() const override { return int(m_rows.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  void fill();
  [[nodiscard]] const StepCollective& at(int row) const { return m_study->collectives[collectiveOf(row)]; }

  std::shared_ptr<const StepStudy> m_study;
  std::optional<ExposedAxis> m_axis;
  std::vector<std::size_t> m_rows;
};

}  // namespace p2::views
