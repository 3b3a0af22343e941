// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "step/step_ranking.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// The entries of a workload in two lines each, and their times on one placement. Without a ranking, the
/// workload's own figures.
class EntriesModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Entry, Data, Program, Time };

  using RowsModel::RowsModel;
  /// Entries as they are shown; `changed` are the rows whose figures are tried out.
  void setEntries(std::vector<WorkloadEntry> entries, std::vector<bool> changed);
  /// A ranking of these entries, and one of its placements; null for none.
  void setRanking(std::shared_ptr<const StepRanking> ranking, std::size_t placement);
  [[nodiscard]] const std::vector<WorkloadEntry>& entries() const { return m_entries; }

 protected:
  [[nodiscard]] int count() const override { return int(m_entries.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;
  [[nodiscard]] bool isGrey(int column) const override { return isStale() && column >= Program; }

 private:
  [[nodiscard]] bool isRanked(std::size_t row) const;

  std::vector<WorkloadEntry> m_entries;
  std::vector<bool> m_changed;
  std::shared_ptr<const StepRanking> m_ranking;
  std::size_t m_placement = 0;
};

/// "AllGather over data, context".
[[nodiscard]] QString entryKindText(const WorkloadEntry& entry);
/// "160 × 214 MB".
[[nodiscard]] QString entryBytesText(const WorkloadEntry& entry);

}  // namespace p2::views
