// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include "workload/sources.h"

namespace p2::views {

class Session;
class StrategyFinder;

/// Makes what a training step communicates under the strategy that is shown the document's workload: one undoable edit
/// of workload and axes.
class StrategyWorkloadButton : public QToolButton {
  Q_OBJECT
 public:
  StrategyWorkloadButton(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);

  /// Which of the answer's strategies is meant.
  void setStrategy(std::size_t strategy) { m_strategy = strategy; }

 signals:
  /// The document has the workload, of which `what` says how much it is; or `problem` says why not.
  void taken(const QString& problem, const QString& what);

 private:
  void refresh();
  void work();
  void take(const Result<WorkloadSource>& source);

  Session& m_session;
  StrategyFinder& m_finder;
  std::size_t m_strategy = 0;
};

}  // namespace p2::views
