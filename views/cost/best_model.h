// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "views/cost/best_rows.h"

namespace p2::views {

/// The best program of every placement as rows, fastest first. Qt::UserRole of the matrix column is the matrix as text.
class BestModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Matrix, Program, Times, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;
  void setExploration(std::shared_ptr<const Exploration> exploration);
  void setStale(bool stale);
  [[nodiscard]] const std::vector<BestRow>& rows() const { return m_rows; }
  [[nodiscard]] const Exploration& exploration() const { return *m_exploration; }
  [[nodiscard]] double longest() const { return m_longest; }
  [[nodiscard]] bool isStale() const { return m_stale; }
  /// The row of a placement; −1 if it has none.
  [[nodiscard]] int rowOf(int placement) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] QString text(const BestRow& row, int column) const;

  std::shared_ptr<const Exploration> m_exploration;
  std::vector<BestRow> m_rows;
  double m_longest = 0;
  bool m_stale = false;
};

}  // namespace p2::views
