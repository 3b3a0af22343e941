// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <functional>

class QAction;
class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QSlider;

namespace p2::views {

class Player;
class Timeline;

/// The controls of a player: to the ends, step by step, play, a slider with a tick per step, speed, loop, animation.
class PlayerBar : public QWidget {
  Q_OBJECT
 public:
  enum class Motion {
    Moves,  ///< from state to state, if the user likes
    Jumps,  ///< discrete states; position i shows number i + 1
  };
  explicit PlayerBar(Player& player, Motion motion = Motion::Moves, QWidget* parent = nullptr);

  /// The transport actions. Their shortcuts work once the actions are added to a widget that is shown.
  [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
  /// The step, from 0, that is played until it turns out that it cannot run; −1 for none. Before setStepCount().
  void setFailingStep(int step) { m_failingStep = step; }
  /// The number of steps; the player may show only the first ones.
  void setStepCount(int steps);
  /// Why the last steps of setStepCount() cannot be played yet; empty if they can. At the last one that can, the
  /// actions that lead on are disabled and give this reason.
  void setHeldBack(const QString& why);
  /// The size without the parts that fold away.
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// Adds a button at the end.
  void addButton(QWidget& button);
  /// addButton() for one that hides where there is no room.
  void addOption(QWidget& button);
  /// Replaces the words for the timeline's position; none restore its own.
  void setPositionText(std::function<QString(const Timeline&)> text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeActions();
  void addButtons(QHBoxLayout& layout);
  void addSlider(QHBoxLayout& layout);
  void addOptions(QHBoxLayout& layout);
  void showTimeline();
  [[nodiscard]] QString stepText() const;
  void fold();
  [[nodiscard]] int widthOf(const QWidget& option) const;

  Player& m_player;
  Motion m_motion;
  QList<QAction*> m_actions;
  QAction* m_play = nullptr;
  QSlider* m_slider = nullptr;
  QLabel* m_step = nullptr;
  QComboBox* m_speed = nullptr;
  QList<QWidget*> m_folding;  // in the order in which they go
  int m_stepCount = 0;
  std::function<QString(const Timeline&)> m_positionText;
  int m_failingStep = -1;
  QString m_heldBack;
};

}  // namespace p2::views
