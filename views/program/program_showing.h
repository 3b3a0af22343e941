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

/// Actions on the shown program other than stepping: compare it with another one, present it, export it.
class ProgramShowing : public QObject {
  Q_OBJECT
 public:
  ProgramShowing(Session& session, Player& player, QWidget& perspective);

  /// The actions for the View menu, with shortcuts.
  [[nodiscard]] QList<QAction*> actions() const { return {m_compare, m_present}; }
  /// Placed next to the player's controls.
  [[nodiscard]] QList<QWidget*> buttons() const { return m_buttons; }
  [[nodiscard]] ComparePane& pane() { return *m_pane; }
  [[nodiscard]] bool compares() const;
  /// Compares in true time, and plays from the start as soon as both runs are there.
  void race();
  /// Starts comparing if a program is pinned.
  void followPin();
  /// Shows the result of an export for five seconds; errors stay.
  [[nodiscard]] QWidget* message();
  /// Widgets hidden while two programs are compared.
  void takePlaceOf(QList<QWidget*> others) { m_others = std::move(others); }
  /// The run to act on from now on.
  void setReplay(std::shared_ptr<const Replay> replay);

 signals:
  /// A|B is switched on or off.
  void comparingChanged(bool on);

 private:
  void makeButtons();
  void startRace();
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
  bool m_races = false;  // it is to begin
};

}  // namespace p2::views
