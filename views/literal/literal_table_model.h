// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "views/literal/literal_run.h"

namespace p2::views {

/// v.tbl of one vertex at one moment of a run. Rows that are gone stay where they were, struck through, with the reason
/// in the last column; those that go at this very moment are hatched. Long tables come in pieces.
class LiteralTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { RowColumn, SetColumn, FirstVertexColumn };  ///< then the other vertices, the cost and the reason
  static constexpr int kPiece = 256;                        // rows that are added at once

  using QAbstractTableModel::QAbstractTableModel;

  /// Nothing for a null run.
  void show(std::shared_ptr<const LiteralRun> run, std::size_t vertex, std::size_t moment);
  /// "Table of v1: 4 of 8 rows".
  [[nodiscard]] QString title() const;
  /// The first row that goes at this moment, loaded or not; −1 when none does.
  [[nodiscard]] int firstGoing() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;

 private:
  [[nodiscard]] const LiteralTable& table() const { return m_run->trace().tables[m_vertex]; }
  [[nodiscard]] int costColumn() const { return FirstVertexColumn + int(table().scope.size()); }
  [[nodiscard]] bool isNumber(int column) const { return column == RowColumn || column == costColumn(); }
  [[nodiscard]] bool isAlive(int row) const;
  [[nodiscard]] bool goesNow(int row) const;
  [[nodiscard]] bool showsSets() const;
  [[nodiscard]] QString cellText(int row, int column) const;
  [[nodiscard]] QVariant background(int row) const;

  std::shared_ptr<const LiteralRun> m_run;
  std::size_t m_vertex = 0;
  std::size_t m_moment = 0;
  int m_rows = 0;  // so far
};

}  // namespace p2::views
