// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "views/common/graph_layout.h"
#include "views/shell/derived.h"

class QAction;
class QBoxLayout;
class QLabel;

namespace p2::views {

class GraphView;
class InlineMessage;
class Session;
class StrategyExportButton;
class StrategyFinder;
class StrategyWorkloadButton;

/// The graph with one of the finder's strategies, what it costs in words, and the tools to look around. Lays the graph
/// out in a job; another strategy for the same graph keeps the view where it is.
class GraphPanel : public QWidget {
  Q_OBJECT
 public:
  GraphPanel(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);

  [[nodiscard]] GraphView& view() { return *m_view; }
  [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
  /// Shows the answer's strategy of that rank, as far as there is one.
  void showStrategy(std::size_t strategy);

 private:
  QWidget* makeToolbar();
  void addZoom(QBoxLayout& row, const QString& name, const QString& text, const QString& icon,
               const QList<QKeySequence>& keys, void (GraphView::*slot)());
  void addFindAgain(QBoxLayout& row);
  void refresh();
  void refreshWords();
  void refreshNote();
  void layOut();
  void followLayout();
  void showGraph();

  Session& m_session;
  StrategyFinder& m_finder;
  QLabel* m_headline = nullptr;
  InlineMessage* m_note = nullptr;
  InlineMessage* m_written = nullptr;
  GraphView* m_view = nullptr;
  StrategyWorkloadButton* m_workload = nullptr;
  StrategyExportButton* m_export = nullptr;
  QList<QAction*> m_actions;
  std::size_t m_strategy = 0;
  Derived<GraphShape, GraphLayout> m_layout;
  bool m_fresh = false;  // the layout has not been drawn yet
};

}  // namespace p2::views
