// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "synthesis/instruction.h"

class QLineEdit;

namespace p2::views {

class InlineMessage;

/// A line in which a program is read and typed in DSL form, and what is wrong with it beneath.
class ProgramEdit : public QWidget {
  Q_OBJECT
 public:
  explicit ProgramEdit(QWidget* parent = nullptr);

  /// Shows a program of a hierarchy. A text that already means this program stays as it was typed.
  void setProgram(std::shared_ptr<const SynthesisHierarchy> hierarchy, const Program& program);
  /// Says what is wrong with the program itself; empty if nothing is.
  void setProblem(const QString& sentence);

 signals:
  /// The user typed something that can be read as a program.
  void programTyped(const p2::Program& program);

 private:
  void read(const QString& text);

  std::shared_ptr<const SynthesisHierarchy> m_hierarchy;
  QLineEdit* m_edit;
  InlineMessage* m_problem;
};

}  // namespace p2::views
