// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <memory>

#include "views/present/present_window.h"
#include "views/stage/replay.h"

class QAction;

namespace p2::views {

class ComparePane;
class ExportButton;
class InlineMessage;
class Player;
class Session;

/// What can be done with the program on screen besides stepping through it: hold it against another one, present it,
/// write it to files.
class ProgramShowing : public QObject {
  Q_OBJECT
 public:
  ProgramShowing(Session& session, Player& player, QWidget& perspective);

  /// With shortcuts, for the View menu.
  [[nodiscard]] QList<QAction*> actions() const { return {m_compare, m_present}; }
  /// To stand beside the player's controls.
  [[nodiscard]] QList<QWidget*> buttons() const { return m_buttons; }
  [[nodiscard]] ComparePane& pane() { return *m_pane; }
  [[nodiscard]] bool compares() const;
  /// Compares if something is pinned to be compared with.
  void followPin();
  /// What came of an export.
  [[nodiscard]] QWidget* message();
  /// What is not seen while two programs are.
  void takePlaceOf(QList<QWidget*> others) { m_others = std::move(others); }
  /// What is on screen from now on.
  void setReplay(std::shared_ptr<const Replay> replay);

 signals:
  /// A|B is switched on or off.
  void comparingChanged(bool on);

 private:
  void makeButtons();
  void present();
  [[nodiscard]] PresentWindow* presentComparison();

  Session& m_session;
  Player& m_player;
  QWidget& m_perspective;
  ComparePane* m_pane;
  QAction* m_compare;
  QAction* m_present;
  ExportButton* m_export;
  InlineMessage* m_message;
  QList<QWidget*> m_buttons;
  QList<QWidget*> m_others;
  std::shared_ptr<const Replay> m_replay;
  QPointer<PresentWindow> m_window;
};

}  // namespace p2::views
