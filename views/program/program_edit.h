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

/// A line in which a program is read and typed, in any notation, and what is wrong with it beneath. The step that is
/// being typed is completed.
class ProgramEdit : public QWidget {
  Q_OBJECT
 public:
  explicit ProgramEdit(QWidget* parent = nullptr);
  ~ProgramEdit() override;

  /// Shows a program of a hierarchy. A text that already means this program stays as it was typed.
  void setProgram(std::shared_ptr<const SynthesisHierarchy> hierarchy, const Program& program, RuleSet rules,
                  const Goal& goal);
  /// Whether something stands here, typed just now, that is no program yet.
  [[nodiscard]] bool isTyping() const;
  /// Says what is wrong with the program itself; empty if nothing is.
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
