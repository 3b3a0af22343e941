// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QTableView>
#include <QWidget>

#include "views/common/owned.h"
#include "views/shell/derived.h"
#include "views/strategy/configurations_model.h"
#include "views/strategy/strategy_answer.h"

class QLabel;
class QPushButton;

namespace p2::views {

class Session;
class StrategyFinder;

/// One vertex: its configurations, what each would cost, and which of them it is pinned to.
class VertexPanel : public QWidget {
  Q_OBJECT
 public:
  VertexPanel(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);

  /// Shows a vertex of the finder's answer as one of its strategies has it, the first of vertices folded to one; empty
  /// for none. A pin is for all of them.
  void show(std::vector<std::size_t> vertices, std::size_t strategy);
  [[nodiscard]] QTableView& table() { return *m_table; }
  /// Pins the vertex shown to what its strategy chose, or unpins it.
  void togglePin();

 private:
  struct TotalsQuestion {
    std::shared_ptr<const StrategyAnswer> answer;
    std::vector<std::size_t> vertices;
    friend bool operator==(const TotalsQuestion&, const TotalsQuestion&) = default;
  };
  void makeTable();
  QPushButton* makeButton(const char* name, const QString& text, const QString& toolTip);
  void refresh();
  void refreshTotals();
  void pin(const QModelIndex& index);
  void pinTo(std::optional<std::size_t> configuration);
  [[nodiscard]] bool totalsAreCheap() const;
  [[nodiscard]] QString noteOf(const StrategyAnswer& answer) const;
  [[nodiscard]] QString tiesText() const;
  [[nodiscard]] QString pinText(const StrategyAnswer& answer) const;

  Session& m_session;
  StrategyFinder& m_finder;
  ConfigurationsModel m_model;
  QSortFilterProxyModel m_proxy;
  QLabel* m_title = nullptr;
  OwnedView<QTableView> m_table;
  QLabel* m_note = nullptr;
  QPushButton* m_unpin = nullptr;
  QPushButton* m_unpinAll = nullptr;
  std::vector<std::size_t> m_vertices;
  std::size_t m_strategy = 0;
  Derived<TotalsQuestion, std::vector<double>> m_totals;
};

}  // namespace p2::views
