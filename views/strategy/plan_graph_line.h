// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace p2::views {

class Session;

/// Above the graph: that it is not the graph of the document's model, or how its question differs from the plan's,
/// with the button for it. Hidden without a model, and where nothing differs.
class PlanGraphLine : public QFrame {
  Q_OBJECT
 public:
  explicit PlanGraphLine(Session& session, QWidget* parent = nullptr);

  /// Makes the graph of the document's model the document's graph: one undoable edit.
  static void takePlan(Session& session);

 signals:
  void pipelineWanted();

 private:
  void refresh();
  void work();

  Session& m_session;
  QLabel* m_text;
  QToolButton* m_button;
  bool m_taken = false;  ///< the graph is the plan's
};

}  // namespace p2::views
