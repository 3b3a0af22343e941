// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <array>
#include <optional>

#include "lesson/lesson_check.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace p2::views {

class MarkGrid;
class StepTable;

/// The answer to a task: a grid to be marked, answers to choose from, a line for a program or for a number, items
/// to be put in order.
class AnswerPane : public QWidget {
  Q_OBJECT
 public:
  explicit AnswerPane(QWidget* parent = nullptr);

  /// Shows the page's task, without an answer.
  void setPage(const PreparedPage& page);
  /// The answer; none while nothing is chosen or written, or if the task is to watch.
  [[nodiscard]] std::optional<LessonAnswer> answer() const;
  /// The answers to choose from, as they are shown.
  [[nodiscard]] QStringList choices() const;
  /// Answers as before; an answer of another kind than the page's task is ignored.
  void setAnswer(const LessonAnswer& answer);
  /// The feedback; wrong cells are marked from the second wrong check of a page on.
  void showVerdict(const LessonVerdict& verdict);
  /// Moves the keyboard focus to the answer; false if the task is only to watch.
  bool takeFocus();

 signals:
  void edited();                            ///< the answer is another one
  void answered();                          ///< Enter, or a click where there is nothing to look at first
  void candidateChosen(std::size_t index);  ///< of candidates that stand for a program
  void composed(QString program);           ///< a step was added or removed by button

 private:
  enum class Part { Marks, Choice, Program, Number, Order, Nothing };
  QWidget* makeMarks();
  QWidget* makeChoice();
  QWidget* makeProgram();
  QWidget* makeNumber();
  QWidget* makeOrder();
  void fillOrder(const std::vector<std::size_t>& order);
  void moveItem(int by);
  void showPart(Part part);
  void fillChoice(const PreparedPage& page);
  void fillSteps(const PreparedPage& page);
  void append(const QString& step);
  void removeLast();
  void showConditions(const std::vector<LessonVerdict::Condition>& conditions);

  MarkGrid* m_grid = nullptr;
  QLabel* m_reason = nullptr;
  QListWidget* m_choice = nullptr;
  bool m_choiceIsSeen = false;  // on the stage, before it is checked
  QLineEdit* m_program = nullptr;
  StepTable* m_steps = nullptr;
  QPushButton* m_add = nullptr;
  QPushButton* m_remove = nullptr;
  QLabel* m_conditions = nullptr;
  int m_wrongChecks = 0;  // of this page
  Part m_shown = Part::Nothing;
  QLineEdit* m_number = nullptr;
  QListWidget* m_order = nullptr;
  OrderedItems m_items;
  std::array<QWidget*, 5> m_parts;  // by Part; makes the above
};

}  // namespace p2::views
