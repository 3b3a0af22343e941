// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <set>
#include <vector>

#include "views/lesson/answer_pane.h"
#include "views/lesson/shown_page.h"

class QAction;
class QHBoxLayout;
class QLabel;
class QScrollArea;

namespace p2::views {

class InlineMessage;

/// The text of a page, its task, and feedback on the answer.
class TaskPanel : public QWidget {
  Q_OBJECT
 public:
  explicit TaskPanel(QWidget* parent = nullptr);

  /// "Lesson 6 of 14: Counted twice"; `page` counts from 0.
  void setPlace(const QString& lesson, int page, int pages, const std::set<int>& solved);
  void setPage(std::shared_ptr<const ShownPage> page);
  /// One sentence in place of a page.
  void showProblem(const QString& sentence);
  /// Shows feedback for an answer.
  void showVerdict(const LessonVerdict& verdict);
  void showNote(const QString& sentence);

  [[nodiscard]] AnswerPane& answer() { return *m_answer; }
  /// Check, hint, and the pages before and after.
  [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
  /// Enter after a right answer: the next page. Enabled until the answer is changed.
  [[nodiscard]] QAction* goOnAction() const { return m_goOn; }
  void takeFocus();

  /// As wide as its page needs in order not to be scrolled sideways, within reason.
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void checkWanted();
  void pageWanted(int by);  ///< this many pages on

 private:
  QHBoxLayout* makeButtons();
  QAction* addAction(const char* name, const QString& text, const QString& tip, const QKeySequence& shortcut);
  void showHint();
  void clearVerdict();
  /// Scrolls to these parts of the content, from the top.
  void bringIntoSight(const std::vector<QWidget*>& parts);

  std::shared_ptr<const ShownPage> m_page;
  std::size_t m_hints = 0;  // shown
  QScrollArea* m_scroll;
  QWidget* m_content;  // of m_scroll
  QLabel* m_place;
  QLabel* m_dots;
  QLabel* m_text;
  QLabel* m_question;
  AnswerPane* m_answer;
  InlineMessage* m_message;
  QLabel* m_done;
  QLabel* m_hintText;
  QList<QAction*> m_actions;
  QAction* m_check = nullptr;
  QAction* m_hint = nullptr;
  QAction* m_back = nullptr;
  QAction* m_next = nullptr;
  QAction* m_goOn = nullptr;
  QHBoxLayout* m_buttons = nullptr;
};

}  // namespace p2::views
