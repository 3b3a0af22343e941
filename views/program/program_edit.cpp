// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_edit.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/shell/field_escape.h"

namespace p2::views {
namespace {

/// Every instruction in both notations.
QStringList stepsOf(const SynthesisHierarchy& hierarchy, const Goal& goal) {
  QStringList steps;
  for (const bool dotted : {true, false}) {
    for (const GroupPattern& pattern : groupPatterns(hierarchy)) {
      for (const Collective collective : kCollectives) {
        if (!goal.collectives.contains(collective)) continue;
        const Instruction instruction{pattern, collective};
        steps.append(qs(dotted ? notationText(hierarchy, instruction) : instructionText(hierarchy, instruction)));
      }
    }
  }
  return steps;
}

}  // namespace

ProgramEdit::ProgramEdit(QWidget* parent)
    : QWidget(parent), m_edit(new QLineEdit), m_list(new QListWidget(this)), m_problem(new InlineMessage) {
  named(m_edit, "programEdit", tr("Program as text"));
  m_edit->setPlaceholderText(tr("ReduceScatter·node → AllReduce·node∥root → …"));
  m_edit->setToolTip(
      tr("Type a program: AllReduce.node||root or AR.node||root for \"AllReduce across nodes\"; or "
         "slice:form:collective with the forms InsideGroup, Parallel(level) and Master(level); "
         "steps joined by \"->\" or \";\". Down completes the step"));
  m_edit->installEventFilter(this);
  named(m_list.data(), "programCompletions", tr("Completions"));
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->hide();
  m_edit->setProperty(FieldEscape::kSuggestions, QVariant::fromValue<QWidget*>(m_list));
  m_problem->setObjectName("programProblem");
  auto* caption = new QLabel(tr("As &text"));
  caption->setBuddy(m_edit);
  auto* line = new QHBoxLayout;
  line->addWidget(caption);
  line->addWidget(m_edit, 1);
  auto* layout = bareLayout<QVBoxLayout>(this, 4);
  layout->addLayout(line);
  layout->addWidget(m_problem);
  connect(m_edit, &QLineEdit::textEdited, this, [this](const QString& text) {
    read(text);
    complete(false);
  });
  connect(m_list, &QListWidget::itemClicked, this, [this](auto* item) { takeCompletion(item->text()); });
}

ProgramEdit::~ProgramEdit() { delete m_list; }

Result<Program> ProgramEdit::programOf(const QString& text) const {
  return readProgram(*m_hierarchy, text.toStdString(), m_rules, m_goal);
}

void ProgramEdit::setProgram(std::shared_ptr<const SynthesisHierarchy> hierarchy, const Program& program, RuleSet rules,
                             const Goal& goal) {
  if (hierarchy != m_hierarchy || goal != m_goal) m_steps = stepsOf(*hierarchy, goal);
  m_hierarchy = std::move(hierarchy);
  m_rules = rules;
  m_goal = goal;
  setProblem({});
  const auto typed = programOf(m_edit->text());
  if (typed.ok() && *typed == program) return;
  m_edit->setText(typedNotation(*m_hierarchy, program));
  m_edit->setCursorPosition(0);
}

bool ProgramEdit::isTyping() const {
  return m_hierarchy && m_edit->hasFocus() && m_edit->isModified() && !programOf(m_edit->text()).ok();
}

void ProgramEdit::setProblem(const QString& sentence) { m_problem->showProblem(sentence); }

void ProgramEdit::read(const QString& text) {
  if (!m_hierarchy) return;
  const auto program = programOf(text);
  setProblem(program.ok() ? QString() : qs(program.error().text()));
  if (program.ok()) emit programTyped(*program);
}

int ProgramEdit::beginOfStep() const {
  const QString before = m_edit->text().left(m_edit->cursorPosition());
  int begin = 0;
  for (const QString& separator : {QString(";"), QString("→"), QString("->")}) {
    const auto at = before.lastIndexOf(separator);
    if (at >= 0) begin = std::max(begin, int(at + separator.size()));
  }
  while (begin < before.size() && before[begin].isSpace()) ++begin;
  return begin;
}

// Opens by itself only while typing at the end of a step; over an edited step it would be in the way.
void ProgramEdit::complete(bool asked) {
  const int begin = beginOfStep();
  const QString text = m_edit->text();
  const QString step = text.mid(begin, m_edit->cursorPosition() - begin);
  const QString behind = text.mid(m_edit->cursorPosition()).trimmed();
  const bool inside = !behind.isEmpty() && !behind.startsWith(u';') && !behind.startsWith(u'→');
  m_list->clear();
  const bool done = step.size() < 2 || inside || m_steps.contains(step);
  if (asked || !done) m_list->addItems(m_steps.filter(step, Qt::CaseInsensitive));
  if (m_list->count() == 0) return m_list->hide();
  placeList();
}

void ProgramEdit::placeList() {
  if (m_list->parentWidget() != window()) m_list->setParent(window());
  const int rows = std::min(m_list->count(), 8);
  const int height = rows * m_list->sizeHintForRow(0) + 2 * m_list->frameWidth();
  const QPoint above = m_edit->mapTo(window(), QPoint(0, -height));
  m_list->setGeometry(above.x(), std::max(0, above.y()), std::max(320, m_edit->width() / 2), height);
  m_list->raise();
  m_list->show();
}

void ProgramEdit::takeCompletion(const QString& step) {
  m_list->hide();
  const int begin = beginOfStep();
  QString text = m_edit->text();
  text.replace(begin, m_edit->cursorPosition() - begin, step);
  m_edit->setText(text);
  m_edit->setCursorPosition(begin + int(step.size()));
  m_edit->setFocus();
  read(text);
}

bool ProgramEdit::completionKey(int key) {
  const bool open = m_list->isVisible();
  switch (key) {
    case Qt::Key_Down:
    case Qt::Key_Up:
      if (!open) complete(true);
      if (open)
        m_list->setCurrentRow((m_list->currentRow() + (key == Qt::Key_Down ? 1 : -1) + m_list->count()) %
                              m_list->count());
      return true;
    case Qt::Key_Escape:
      m_list->hide();
      return open;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
      if (open && m_list->currentItem() != nullptr) {
        takeCompletion(m_list->currentItem()->text());
        return true;
      }
      m_list->hide();
      // A cancelled run is repeated.
      if (key != Qt::Key_Tab) read(m_edit->text());
      return false;
    default:
      return false;
  }
}

bool ProgramEdit::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && completionKey(static_cast<QKeyEvent*>(event)->key())) return true;
  if ((event->type() == QEvent::FocusOut || event->type() == QEvent::Hide) && m_list && !m_list->underMouse()) {
    m_list->hide();
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace p2::views
