// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>
#include <memory>

#include "views/lesson/shown_page.h"

class QAction;
class QLabel;
class QStackedWidget;

namespace p2::views {

class LiteralPlayer;
class Player;
class PlayerBar;
class PresentWindow;
class StageView;
class TimelineStage;

/// The picture of a page: devices with a player, the literal algorithm, or a timeline.
class LessonStage : public QWidget {
  Q_OBJECT
 public:
  explicit LessonStage(QWidget* parent = nullptr);

  /// Shows a page as far as its task lets see.
  void show(std::shared_ptr<const ShownPage> page);
  /// Makes all of it visible, without moving.
  void showAll();
  /// Shows another program in its place, from its beginning or, when it cannot run to its end, where it stops.
  void showReplay(std::shared_ptr<const Replay> replay);
  /// The largest number of steps seen so far.
  [[nodiscard]] int stepsSeen() const { return m_seen; }
  void pause();
  /// Plays one more step.
  void playNext();
  /// Makes all visible and plays the step that was held back; false if there is none.
  bool revealNext();
  /// The title and text of the presentation, if there is one.
  void retell(const QString& title, const QString& html);
  /// The step of the literal algorithm, counted from 0.
  void goTo(int moment);
  /// The actions of the player that is shown.
  [[nodiscard]] QList<QAction*> actions() const;
  void takeFocus();
  /// Whether there is something to present.
  [[nodiscard]] bool canPresent() const;
  [[nodiscard]] bool isPresenting() const { return m_window != nullptr; }
  /// Presents it full screen next to a text; null if there is nothing.
  PresentWindow* present(const QString& title, const QString& html);

 signals:
  void stepsSeenChanged(int steps);
  void pageWanted(int by);  ///< the presentation turns a page

 private:
  [[nodiscard]] bool isLiteral() const;
  [[nodiscard]] bool isTimeline() const;
  PresentWindow* presentLiteral();
  PresentWindow* presentTimeline();
  void restart(int at);
  void showMoment();
  void noteSeen(int steps);
  void showCaption();
  [[nodiscard]] QString timeText() const;

  std::shared_ptr<const Replay> m_replay;  // that is drawn
  std::shared_ptr<const Replay> m_whole;   // m_replay, or including steps not yet revealed
  int m_seen = 0;
  bool m_asksOrder = false;  // the steps are not named before the answer
  bool m_tellsTime = false;  // the time of all steps, before the last one
  QStackedWidget* m_pages;
  QLabel* m_caption;
  StageView* m_view;
  Player* m_player;
  PlayerBar* m_bar;
  LiteralPlayer* m_literal;
  TimelineStage* m_timeline;
  QPointer<PresentWindow> m_window;
  QPointer<LiteralPlayer> m_large;  // in m_window
  bool m_presentsTimeline = false;
  QString m_windowTitle;
  std::shared_ptr<const Replay> m_presented;  // in m_window
};

}  // namespace p2::views
