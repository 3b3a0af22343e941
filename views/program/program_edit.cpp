// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_edit.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "views/common/inline_message.h"

namespace p2::views {

ProgramEdit::ProgramEdit(QWidget* parent) : QWidget(parent), m_edit(new QLineEdit), m_problem(new InlineMessage) {
  m_edit->setObjectName("programEdit");
  m_edit->setAccessibleName(tr("Program as text"));
  m_edit->setPlaceholderText("node:InsideGroup:ReduceScatter; …");
  m_edit->setToolTip(
      tr("Type a program: slice:form:collective, joined by \";\". "
         "Forms: InsideGroup, Parallel(level), Master(level)"));
  m_problem->setObjectName("programProblem");
  auto* caption = new QLabel(tr("&Try a program"));
  caption->setBuddy(m_edit);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(caption);
  layout->addWidget(m_edit);
  layout->addWidget(m_problem);
  connect(m_edit, &QLineEdit::textEdited, this, &ProgramEdit::read);
}

void ProgramEdit::setProgram(std::shared_ptr<const SynthesisHierarchy> hierarchy, const Program& program) {
  m_hierarchy = std::move(hierarchy);
  setProblem({});
  const auto typed = parseProgram(*m_hierarchy, m_edit->text().toStdString());
  if (typed.ok() && *typed == program) return;
  m_edit->setText(QString::fromStdString(programText(*m_hierarchy, program)));
  m_edit->setCursorPosition(0);
}

void ProgramEdit::setProblem(const QString& sentence) { m_problem->showProblem(sentence); }

void ProgramEdit::read(const QString& text) {
  if (!m_hierarchy) return;
  const auto program = parseProgram(*m_hierarchy, text.toStdString());
  setProblem(program.ok() ? QString() : QString::fromStdString(program.error().text()));
  if (program.ok()) emit programTyped(*program);
}

}  // namespace p2::views
