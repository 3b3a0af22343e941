// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "workload/workload.h"

namespace p2::views {

/// The list of communications that was generated or read, in two lines each, with how bytes and counts come about.
class ModelFormEntries : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Entry, Bytes, Count, Overlap, Formula, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;
  void setEntries(std::vector<WorkloadEntry> entries);
  /// Greys outdated entries.
  void setStale(bool stale);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  std::vector<WorkloadEntry> m_entries;
  bool m_stale = false;
};

/// "12 entries · tensor 2.06 TB · data 171 GB in a step": by axes, the most bytes first.
[[nodiscard]] QString bytesByAxes(const Workload& workload);

/// How a workload was come by, in sentences.
struct WorkloadTold {
  std::vector<std::string> published;
  std::vector<std::string> understood;
  std::vector<std::string> assumed;
  std::vector<std::string> ignored;
};
/// The text as rich text.
[[nodiscard]] QString htmlOf(const WorkloadTold& told);

}  // namespace p2::views
