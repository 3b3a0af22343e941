// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QTableView>

#include "views/strategy/operators_model.h"

namespace p2::views {

/// The operators of the graph that is shown, most expensive first. The selection is shared with the graph.
class OperatorsTable : public QTableView {
  Q_OBJECT
 public:
  explicit OperatorsTable(QWidget* parent = nullptr);
  ~OperatorsTable() override;

  void show(std::shared_ptr<const StrategyInstance> instance, const StrategyPicture& picture);
  void setStale(bool stale) { m_model.setStale(stale); }
  /// The row of that vertex of the picture; −1 for none.
  void select(int vertex);
  /// The vertex of the picture that is selected, −1 for none.
  [[nodiscard]] int selected() const;
  /// The row that is selected, under the headings, split by tabs.
  void copy() const;
  using QTableView::show;

 signals:
  void vertexSelected(int vertex);
  void vertexActivated(int vertex);  ///< by Enter or a double click
  void pinToggled(int vertex);       ///< by P
  void foldToggled(int vertex);      ///< by F
  void menuWanted(int vertex, QPoint at);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  [[nodiscard]] int vertexOf(const QModelIndex& index) const;

  OperatorsModel m_model;
  QSortFilterProxyModel m_proxy;
};

}  // namespace p2::views
