// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>

#include "views/literal/literal_run.h"

class QAction;
class QLabel;
class QVBoxLayout;

namespace p2::views {

class InlineMessage;
class LiteralGraphView;
class LiteralListing;
class LiteralStrip;
class LiteralTables;
class Player;
class PlayerBar;

/// A run of the literal algorithm step by step: the graph, the printed lines, the tables, what happens in words, and
/// where the optimum gets lost.
class LiteralPlayer : public QWidget {
  Q_OBJECT
 public:
  explicit LiteralPlayer(QWidget* parent = nullptr);

  /// Shows the first step of a run; empty for null.
  void setRun(std::shared_ptr<const LiteralRun> run);
  /// Limits the player to the first `steps` steps, at least one, so that the next can be guessed.
  void limitTo(int steps);
  /// Whether the timeline shows for later steps whether the optimum is lost. On by default.
  void tellAhead(bool tell);
  /// The step shown, counted from 0.
  [[nodiscard]] std::size_t moment() const { return m_moment; }
  void goTo(std::size_t moment);
  void pause();
  /// The transport actions, see PlayerBar::actions().
  [[nodiscard]] QList<QAction*> actions() const;
  /// What moves it.
  [[nodiscard]] Player& player() const { return *m_player; }
  /// Shows what `other` shows, as far, and takes it along from then on.
  void lead(LiteralPlayer& other);
  /// Least height of its texts, in pixels.
  void setTextPixels(int pixels);
  /// The widget that the arrow keys work on.
  [[nodiscard]] QWidget* graph() const;

 signals:
  void momentChanged(std::size_t moment);

 private:
  void addWords(QVBoxLayout& layout);
  void showMoment();
  void showTables();

  std::shared_ptr<const LiteralRun> m_run;
  std::size_t m_moment = 0;
  std::size_t m_seen = 0;  // the furthest moment shown
  bool m_tellsAhead = true;
  Player* m_player;
  PlayerBar* m_bar;
  LiteralStrip* m_strip;
  LiteralGraphView* m_graph;
  LiteralListing* m_listing;
  LiteralTables* m_tables;
  QLabel* m_lines = nullptr;
  QLabel* m_words = nullptr;
  InlineMessage* m_invariant = nullptr;
};

}  // namespace p2::views
