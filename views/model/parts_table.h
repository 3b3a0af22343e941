// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <vector>

#include "training/model_parts.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// "70.6 billion", "8.39 million", "141 trillion".
[[nodiscard]] QString largeText(double number);

/// The parts of a model, and all of them together in the last row.
class PartsModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { PartColumn, LayersColumn, ParametersColumn, FlopColumn, StatesColumn };
  /// Role of the columns of parameters and FLOP: the part's share of the sum, as a double.
  static constexpr int kShareRole = Qt::UserRole;

  using RowsModel::RowsModel;

  /// `stateBytes` are kept for each parameter.
  void show(std::vector<ModelPart> parts, const ModelShape& model, double stateBytes);

 protected:
  [[nodiscard]] int count() const override { return int(m_parts.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  [[nodiscard]] bool isSum(int row) const { return row + 1 == count(); }
  [[nodiscard]] QString nameOf(const ModelPart& part) const;

  std::vector<ModelPart> m_parts;  // with the sum as the last
  ModelShape m_model;
  double m_stateBytes = 0;
};

/// Parameters, work and memory of a model by part, with bars of their shares.
class PartsTable : public QTableView {
  Q_OBJECT
 public:
  explicit PartsTable(QWidget* parent = nullptr);
  ~PartsTable() override;

  void show(std::vector<ModelPart> parts, const ModelShape& model, double stateBytes);
  using QTableView::show;

 private:
  PartsModel m_model;
};

}  // namespace p2::views
