// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/composer.h"

#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/panel.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/program/next_steps_panel.h"
#include "views/program/program_edit.h"
#include "views/program/step_chips.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostHistory = 500;

/// −1 for undo, 1 for redo, 0 for neither.
int historyStepOf(const QKeyEvent& event) {
  if (event.matches(QKeySequence::Undo)) return -1;
  return event.matches(QKeySequence::Redo) ? 1 : 0;
}

bool isForControls(int key) {
  return key == Qt::Key_Space || key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home ||
         key == Qt::Key_End;
}

}  // namespace

Composer::Composer(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_chips(new StepChips),
      m_panel(new NextStepsPanel),
      m_edit(new ProgramEdit),
      m_status(new QLabel),
      m_guide(session.jobs(),
              [](const GuideQuestion& question, std::stop_token stop, const Progress&) {
                return guideOf(*question.exploration, question.placement, std::move(stop));
              }),
      m_composing(session.jobs(), [](const ComposingQuestion& question, std::stop_token stop,
                                     const Progress&) { return makeComposing(question, std::move(stop)); }),
      m_next(session.jobs(), [](const ComposingQuestion& question, std::stop_token stop, const Progress&) {
        return makeComposing(question, std::move(stop));
      }) {
  makeWidgets();
  connect(m_chips, &StepChips::stepChosen, this, &Composer::stepChosen);
  connect(m_chips, &StepChips::stepRemoved, this, [this](int step) {
    Program shorter = m_program;
    shorter.erase(shorter.begin() + step);
    compose(shorter, step - 1);
  });
  connect(m_chips, &StepChips::stepMoved, this, [this](int from, int to) {
    Program moved = m_program;
    const Instruction step = moved[std::size_t(from)];
    moved.erase(moved.begin() + from);
    moved.insert(moved.begin() + to, step);
    compose(moved, to);
  });
  connect(m_chips->addButton(), &QToolButton::toggled, this, &Composer::open);
  connect(m_chips->newButton(), &QToolButton::clicked, this, [this] {
    compose({}, -1);
    m_chips->addButton()->setChecked(true);
  });
  connect(m_panel, &NextStepsPanel::added, this, &Composer::put);
  connect(m_panel, &NextStepsPanel::previewed, this, &Composer::previewed);
  connect(m_panel, &NextStepsPanel::closed, this, [this] {
    m_chips->addButton()->setChecked(false);
    m_chips->addButton()->setFocus();
  });
  connect(m_edit, &ProgramEdit::programTyped, this, [this](const Program& program) { compose(program, -1); });
  connect(&m_guide, &DerivedBase::changed, this, &Composer::ask);
  connect(&m_composing, &DerivedBase::changed, this, &Composer::follow);
  connect(&m_next, &DerivedBase::changed, this, &Composer::follow);
}

void Composer::makeWidgets() {
  setObjectName("composer");
  wrapped(named(m_status, "composerStatus"));
  m_status->setTextFormat(Qt::PlainText);
  m_panel->hide();
  auto* layout = bareLayout<QVBoxLayout>(this, 4);
  layout->addWidget(m_chips);
  layout->addWidget(m_status);
  layout->addWidget(m_panel);
  layout->addWidget(m_edit);
}

void Composer::setProgram(const Program& program) {
  if (!m_session.placement()) return;
  if (m_session.placement()->hierarchy != m_hierarchy) {
    m_hierarchy = m_session.placement()->hierarchy;
    m_history.clear();
  }
  m_program = program;
  if (m_history.empty() || m_history[m_at] != program) {
    m_history.resize(m_history.empty() ? 0 : m_at + 1);
    if (m_history.size() == kMostHistory) m_history.erase(m_history.begin());
    m_history.push_back(program);
    m_at = m_history.size() - 1;
  }
  showProgram();
}

void Composer::compose(const Program& program, int step) {
  setProgram(program);
  emit programComposed(m_program, step);
}

std::shared_ptr<const Composing> Composer::ofThisProgram() const {
  const auto composing = m_composing.current();
  const bool same = composing && composing->all.program == m_program && composing->hierarchy == m_hierarchy;
  return same ? composing : nullptr;
}

std::optional<Program> Composer::shownBeginning() const {
  // Before the first step nothing has been stepped through yet: a new step goes to the end.
  if (m_done == 0 || m_done >= int(m_program.size())) return std::nullopt;
  const auto composing = ofThisProgram();
  if (!composing || m_done > composing->all.validSteps) return std::nullopt;
  // Before a step that cannot run, the next steps are those that can take its place.
  if (composing->all.failure && m_done == composing->all.validSteps) return std::nullopt;
  return Program(m_program.begin(), m_program.begin() + m_done);
}

void Composer::askForNext() {
  const auto guide = m_guide.current();
  const auto beginning = shownBeginning();
  if (!guide || !beginning || m_panel->isHidden()) return;
  m_next.ask(tr("Checking the next steps"),
             {m_guide.question()->exploration, m_guide.question()->placement, guide, *beginning});
}

void Composer::put(const Instruction& instruction) {
  if (shownBeginning()) {
    Program longer = m_program;
    longer.insert(longer.begin() + m_done, instruction);
    return compose(longer, m_done);
  }
  // The list may still be for the previous program, which had other steps.
  const auto composing = ofThisProgram();
  if (!composing) return;
  Program longer = m_program;
  const auto wrong = longer.begin() + composing->all.validSteps;
  const auto at = int(wrong - longer.begin());
  // A last step that cannot run is replaced.
  if (wrong != longer.end() && wrong + 1 == longer.end()) {
    *wrong = instruction;
  } else {
    longer.insert(wrong, instruction);
  }
  compose(longer, at);
}

void Composer::walkHistory(int by) {
  const auto to = std::ptrdiff_t(m_at) + by;
  if (to < 0 || to >= std::ssize(m_history)) return;
  m_at = std::size_t(to);
  m_program = m_history[m_at];
  showProgram();
  emit programComposed(m_program, -1);
}

void Composer::showProgram() {
  const ExploreOptions& options = m_session.exploration()->workspace.options;
  m_edit->setProgram(m_hierarchy, m_program, options.rules, options.goal);
  m_guide.ask(tr("Finding ways to the goal"), {m_session.exploration(), std::size_t(m_session.placementIndex())});
  ask();
  follow();
}

void Composer::ask() {
  const auto guide = m_guide.current();
  if (!guide || !m_hierarchy) return;
  m_composing.ask(tr("Checking the next steps"),
                  {m_guide.question()->exploration, m_guide.question()->placement, guide, m_program});
}

void Composer::follow() {
  const auto composing = ofThisProgram();
  QStringList steps;
  for (const Instruction& instruction : m_program) steps.append(stepNotation(*m_hierarchy, instruction));
  QString reason;
  if (composing && composing->all.failure) reason = qs(composing->all.failure->sentence);
  m_chips->show(steps, composing ? composing->all.validSteps : int(steps.size()), reason);
  if (composing) {
    m_status->setText(statusText(*composing));
    askForNext();
    const auto beginning = shownBeginning();
    const auto next = m_next.current();
    const bool known = beginning && next && next->all.program == *beginning && next->hierarchy == m_hierarchy;
    if (!beginning || known) m_panel->show(beginning ? next : composing);
    const int runs = composing->all.validSteps;
    m_panel->setPlace(beginning                           ? tr("Next after step %1, which is shown").arg(m_done)
                      : runs == int(m_program.size())     ? tr("Next at the end")
                      : runs + 1 == int(m_program.size()) ? tr("In place of step %1, which cannot run").arg(runs + 1)
                                                          : tr("Before step %1, which cannot run").arg(runs + 1));
  } else if (const auto& problem = m_composing.problem() ? m_composing.problem() : m_guide.problem()) {
    m_status->setText(qs(problem->text()));
  }
  emit composingChanged();
}

void Composer::open(bool on) {
  m_panel->setVisible(on);
  if (!on) return;
  askForNext();
  follow();
  m_panel->begin();
}

bool Composer::isTyping() const { return m_edit->isTyping(); }

void Composer::setStep(int step) { m_chips->setChosen(step); }

void Composer::setDone(int steps) {
  if (m_done == steps) return;
  m_done = steps;
  if (m_panel->isHidden()) return;
  askForNext();
  follow();
}

void Composer::setProblem(const QString& sentence) { m_edit->setProblem(sentence); }

// The window's own undo is for the document, and its Space and arrows are for the player; in here the keys are for the
// program, its chips and the list of steps.
bool Composer::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    if (historyStepOf(key) != 0 || isForControls(key.key())) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void Composer::keyPressEvent(QKeyEvent* event) {
  const int by = historyStepOf(*event);
  if (by == 0) return QWidget::keyPressEvent(event);
  walkHistory(by);
}

}  // namespace p2::views
