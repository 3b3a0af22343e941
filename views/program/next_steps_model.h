// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>

#include "views/program/composing.h"

namespace p2::views {

/// Every instruction that may follow: a row for every pattern of groups, a column for every collective of the goal.
class NextStepsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum class Kind { Possible, Goal, DeadEnd, Forbidden, Unknown };
  static constexpr int kKindRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;

  void show(std::shared_ptr<const Composing> composing);
  [[nodiscard]] const std::shared_ptr<const Composing>& composing() const { return m_composing; }
  /// Index of a cell in Composing's next steps, if it is one.
  [[nodiscard]] std::optional<std::size_t> choiceAt(const QModelIndex& index) const;
  [[nodiscard]] Kind kindOf(std::size_t choice) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const Composing> m_composing;
  int m_columns = 0;
};

}  // namespace p2::views
