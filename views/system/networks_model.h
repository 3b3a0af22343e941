// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "system/system.h"
#include "views/common/draft_table_model.h"

namespace p2::views {

/// The networks of a system as rows, in their order: NICs, rails, spine. Rows are added and removed in the drawing.
class NetworksModel : public DraftTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Count, Bandwidth, Latency, Ratio, ColumnCount };

  using DraftTableModel::DraftTableModel;
  /// Shows a system. Does nothing if it is shown already; drafts are kept.
  void setSystem(const System& system);
  [[nodiscard]] const System& system() const { return m_system; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 protected:
  [[nodiscard]] int mostRows() const override { return 0; }
  [[nodiscard]] QString noun() const override { return tr("network"); }
  [[nodiscard]] QVariant value(const QModelIndex& index, int role) const override;
  std::optional<QString> take(const QModelIndex& index, const QString& text) override;
  void insertDefault(int) override {}
  void erase(int) override {}
  void exchange(int, int) override {}

 private:
  [[nodiscard]] QString text(const QModelIndex& index) const;
  /// The text that is edited, in the notation that people type.
  [[nodiscard]] QString typed(const QModelIndex& index) const;

  System m_system;
};

}  // namespace p2::views
