// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/answer_pane.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/panel.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/lesson/mark_grid.h"
#include "views/lesson/step_table.h"

namespace p2::views {
namespace {

// Height of a list of answers before it scrolls.
constexpr int kMostShownLines = 24;
constexpr int kLeastShownRows = 4;

/// A list in which no row is current, and so none looks chosen, until one is.
class ChoiceList : public QListWidget {
 protected:
  void focusInEvent(QFocusEvent* event) override {
    const bool chosen = currentRow() >= 0;
    const QSignalBlocker quiet(this);
    QListWidget::focusInEvent(event);
    if (!chosen) setCurrentRow(-1);
  }
};

QLabel* wrapped(const QString& name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QVBoxLayout* columnOf(QWidget* widget) {
  auto* layout = bareLayout<QVBoxLayout>(widget, Theme::kGrid / 2);
  return layout;
}

}  // namespace

AnswerPane::AnswerPane(QWidget* parent)
    : QWidget(parent), m_parts{makeMarks(), makeChoice(), makeProgram(), makeNumber(), makeOrder()} {
  // Not a stack: unused panes take no room.
  auto* layout = columnOf(this);
  for (QWidget* part : m_parts) layout->addWidget(part);
  showPart(Part::Nothing);
}

void AnswerPane::showPart(Part part) {
  m_shown = part;
  for (std::size_t i = 0; i < m_parts.size(); ++i) m_parts[i]->setVisible(i == std::size_t(part));
}

QWidget* AnswerPane::makeMarks() {
  auto* page = new QWidget;
  m_grid = new MarkGrid;
  m_grid->setToolTip(tr(
      "Click or drag to mark; click the header of a row or column to mark all of it, and \"all\" for every cell. With "
      "the arrow keys, Space marks a cell, Ctrl+Space its column, Shift+Space its row, Ctrl+A all. Enter checks"));
  m_reason = wrapped(QStringLiteral("markReason"));
  auto* layout = columnOf(page);
  layout->addWidget(m_grid);
  layout->addWidget(m_reason);
  connect(m_grid, &MarkGrid::marked, this, &AnswerPane::edited);
  connect(m_grid, &MarkGrid::answered, this, &AnswerPane::answered);
  connect(m_grid, &MarkGrid::reasonWanted, m_reason, &QLabel::setText);
  return page;
}

QWidget* AnswerPane::makeChoice() {
  m_choice = named(new ChoiceList, "answerChoice", tr("Answers to choose from"), tr("Choose one; Enter checks"));
  m_choice->setWordWrap(true);
  m_choice->setTextElideMode(Qt::ElideNone);
  m_choice->setTabKeyNavigation(false);
  m_choice->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_choice->setSpacing(2);
  m_choice->setResizeMode(QListView::Adjust);
  m_choice->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  m_choice->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
  connect(m_choice, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row < 0) return;
    emit edited();
    emit candidateChosen(std::size_t(row));
  });
  connect(m_choice, &QListWidget::itemActivated, this, &AnswerPane::answered);
  connect(m_choice, &QListWidget::itemClicked, this, [this] {
    if (!m_choiceIsSeen) emit answered();
  });
  return m_choice;
}

QWidget* AnswerPane::makeProgram() {
  auto* page = new QWidget;
  m_program = named(new QLineEdit, "answerProgram", tr("Your program"));
  m_program->setPlaceholderText(tr("Add steps above, or type them here"));
  m_program->setToolTip(tr("Steps, separated by semicolons. Add a step writes them for you; Enter checks"));
  m_program->setClearButtonEnabled(true);
  m_steps = new StepTable;
  connect(m_steps, &StepTable::stepChosen, this, &AnswerPane::append);
  m_add = named(new QPushButton(tr("&Add a step")), "addStepButton", {}, tr("Choose the next step from the list"));
  m_add->setMenu(new QMenu(m_add));
  m_remove = named(new QPushButton(tr("&Remove the last")), "removeStepButton", {}, tr("Remove the last step"));
  connect(m_remove, &QPushButton::clicked, this, &AnswerPane::removeLast);
  m_conditions = wrapped(QStringLiteral("answerConditions"));
  auto* layout = columnOf(page);
  auto* steps = new QHBoxLayout;
  steps->addWidget(m_add);
  steps->addWidget(m_remove);
  steps->addStretch();
  layout->addWidget(m_steps);
  layout->addLayout(steps);
  layout->addWidget(m_program);
  layout->addWidget(m_conditions);
  connect(m_program, &QLineEdit::textEdited, this, [this] {
    m_conditions->clear();
    emit edited();
  });
  connect(m_program, &QLineEdit::returnPressed, this, &AnswerPane::answered);
  return page;
}

QWidget* AnswerPane::makeNumber() {
  auto* page = new QWidget;
  m_number = named(new QLineEdit, "answerNumber", tr("Your number, with its unit"));
  m_number->setClearButtonEnabled(true);
  columnOf(page)->addWidget(m_number);
  connect(m_number, &QLineEdit::textEdited, this, &AnswerPane::edited);
  connect(m_number, &QLineEdit::returnPressed, this, &AnswerPane::answered);
  return page;
}

void AnswerPane::setPage(const PreparedPage& page) {
  const auto& kind = page.page.task.kind;
  m_wrongChecks = 0;
  m_reason->clear();
  m_conditions->clear();
  if (std::holds_alternative<WatchTask>(kind)) {
    showPart(Part::Nothing);
  } else if (std::holds_alternative<PaintTask>(kind)) {
    m_grid->setGrid(page.grid);
    showPart(Part::Marks);
  } else if (std::holds_alternative<ComposeTask>(kind)) {
    m_program->clear();
    fillSteps(page);
    showPart(Part::Program);
  } else if (const auto* compute = std::get_if<ComputeTask>(&kind)) {
    const auto number = page.facts.number(compute->fact);
    m_number->clear();
    if (number.ok()) {
      const QString example = qs(std::string(exampleOf(number->unit)));
      m_number->setPlaceholderText(tr("as in %1").arg(example));
      m_number->setToolTip(tr("A number with its unit, as in %1; Enter checks").arg(example));
    }
    showPart(Part::Number);
  } else if (std::holds_alternative<OrderTask>(kind)) {
    m_items = page.order;
    std::vector<std::size_t> offered(m_items.items.size());
    for (std::size_t i = 0; i < offered.size(); ++i) offered[i] = i;
    fillOrder(offered);
    showPart(Part::Order);
  } else {
    fillChoice(page);
    showPart(Part::Choice);
  }
}

void AnswerPane::fillSteps(const PreparedPage& page) {
  m_steps->setPage(page);
  QMenu& menu = *m_add->menu();
  menu.clear();
  const SynthesisHierarchy& hierarchy = *page.result().hierarchy;
  for (const Collective collective : kCollectives) {
    if (!page.exploration->workspace.options.goal.collectives.contains(collective)) continue;
    QMenu* of = menu.addMenu(qs(std::string(nameOf(collective))));
    for (const GroupPattern& pattern : groupPatterns(hierarchy)) {
      const Instruction step{pattern, collective};
      const QString written = qs(programText(hierarchy, {step}));
      connect(of->addAction(stepNotation(hierarchy, step)), &QAction::triggered, this,
              [this, written] { append(written); });
    }
  }
}

void AnswerPane::append(const QString& step) {
  const QString before = m_program->text().trimmed();
  m_program->setText(before.isEmpty() ? step : before + QStringLiteral("; ") + step);
  m_conditions->clear();
  emit edited();
  emit composed(m_program->text());
}

void AnswerPane::removeLast() {
  m_program->setText(m_program->text().section(';', 0, -2).trimmed());
  m_conditions->clear();
  emit edited();
  emit composed(m_program->text());
}

void AnswerPane::fillChoice(const PreparedPage& page) {
  m_choice->clear();
  const auto* find = std::get_if<FindTask>(&page.page.task.kind);
  m_choiceIsSeen = (find != nullptr && find->among == FindTask::Among::Steps) ||
                   std::any_of(page.candidates.begin(), page.candidates.end(),
                               [](const LessonCandidate& each) { return !each.program.empty(); });
  m_choice->setToolTip(m_choiceIsSeen ? tr("A click shows it; a double click or Enter checks it")
                                      : tr("A click or Enter checks the answer"));
  for (const LessonCandidate& each : page.candidates) {
    const bool matrix = find != nullptr && find->among == FindTask::Among::Placements;
    const bool program = !each.program.empty() && !matrix;
    auto* item =
        new QListWidgetItem(program ? programNotation(*page.result().hierarchy, each.program) : qs(each.title));
    if (program) item->setToolTip(qs(each.title));
    m_choice->addItem(item);
  }
  // No answer looks chosen before one is.
  m_choice->setCurrentRow(-1);
  m_choice->setMaximumHeight(kMostShownLines * m_choice->fontMetrics().lineSpacing());
  m_choice->setMinimumHeight(std::min(m_choice->count(), kLeastShownRows) * 2 * m_choice->fontMetrics().lineSpacing());
  m_choice->updateGeometry();
}

std::optional<LessonAnswer> AnswerPane::answer() const {
  switch (m_shown) {
    case Part::Marks:
      return PaintedCells{m_grid->marks()};
    case Part::Choice:
      if (m_choice->currentRow() < 0) return std::nullopt;
      return ChosenCandidate{std::size_t(m_choice->currentRow())};
    case Part::Program:
      if (m_program->text().trimmed().isEmpty()) return std::nullopt;
      return ComposedProgram{m_program->text().toStdString()};
    case Part::Number:
      if (m_number->text().trimmed().isEmpty()) return std::nullopt;
      return TypedNumber{m_number->text().toStdString()};
    case Part::Order: {
      ArrangedItems arranged;
      for (int row = 0; row < m_order->count(); ++row)
        arranged.order.push_back(std::size_t(m_order->item(row)->data(Qt::UserRole).toULongLong()));
      return arranged;
    }
    case Part::Nothing:
      break;
  }
  return std::nullopt;
}

QStringList AnswerPane::choices() const {
  QStringList texts;
  for (int row = 0; row < m_choice->count(); ++row) texts << m_choice->item(row)->text();
  return texts;
}

void AnswerPane::setAnswer(const LessonAnswer& answer) {
  const QSignalBlocker quiet(m_choice);
  if (const auto* painted = std::get_if<PaintedCells>(&answer);
      painted && m_shown == Part::Marks && painted->cells.size() == m_grid->marks().size()) {
    m_grid->setMarks(painted->cells);
  } else if (const auto* chosen = std::get_if<ChosenCandidate>(&answer); chosen && m_shown == Part::Choice) {
    m_choice->setCurrentRow(int(chosen->index));
  } else if (const auto* composed = std::get_if<ComposedProgram>(&answer); composed && m_shown == Part::Program) {
    m_program->setText(qs(composed->text));
  } else if (const auto* typed = std::get_if<TypedNumber>(&answer); typed && m_shown == Part::Number) {
    m_number->setText(qs(typed->text));
  } else if (const auto* arranged = std::get_if<ArrangedItems>(&answer);
             arranged && m_shown == Part::Order && arranged->order.size() == m_items.items.size()) {
    fillOrder(arranged->order);
  }
}

void AnswerPane::showVerdict(const LessonVerdict& verdict) {
  if (!verdict.right) ++m_wrongChecks;
  // Marking every wrong cell at once would show the whole solution.
  if (m_shown == Part::Marks && m_wrongChecks == 1 && !verdict.right) return;
  std::map<std::size_t, QString> wrong;
  for (const LessonVerdict::Cell& each : verdict.wrong) wrong[each.cell] = qs(each.why);
  if (m_shown == Part::Marks) m_grid->setWrong(std::move(wrong));
  if (m_shown == Part::Program) showConditions(verdict.conditions);
}

void AnswerPane::showConditions(const std::vector<LessonVerdict::Condition>& conditions) {
  QStringList lines;
  for (const LessonVerdict::Condition& each : conditions) {
    lines << (each.holds ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + qs(each.text);
  }
  m_conditions->setText(lines.join('\n'));
}

bool AnswerPane::takeFocus() {
  switch (m_shown) {
    case Part::Marks:
      m_grid->setFocus();
      return true;
    case Part::Choice:
      m_choice->setFocus();
      return true;
    case Part::Program:
      m_program->setFocus();
      return true;
    case Part::Number:
      m_number->setFocus();
      return true;
    case Part::Order:
      m_order->setFocus();
      return true;
    case Part::Nothing:
      break;
  }
  return false;
}

}  // namespace p2::views
