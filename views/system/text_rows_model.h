// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace p2::views {

/// A table of texts that is set as a whole: the first column reads from the left, figures from the right.
class TextRowsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  struct Column {
    QString title;
    QString toolTip;
    bool isText = false;  ///< reads from the left
  };
  explicit TextRowsModel(std::vector<Column> columns, QObject* parent = nullptr);
  /// Every row has as many texts as there are columns.
  void setRows(std::vector<QStringList> rows);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  std::vector<Column> m_columns;
  std::vector<QStringList> m_rows;
};

}  // namespace p2::views
