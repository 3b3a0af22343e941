// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "views/plan/plan_words.h"

namespace p2::views {

/// Configurations with their placements, best first; the rows that a filter lets through.
class PlanModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Place, Degrees, Batch, Memory, Time, Step, Mfu, Tokens, Layers, Orders, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void setAnswer(std::shared_ptr<const PlannerAnswer> found, const PlanFilter& filter);
  /// While another answer is awaited, everything is greyed.
  void setStale(bool stale);
  /// Marks the user's own configuration by its place in the answer; −1 for none.
  void setMine(int place);
  [[nodiscard]] bool isStale() const { return m_stale; }
  [[nodiscard]] const std::shared_ptr<const PlannerAnswer>& found() const { return m_found; }
  /// Places in the answer, by row.
  [[nodiscard]] const std::vector<int>& places() const { return m_places; }
  /// Row of a place in the answer; −1 if it is not shown.
  [[nodiscard]] int rowOf(int place) const;
  [[nodiscard]] const PlannedConfiguration& at(int row) const;
  /// Seconds of the longest bar.
  [[nodiscard]] double longest() const { return m_longest; }
  /// The row as text, for the clipboard.
  [[nodiscard]] QString lineOf(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString textAt(int row, int column) const;
  [[nodiscard]] QString tipAt(int row, int column) const;

  std::shared_ptr<const PlannerAnswer> m_found;
  std::vector<int> m_places;
  double m_longest = 0;
  int m_mine = -1;
  bool m_stale = false;
};

}  // namespace p2::views
