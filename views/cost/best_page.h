// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <QWidget>

#include "views/common/owned.h"
#include "views/cost/best_model.h"

class QLabel;

namespace p2::views {

class InlineMessage;
class Session;
class StepGuard;

/// The decision: the best program of every placement next to the single collective and the frameworks' default, as bars
/// with matrix and program written out, under the finding in a sentence and its meaning for the whole training step.
/// Its row is the session's placement.
class BestPage : public QWidget {
  Q_OBJECT
 public:
  explicit BestPage(Session& session, QWidget* parent = nullptr);

 signals:
  void programWanted();   ///< the best program of the chosen row is to be watched
  void workloadWanted();  ///< the user wants to describe the communication of a whole step

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makeHead();
  void makeTable();
  void refresh();
  /// Greys answers to an earlier question.
  void showFreshness();
  void fitTable();
  void showSelection();
  void selectRow(int row);

  Session& m_session;
  BestModel m_model;
  QLabel* m_finding = nullptr;
  QLabel* m_how = nullptr;
  StepGuard* m_guard = nullptr;
  InlineMessage* m_message = nullptr;
  OwnedView<QTableView> m_table;
  bool m_syncing = false;  // the row follows the session: not the user's choice
};

}  // namespace p2::views
