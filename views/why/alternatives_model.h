// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "training_answer/plan_alternatives.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// Why this plan and not another: the best plans with another value of a choice, the nearest first, each with its cost
/// and its reason.
class AlternativesModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Change, Step, Difference, Reason };

  using RowsModel::RowsModel;
  /// Alternatives to a plan of that time; null for none.
  void setAlternatives(std::shared_ptr<const std::vector<PlanAlternative>> found, const StepEstimate& plan);
  [[nodiscard]] const PlanAlternative& at(int row) const { return (*m_found)[std::size_t(row)]; }
  /// Whether a cell leads to the comparison with the plan. A refused alternative has nothing to compare.
  [[nodiscard]] bool isLink(const QModelIndex& index) const;
  /// "Nearest: tp 4 instead of 8, +1.30 s (6 %): a larger bubble."; says so where no other runs.
  [[nodiscard]] QString nearestText() const;

 protected:
  [[nodiscard]] int count() const override { return m_found ? int(m_found->size()) : 0; }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  [[nodiscard]] QString differenceText(const PlanAlternative& each) const;

  std::shared_ptr<const std::vector<PlanAlternative>> m_found;
  StepEstimate m_plan;
};

}  // namespace p2::views
