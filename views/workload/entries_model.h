// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "step/step_ranking.h"

namespace p2::views {

/// The entries of a workload in two lines each, and their times on one placement. Without a ranking, the
/// workload's own figures.
class EntriesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Entry, Data, Program, Time, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;
  /// Entries as they are shown; `changed` are the rows whose figures are tried out.
  void setEntries(std::vector<WorkloadEntry> entries, std::vector<bool> changed);
  /// A ranking of these entries, and one of its placements; null for none.
  void setRanking(std::shared_ptr<const StepRanking> ranking, std::size_t placement);
  /// Greys outdated figures.
  void setStale(bool stale);
  [[nodiscard]] const std::vector<WorkloadEntry>& entries() const { return m_entries; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] QString text(std::size_t row, int column) const;
  [[nodiscard]] QString tip(std::size_t row) const;
  [[nodiscard]] bool isRanked(std::size_t row) const;
  void tellChanged();

  std::vector<WorkloadEntry> m_entries;
  std::vector<bool> m_changed;
  std::shared_ptr<const StepRanking> m_ranking;
  std::size_t m_placement = 0;
  bool m_stale = false;
};

/// "AllGather over data, context".
[[nodiscard]] QString entryKindText(const WorkloadEntry& entry);
/// "160 × 214 MB".
[[nodiscard]] QString entryBytesText(const WorkloadEntry& entry);

}  // namespace p2::views
