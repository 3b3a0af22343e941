// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "views/common/rows_model.h"
#include "views/strategy/strategy_answer.h"

namespace p2::views {

/// The cheapest strategies, best first, and how far each is from the best. Strategies of equal cost are one
/// row until it is unfolded.
class StrategiesModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { RankColumn, CostColumn, ExtraCostColumn, DifferentColumn, MemoryColumn };

  using RowsModel::RowsModel;

  /// False when it shows that answer already.
  bool show(std::shared_ptr<const StrategyAnswer> answer);

  /// The strategy of a row, or the first of those that it stands for.
  [[nodiscard]] std::size_t strategyAt(int row) const { return m_rows[std::size_t(row)].first; }
  /// Lists the strategies of the same cost that a row stands for one by one, or as one again.
  void toggle(int row);

 protected:
  [[nodiscard]] int count() const override { return int(m_rows.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;

 private:
  /// Strategies first … last, as indices into the answer's; `tie` is the first of all that cost the same.
  struct Row {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t tie = 0;
    bool tied = false;
  };
  void makeRows();
  [[nodiscard]] std::size_t differences(std::size_t strategy) const;
  [[nodiscard]] QString rankText(const Row& row) const;

  std::shared_ptr<const StrategyAnswer> m_answer;
  std::vector<Row> m_rows;
  std::set<std::size_t> m_open;  // first strategies of ties that are listed one by one
};

}  // namespace p2::views
