// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "views/strategy/strategy_answer.h"

namespace p2::views {

/// The cheapest strategies, best first, and how far each is from the best.
class StrategiesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { RankColumn, CostColumn, DearerColumn, DifferentColumn, MemoryColumn, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  /// False when it shows that answer already.
  bool show(std::shared_ptr<const StrategyAnswer> answer);
  void setStale(bool stale);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] std::size_t differences(std::size_t row) const;
  [[nodiscard]] QString cellText(std::size_t row, int column) const;
  [[nodiscard]] QString toolTip(std::size_t row) const;

  std::shared_ptr<const StrategyAnswer> m_answer;
  bool m_stale = false;
};

}  // namespace p2::views
