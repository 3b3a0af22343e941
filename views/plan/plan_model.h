// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "views/common/rows_model.h"
#include "views/plan/plan_words.h"

namespace p2::views {

/// Configurations with their placements, best first.
class PlanModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Place, Degrees, Batch, Memory, Time, Step, Mfu, Tokens, Layers, Orders, ColumnCount };

  using RowsModel::RowsModel;

  /// Rows of the model are places in the answer.
  void setAnswer(std::shared_ptr<const PlannerAnswer> found);
  /// Marks the user's own configuration by its place in the answer; −1 for none.
  void setMine(int place);
  /// The selected row by its place in the answer, whose ties are marked; −1 for none.
  void setShown(int place);
  [[nodiscard]] const std::shared_ptr<const PlannerAnswer>& found() const { return m_found; }
  [[nodiscard]] const PlannedConfiguration& at(int row) const {
    return m_found->answer.configurations[std::size_t(row)];
  }
  /// Seconds of the longest bar.
  [[nodiscard]] double longest() const { return m_longest; }

 protected:
  [[nodiscard]] int count() const override { return m_found ? int(m_found->rows()) : 0; }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  [[nodiscard]] QString placeText(std::size_t place) const;
  [[nodiscard]] bool isTiedWithShown(std::size_t place) const;

  std::shared_ptr<const PlannerAnswer> m_found;
  double m_longest = 0;
  int m_mine = -1;
  int m_shown = -1;
};

}  // namespace p2::views
