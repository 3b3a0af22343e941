// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include "views/common/owned.h"
#include "views/shell/perspective.h"
#include "views/strategy/strategies_model.h"

class QStackedWidget;
class QTabWidget;

namespace p2::views {

class ComparisonBars;
class EmptyPage;
class GraphPanel;
class LiteralStepper;
class NeedsPanel;
class OperatorsTable;
class PipelinePanel;
class Session;
class StrategyFinder;
class VertexPanel;

/// The best way to divide a whole computation graph among the devices.
class StrategyPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit StrategyPerspective(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] static PerspectiveFace face() {
    return {QStringLiteral("strategy"), tr("Graph"), QStringLiteral("strategy")};
  }
  [[nodiscard]] static PagePlace place() { return {.position = 110, .key = "Ctrl+Shift+G"}; }
  [[nodiscard]] QList<QAction*> viewActions() override;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makeSide();
  QWidget* makeGraphPage();
  QWidget* makeDetails();
  QWidget* makeOperators();
  QWidget* makeStrategies();
  void addDetail(QWidget* widget, const QString& text, const QString& toolTip);
  void connectGraph();
  void connectOperators();
  void selectVertex(int vertex);
  void activateVertex(int vertex);
  void togglePin(int vertex);
  void showMenu(int vertex, int frame, QPoint at);
  void refresh();
  void refreshComparison();
  void refreshOperators();
  void refreshEmptyPage();
  void showStrategy(std::size_t strategy);

  Session& m_session;
  StrategyFinder* m_finder;
  StrategiesModel m_strategies;
  QTabWidget* m_pages = nullptr;
  QStackedWidget* m_stack = nullptr;
  EmptyPage* m_empty = nullptr;
  GraphPanel* m_graph = nullptr;
  QTabWidget* m_details = nullptr;
  OperatorsTable* m_operators = nullptr;
  VertexPanel* m_vertex = nullptr;
  OwnedView<QTableView> m_table;
  ComparisonBars* m_comparison = nullptr;
  NeedsPanel* m_needs = nullptr;
  PipelinePanel* m_pipeline = nullptr;
  LiteralStepper* m_literal = nullptr;
  std::shared_ptr<const StrategyInstance> m_taught;  // that the literal algorithm has
  std::size_t m_strategy = 0;                        // rank of the one that is shown
};

}  // namespace p2::views
