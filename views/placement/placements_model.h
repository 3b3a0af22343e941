// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <memory>

#include "views/common/rows_model.h"
#include "views/placement/placement_notes.h"

namespace p2::views {

/// The placements of an exploration, one per row in enumeration order. Qt::UserRole of the matrix column is the
/// matrix as text.
class PlacementsModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column {
    Mark,
    Matrix,
    Where,
    BestTime,
    Against,
    OtherAxes,
    Step,
    BestProgram,
    SingleTime,
    Speedup,
    Programs,
    ColumnCount
  };
  /// Share of a time in the longest of its column, 0 … 1.
  static constexpr int kShareRole = Qt::UserRole + 1;

  using RowsModel::RowsModel;
  void setExploration(std::shared_ptr<const Exploration> exploration);
  /// The columns about the rest of a step, greyed while out of date. For the
  /// shown exploration.
  void setNotes(PlacementNotes notes, bool stale);
  [[nodiscard]] const PlacementNotes& notes() const { return m_notes; }
  /// Marks the row that the selected one is compared with; −1 for none.
  void setCompared(int row);
  /// The place of a row by its best program, from 0.
  [[nodiscard]] int rankOf(int row) const { return m_ranks[std::size_t(row)]; }
  [[nodiscard]] const PlacementResult& placement(int row) const { return m_exploration->placements[std::size_t(row)]; }
  /// The row as one line of text, values apart by tabs: matrix, where its axes are, times, best program.
  [[nodiscard]] QString rowText(int row) const;
  /// Text searched by the filter, as filterKey(): matrix, its words, and the best program in long and short form.
  [[nodiscard]] QString searchText(int row) const;

 protected:
  [[nodiscard]] int count() const override { return m_exploration ? int(m_exploration->placements.size()) : 0; }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;
  [[nodiscard]] bool isGrey(int column) const override;

 private:
  [[nodiscard]] QString mark(int row) const;
  [[nodiscard]] QString markTip(int row) const;
  [[nodiscard]] QString programTip(int row) const;
  [[nodiscard]] QString against(int row) const;
  [[nodiscard]] QVariant share(int row, int column) const;

  std::shared_ptr<const Exploration> m_exploration;
  PlacementNotes m_notes;
  std::vector<int> m_ranks;  // by row: its place in rankedPlacements()
  double m_longest = 0;      // longest of the best times
  double m_longestStep = 0;  // longest of the steps
  int m_compared = -1;
  bool m_notesStale = false;
};

/// Text as the filter compares it: lower case, with every run of blanks, dots, dashes and arrows as one comma, so that
/// "RS·AR", "rs ar" and "rs-ar" are the same.
[[nodiscard]] QString filterKey(const QString& text);

/// Sorts by value and filters by PlacementsModel::searchText().
class PlacementsProxy : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setFilterText(const QString& text);
  /// The source model.
  [[nodiscard]] const PlacementsModel& placements() const;

 protected:
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QString m_filter;
};

}  // namespace p2::views
