// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/rows_model.h"
#include "views/workload/ranking_words.h"

namespace p2::views {

/// The placements of a ranking, best first: a row of StepRanking::placements each. Qt::UserRole of the matrix column is
/// the matrix as text.
class RankingModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Mark, Matrix, Where, Step, Factor, Nic, Orders, Realised, ColumnCount };

  using RowsModel::RowsModel;
  void setRanking(std::shared_ptr<const StepRanking> ranking, std::optional<ReductionWinner> winner);
  [[nodiscard]] const std::shared_ptr<const StepRanking>& ranking() const { return m_ranking; }
  [[nodiscard]] const std::optional<ReductionWinner>& winner() const { return m_winner; }
  /// longestBar() of the ranking.
  [[nodiscard]] double longest() const { return m_longest; }

 protected:
  [[nodiscard]] int count() const override { return m_ranking ? int(m_ranking->placements.size()) : 0; }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  [[nodiscard]] QString ordersTip(std::size_t row) const;
  [[nodiscard]] QString realisedText(const PlacementStep& placement) const;
  [[nodiscard]] QString realisedTip(const PlacementStep& placement) const;

  std::shared_ptr<const StepRanking> m_ranking;
  std::optional<ReductionWinner> m_winner;
  double m_longest = 0;
};

/// "★◆": the best placement, and the Pareto front.
[[nodiscard]] QString placementMarks(const StepRanking& ranking, std::size_t placement);

}  // namespace p2::views
