// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <cstddef>

namespace p2::views {

/// A table that may be long: its rows come in pieces, as far as a view has scrolled.
class PiecewiseModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  static constexpr int kPiece = 256;  // rows that are added at once

  using QAbstractTableModel::QAbstractTableModel;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;

 protected:
  /// Number of rows when all have been fetched.
  [[nodiscard]] virtual std::size_t allRows() const = 0;
  /// Back to the first piece, while the model is being reset.
  void resetRows();

 private:
  int m_rows = 0;  // so far
};

}  // namespace p2::views
