// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "views/common/rows_model.h"
#include "workload/workload.h"

namespace p2::views {

/// The list of communications that was generated or read, in two lines each, with how bytes and counts come about.
class ModelFormEntries : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Entry, Bytes, Count, Overlap, Formula };

  using RowsModel::RowsModel;
  void setEntries(std::vector<WorkloadEntry> entries);

 protected:
  [[nodiscard]] int count() const override { return int(m_entries.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;

 private:
  std::vector<WorkloadEntry> m_entries;
};

/// "12 entries · tensor 2.06 TB · data 171 GB in a step": by axes, the most bytes first.
[[nodiscard]] QString bytesByAxes(const Workload& workload);

/// The origin of a workload, in sentences.
struct WorkloadNotes {
  std::vector<std::string> published;
  std::vector<std::string> understood;
  std::vector<std::string> assumed;
  std::vector<std::string> ignored;
};
/// The text as rich text.
[[nodiscard]] QString htmlOf(const WorkloadNotes& reported);

}  // namespace p2::views
