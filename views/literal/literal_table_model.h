// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/piecewise_model.h"
#include "views/literal/literal_run.h"

namespace p2::views {

/// v.tbl of one vertex at one moment of a run. Rows that are gone stay where they were, struck through, with the reason
/// in the last column; those that go at this very moment are hatched. Long tables come in pieces.
class LiteralTableModel : public PiecewiseModel {
  Q_OBJECT
 public:
  enum Column { RowColumn, SetColumn, FirstVertexColumn };  ///< then the other vertices, the cost and the reason

  using PiecewiseModel::PiecewiseModel;

  /// Empty for a null run.
  void show(std::shared_ptr<const LiteralRun> run, std::size_t vertex, std::size_t moment);
  /// "Table of v1: 4 of 8 rows".
  [[nodiscard]] QString title() const;
  /// The first row that goes at this moment, loaded or not; −1 when none does.
  [[nodiscard]] int firstGoing() const;

  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 protected:
  [[nodiscard]] std::size_t allRows() const override;

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
};

}  // namespace p2::views
