// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "lesson/lesson_page.h"

class QAction;
class QLabel;
class QTextBrowser;

namespace p2::views {

class Player;
class PlayerBar;
class TimelineView;

/// The timeline of a pipeline, pass by pass, or of a training step, with the tables of its memory and time. Both wait
/// for the answer where the page says so.
class TimelineStage : public QWidget {
  Q_OBJECT
 public:
  explicit TimelineStage(QWidget* parent = nullptr);

  /// Shows a page as far as its task lets see; null for none.
  void show(std::shared_ptr<const PreparedPage> page);
  /// Makes all of it visible, and plays a pipeline.
  void reveal();
  void pause();
  [[nodiscard]] TimelineView& view() { return *m_view; }
  [[nodiscard]] Player& player() { return *m_player; }
  [[nodiscard]] bool isRevealed() const { return m_revealed; }
  /// A widget without a player of its own that shows the same, for the whole screen; the caller owns it.
  [[nodiscard]] QWidget* largeCopy();
  [[nodiscard]] QList<QAction*> actions() const;

 signals:
  void stepsSeenChanged(int steps);
  void shownChanged();  ///< timeline, caption or tables

 private:
  void showMoment();
  void showTables();
  [[nodiscard]] QString captionText(int step) const;

  std::shared_ptr<const PreparedPage> m_page;
  std::shared_ptr<const p2::Timeline> m_drawnTimeline;  // in m_view
  bool m_revealed = false;
  int m_drawn = -1;  // step in m_view
  Player* m_player;
  PlayerBar* m_bar;
  TimelineView* m_view;
  QLabel* m_hidden;
  QLabel* m_caption;
  QTextBrowser* m_tables;
};

/// A table as rich text: a row for each part, a column for each variant.
[[nodiscard]] QString tableHtml(const LessonTable& table);

}  // namespace p2::views
