// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "system/system.h"
#include "views/common/draft_table_model.h"

namespace p2::views {

/// The levels of a system as rows, root first. Quantities are read and written in the notation that people type. The
/// levels are always valid, even while networks are incomplete.
class LevelsModel : public DraftTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Count, Kind, Bandwidth, Latency, Network, ColumnCount };

  using DraftTableModel::DraftTableModel;
  /// Shows a system. Does nothing if it is shown already; drafts are kept.
  void setSystem(const System& system);
  [[nodiscard]] const System& system() const { return m_system; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 protected:
  [[nodiscard]] int mostRows() const override { return int(kMostLevels); }
  [[nodiscard]] QString noun() const override { return tr("level"); }
  [[nodiscard]] QVariant value(const QModelIndex& index, int role) const override;
  [[nodiscard]] QString doubt(const QModelIndex& index, const QString& text) const override;
  std::optional<QString> take(const QModelIndex& index, const QString& text) override;
  void insertDefault(int row) override;
  void erase(int row) override;
  void exchange(int a, int b) override;

 private:
  [[nodiscard]] QString text(const QModelIndex& index, int role) const;

  System m_system;
};

}  // namespace p2::views
