// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include "views/runs/runs_model.h"

namespace p2::views {

/// A sortable, filterable table of runs with multiple selection.
class RunList : public QTableView {
  Q_OBJECT
 public:
  /// The model outlives the list.
  explicit RunList(RunsModel& model, QWidget* parent = nullptr);

  /// Shows the runs that contain this text.
  void setFilter(const QString& text);
  /// Number of rows that pass the filter.
  [[nodiscard]] int shownCount() const { return m_filter.rowCount(); }
  /// The shown runs in table order, at most `most`.
  [[nodiscard]] std::vector<RunRow> shown(std::size_t most = SIZE_MAX) const;
  [[nodiscard]] std::vector<RunRow> chosen() const;
  void choose(qint64 id);

 signals:
  void chosenChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  [[nodiscard]] const RunRow& rowAt(const QModelIndex& index) const;

  RunsModel& m_model;
  RunsFilter m_filter;
};

}  // namespace p2::views
