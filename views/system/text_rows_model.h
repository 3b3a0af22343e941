// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "views/common/rows_model.h"

namespace p2::views {

/// A table of texts that is set as a whole.
class TextRowsModel : public RowsModel {
  Q_OBJECT
 public:
  explicit TextRowsModel(std::vector<TableColumn> columns, QObject* parent = nullptr)
      : RowsModel(parent), m_titles(std::move(columns)) {}
  /// Every row has as many texts as there are columns.
  void setRows(std::vector<QStringList> rows) {
    reset([&] { m_rows = std::move(rows); });
  }

 protected:
  [[nodiscard]] int count() const override { return int(m_rows.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override { return m_titles; }
  [[nodiscard]] QString text(int row, int column) const override { return m_rows[std::size_t(row)][column]; }

 private:
  std::vector<TableColumn> m_titles;
  std::vector<QStringList> m_rows;
};

}  // namespace p2::views
