// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include "strategy_answer/strategy_training.h"
#include "workspace/training_choice.h"

namespace p2::views {

class Session;
class StrategyFinder;

/// Brings the cheapest common strategy that a framework runs to Plan as the user's own configuration: one undoable
/// edit of model, batch, sequence, precision, framework and "mine".
class StrategyPlanButton : public QToolButton {
  Q_OBJECT
 public:
  StrategyPlanButton(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);

  /// Strategies with pipeline stages, to choose from next to the finder's; empty without a pipeline.
  void setPipelines(std::vector<StrategyBaseline> pipelines) { m_pipelines = std::move(pipelines); }

 signals:
  /// The document has the plan (`problem` empty), or why there is none. `notes`: differences between plan and strategy.
  void taken(const QString& problem, const QString& notes);

 private:
  void refresh();
  void work();
  struct PlanOfStrategy {
    TrainingChoice before;  ///< the document's when it was asked for
    TrainingChoice training;
    std::vector<std::string> notes;
  };
  void take(const Result<PlanOfStrategy>& made);

  Session& m_session;
  StrategyFinder& m_finder;
  std::vector<StrategyBaseline> m_pipelines;
};

}  // namespace p2::views
