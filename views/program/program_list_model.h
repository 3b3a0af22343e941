// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <memory>

#include "explore/explore.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// The listed programs of one placement, cheapest first. The times of overlapping steps are a column of their own,
/// empty unless CostOptions::overlap asks for them.
class ProgramListModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { ProgramColumn, StepsColumn, TimeColumn, OverlappedColumn, SpeedupColumn };
  /// Notation, title and DSL form in one text, to be searched.
  static constexpr int kSearchRole = Qt::UserRole;

  using RowsModel::RowsModel;

  /// Shows a placement of an exploration, or nothing for null. Further programs of the same placement are appended, so
  /// that the position in the list stays.
  void show(std::shared_ptr<const Exploration> exploration, int placementIndex);
  /// Names programs with their collectives in short, where the room is small.
  void setShort(bool abbreviated);
  /// Programs of the placement that are not listed.
  [[nodiscard]] Count unlisted() const;

  [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;

 signals:
  void moreWanted();

 protected:
  [[nodiscard]] int count() const override;
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  [[nodiscard]] const PlacementResult* placement() const { return placementOf(m_exploration.get(), m_placement); }
  static const PlacementResult* placementOf(const Exploration* exploration, int index);

  std::shared_ptr<const Exploration> m_exploration;
  int m_placement = -1;
  bool m_short = false;
  bool m_asked = false;  // for more programs, which are on their way
};

/// Programs that match a text. Does not fetch more while it hides any: a filter must not set off a search for all.
class ProgramFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit ProgramFilter(QObject* parent = nullptr);
  [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
};

}  // namespace p2::views
