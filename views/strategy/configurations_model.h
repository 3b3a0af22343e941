// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "views/common/rows_model.h"
#include "views/strategy/strategy_instance.h"

namespace p2::views {

/// The configurations of one vertex with their costs. A check mark pins the vertex to one of them.
class ConfigurationsModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { PinColumn, SplitColumn, DevicesColumn, CostColumn, TotalColumn };
  /// The number a cell is sorted by.
  static constexpr int kSortRole = Qt::UserRole;

  struct State {
    std::shared_ptr<const StrategyInstance> instance;
    int vertex = -1;         ///< −1 shows nothing
    std::size_t chosen = 0;  ///< by the strategy that is shown
    std::optional<std::size_t> pinned;
    /// Per configuration the cost of the best strategy that has it; empty until it is known.
    std::vector<double> totals;

    /// Whether a configuration has the least total.
    [[nodiscard]] bool isBest(std::size_t configuration) const;
    /// Configurations of the least total; 0 while it is not known.
    [[nodiscard]] std::size_t ties() const;
  };

  using RowsModel::RowsModel;

  void show(State state);
  /// Whether configurations use different numbers of devices.
  [[nodiscard]] bool devicesDiffer() const;
  [[nodiscard]] const State& state() const { return m_state; }

  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  /// The user checked a configuration, or unchecked the pinned one (nothing).
  void pinWanted(int vertex, std::optional<std::size_t> configuration);

 protected:
  [[nodiscard]] int count() const override;
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  [[nodiscard]] const ConfigurationDomain& domain() const;
  [[nodiscard]] QString signOf(std::size_t row) const;
  [[nodiscard]] double number(std::size_t row, int column) const;

  State m_state;
};

}  // namespace p2::views
