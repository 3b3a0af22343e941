// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "placement/axis.h"
#include "views/common/draft_table_model.h"

namespace p2::views {

/// The parallelism axes as rows: name, size, whether to reduce over them, and the level they are to stay inside. Names
/// are unique and sizes positive; whether the sizes multiply to the number of devices is not this model's business.
class AxesModel : public DraftTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Size, Reduce, Inside, ColumnCount };

  using DraftTableModel::DraftTableModel;
  /// Shows the axes of a system. Unchanged rows and their drafts stay.
  void show(const System& system, const std::vector<Axis>& axes);
  [[nodiscard]] const std::vector<Axis>& axes() const { return m_axes; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

 protected:
  [[nodiscard]] int mostRows() const override;
  [[nodiscard]] QString noun() const override;
  [[nodiscard]] QVariant value(const QModelIndex& index, int role) const override;
  std::optional<QString> take(const QModelIndex& index, const QString& text) override;
  void insertDefault(int row) override;
  void erase(int row) override;
  void exchange(int a, int b) override;

 private:
  [[nodiscard]] QStringList placesToStay() const;
  std::optional<QString> keepInside(std::size_t row, const QString& place);
  std::optional<QString> rename(std::size_t row, const std::string& name);

  System m_system;
  std::vector<Axis> m_axes;
};

}  // namespace p2::views
