// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QComboBox;
class QLabel;
class QToolButton;

namespace p2::views {

class Session;

/// Above the pages of one reduction, where the document has a model: the plan that the axes are from, its
/// collective that is the reduction, and the ways between the user's own axes and the plan's.
class PlanLine : public QFrame {
  Q_OBJECT
 public:
  explicit PlanLine(Session& session, QWidget* parent = nullptr);
  /// Whether a page of one reduction is shown.
  void setSeen(bool seen);

 signals:
  void perspectiveWanted(const QString& id);

 private:
  void refresh();
  void refreshPlanned();
  void fillEntries();
  void chooseEntry(int row);
  void takePlan();
  void takeOwn();

  Session& m_session;
  QLabel* m_text;
  QComboBox* m_entries;
  QToolButton* m_take;
  QToolButton* m_own;
  bool m_seen = false;
};

}  // namespace p2::views
