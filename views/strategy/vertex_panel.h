// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>

#include "views/shell/derived.h"
#include "views/strategy/configurations_model.h"
#include "views/strategy/strategy_answer.h"

class QLabel;
class QPushButton;
class QTableView;

namespace p2::views {

class Session;
class StrategyFinder;

/// One vertex: its configurations, what each would cost, and which of them it is pinned to.
class VertexPanel : public QWidget {
  Q_OBJECT
 public:
  VertexPanel(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);
  ~VertexPanel() override;

  /// Shows a vertex of the finder's answer as one of its strategies has it; −1 for none.
  void show(int vertex, std::size_t strategy);
  [[nodiscard]] QTableView& table() { return *m_table; }
  /// Pins the vertex shown to what its strategy chose, or unpins it.
  void togglePin();

 private:
  struct TotalsQuestion {
    std::shared_ptr<const StrategyAnswer> answer;
    int vertex = -1;
    friend bool operator==(const TotalsQuestion&, const TotalsQuestion&) = default;
  };
  void makeTable();
  QPushButton* makeButton(const char* name, const QString& text, const QString& toolTip);
  void refresh();
  void refreshTotals();
  void pin(const QModelIndex& index);
  void pinTo(std::optional<std::size_t> configuration);
  [[nodiscard]] bool totalsAreCheap() const;

  Session& m_session;
  StrategyFinder& m_finder;
  ConfigurationsModel m_model;
  QSortFilterProxyModel m_proxy;
  QLabel* m_title = nullptr;
  QTableView* m_table = nullptr;
  QLabel* m_note = nullptr;
  QPushButton* m_unpin = nullptr;
  QPushButton* m_unpinAll = nullptr;
  int m_vertex = -1;
  std::size_t m_strategy = 0;
  Derived<TotalsQuestion, std::vector<double>> m_totals;
};

}  // namespace p2::views
