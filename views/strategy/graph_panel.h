// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "views/shell/derived.h"
#include "views/strategy/folded_graph.h"

class QAction;
class QBoxLayout;
class QLabel;
class QToolButton;

namespace p2::inline strategy_answer {
struct StrategyInstance;
}

namespace p2::views {

class GraphView;
class InlineMessage;
class Session;
class StrategyExportButton;
class StrategyFinder;
class StrategyPlanButton;
class StrategyWorkloadButton;
struct StrategyPicture;

/// The graph with one of the finder's strategies, its cost in words, and the tools to look around. Repeated parts
/// are folded until they are unfolded here. Lays the graph out in a job; another strategy for the same graph keeps the
/// view where it is.
class GraphPanel : public QWidget {
  Q_OBJECT
 public:
  GraphPanel(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);

  [[nodiscard]] GraphView& view() { return *m_view; }
  [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
  [[nodiscard]] StrategyPlanButton& planButton() { return *m_plan; }
  /// Shows the answer's strategy of that rank, as far as there is one.
  void showStrategy(std::size_t strategy);
  /// Shows the stage of a pipeline at every operator, counted from 0; empty for none.
  void showStages(const std::vector<std::size_t>& stages);
  /// The drawn picture; empty before the first answer.
  [[nodiscard]] const StrategyPicture& picture() const;
  /// Shows the layers that a vertex of the picture is of as one, or each by itself.
  void toggleFold(int vertex);
  /// Shows the copies of one folded part each by itself.
  void unfold(int frame);

 signals:
  void pictureChanged();  ///< other vertices, or another strategy of them
  void planTaken();       ///< the document has the strategy as its plan

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeToolbar();
  void addZoom(QBoxLayout& row, const QString& name, const QString& text, const QString& icon,
               const QList<QKeySequence>& keys, void (GraphView::*slot)());
  void addFindAgain(QBoxLayout& row);
  void addFold(QBoxLayout& row);
  QToolButton* addButton(QBoxLayout& row, QAction& action, const QString& name);
  void refresh();
  void refreshWords();
  void refreshNote();
  void refreshFold();
  void setFolded(bool all);
  void setOpen(std::size_t repeat, bool open);
  [[nodiscard]] FoldedGraph foldedOf(const StrategyInstance& instance) const;
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
  StrategyPlanButton* m_plan = nullptr;
  StrategyExportButton* m_export = nullptr;
  QList<QAction*> m_actions;
  QAction* m_fold = nullptr;
  QToolButton* m_again = nullptr;
  std::size_t m_strategy = 0;
  std::vector<std::size_t> m_stages;  // by operator; empty without a pipeline
  std::vector<Repeat> m_repeats;      // repeats of the shown graph
  std::vector<bool> m_open;           // which of them are unfolded
  std::optional<std::size_t> m_kept;  // vertex of the problem that stays selected when parts are folded
  Derived<GraphShape, GraphLayout> m_layout;
  bool m_fresh = false;  // the layout has not been drawn yet
};

}  // namespace p2::views
