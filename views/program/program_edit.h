// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QStringList>
#include <QWidget>
#include <memory>

#include "synthesis/program_notation.h"

class QLineEdit;
class QListWidget;

namespace p2::views {

class InlineMessage;

/// A line edit for a program in any notation, with completion of the current step and an error below.
class ProgramEdit : public QWidget {
  Q_OBJECT
 public:
  explicit ProgramEdit(QWidget* parent = nullptr);
  ~ProgramEdit() override;

  /// Shows a program of a hierarchy. A text that already means this program stays as it was typed.
  void setProgram(std::shared_ptr<const SynthesisHierarchy> hierarchy, const Program& program, RuleSet rules,
                  const Goal& goal);
  /// Whether the text was just typed and is not yet a program.
  [[nodiscard]] bool isTyping() const;
  /// Shows an error of the program itself; empty if none.
  void setProblem(const QString& sentence);

 signals:
  /// The user typed something that can be read as a program.
  void programTyped(const p2::Program& program);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void read(const QString& text);
  void complete(bool asked);
  void placeList();
  void takeCompletion(const QString& step);
  [[nodiscard]] bool completionKey(int key);
  [[nodiscard]] int beginOfStep() const;
  [[nodiscard]] Result<Program> programOf(const QString& text) const;

  std::shared_ptr<const SynthesisHierarchy> m_hierarchy;
  RuleSet m_rules = RuleSet::Paper;
  Goal m_goal = kAllReduceGoal;
  QLineEdit* m_edit;
  QStringList m_steps;
  QPointer<QListWidget> m_list;  // over the window rather than in one of its own: the keyboard stays where it is
  InlineMessage* m_problem;
};

}  // namespace p2::views
