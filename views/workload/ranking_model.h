// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "views/workload/ranking_words.h"

namespace p2::views {

/// The placements of a ranking, best first: a row of StepRanking::placements each. Qt::UserRole of the matrix column is
/// the matrix as text.
class RankingModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Mark, Matrix, Where, Step, Factor, Nic, Orders, Realised, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;
  void setRanking(std::shared_ptr<const StepRanking> ranking, std::optional<ReductionWinner> winner);
  /// Rows are greyed when they answer a question that was changed since.
  void setStale(bool stale);
  [[nodiscard]] const std::shared_ptr<const StepRanking>& ranking() const { return m_ranking; }
  [[nodiscard]] const std::optional<ReductionWinner>& winner() const { return m_winner; }
  [[nodiscard]] bool isStale() const { return m_stale; }
  /// longestBar() of the ranking.
  [[nodiscard]] double longest() const { return m_longest; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] QString text(std::size_t row, int column) const;
  [[nodiscard]] QString tip(std::size_t row, int column) const;
  [[nodiscard]] QString ordersTip(std::size_t row) const;
  [[nodiscard]] QString realisedText(const PlacementStep& placement) const;
  [[nodiscard]] QString realisedTip(const PlacementStep& placement) const;

  std::shared_ptr<const StepRanking> m_ranking;
  std::optional<ReductionWinner> m_winner;
  double m_longest = 0;
  bool m_stale = false;
};

/// "★◆": the best placement, and the Pareto front.
[[nodiscard]] QString placementMarks(const StepRanking& ranking, std::size_t placement);

}  // namespace p2::views
