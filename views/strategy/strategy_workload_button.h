// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include "workload/sources.h"

namespace p2::views {

class Session;
class StrategyFinder;

/// Makes the communication of a training step under the shown strategy the document's workload: one undoable edit
/// of workload and axes.
class StrategyWorkloadButton : public QToolButton {
  Q_OBJECT
 public:
  StrategyWorkloadButton(Session& session, StrategyFinder& finder, QWidget* parent = nullptr);

  /// Selects one of the answer's strategies.
  void setStrategy(std::size_t strategy) { m_strategy = strategy; }

 signals:
  /// Reports success (`what`: size of the saved workload) or failure (`problem`).
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
