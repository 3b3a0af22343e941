// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_box.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include "base/units.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"

namespace p2::views {

RunBox::RunBox(Session& session, QWidget* parent) : QGroupBox(tr("Run"), parent), m_session(session) {
  auto* form = new QFormLayout(this);
  form->setSpacing(Theme::kGrid);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_what = addChoice(*form, "runWhat", tr("&What"), tr("Programs to run, one after the other"));
  m_what->addItem(tr("the selected program"));
  m_what->addItem(tr("the best programs"));
  m_what->addItem(tr("the selected placement's programs"));
  m_what->addItem(tr("all listed programs"));
  const auto spin = [&](const char* name, const QString& label, const QString& tip, int most, int value) {
    auto* made = new QSpinBox;
    made->setObjectName(name);
    made->setAccessibleName(QString(label).remove('&'));
    made->setToolTip(tip);
    made->setRange(1, most);
    made->setValue(value);
    form->addRow(label, made);
    return made;
  };
  m_count = spin("runCount", tr("How &many"), tr("Number of cheapest programs, over all placements"), 1000, 10);
  m_backend = addChoice(*form, "runBackend", tr("&Backend"), tr("mpi on CPUs, nccl on GPUs"));
  for (const std::string_view name : kBackends) m_backend->addItem(qs(name));
  m_bytes = named(new QLineEdit(editableBytes(m_bytesShown)), "runBytes", tr("Bytes"),
                  tr("Vector per device, such as 64 MiB"));
  form->addRow(tr("B&ytes"), m_bytes);
  m_repeat = spin("runRepeat", tr("&Repetitions"), tr("Timed repetitions of each program"), kMostRuns, 10);
  m_pieces = spin("runPieces", tr("&Pieces"),
                  tr("Pieces of the vector that are pipelined through the steps; 1 runs one step after the "
                     "other"),
                  kMostChunks, 1);
  m_pieces->setMinimum(0);
  m_pieces->setSpecialValueText(tr("as predicted"));
  m_problem = named(new InlineMessage, "runProblem");
  m_run = named(new QPushButton(tr("Run")), "runButton");
  m_run->setShortcut(Qt::CTRL | Qt::Key_R);
  m_run->setToolTip(tr("Run these programs on the target (Ctrl+R)"));
  m_cancel =
      named(new QPushButton(tr("Cancel")), "cancelButton", {}, tr("Stop the current run and drop the waiting ones"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_run, 1);
  buttons->addWidget(m_cancel);
  form->addRow(buttons);
  m_script = named(
      new QPushButton(tr("Copy command for Py&Torch…")), "torchrunButton", {},
      tr("Save these programs as one Python script, and copy the command that runs it where PyTorch is installed"));
  form->addRow(m_script);
  form->addRow(m_problem);
  connect(m_script, &QPushButton::clicked, this, &RunBox::scriptWanted);
  connect(m_run, &QPushButton::clicked, this, &RunBox::runWanted);
  connect(m_cancel, &QPushButton::clicked, this, &RunBox::cancelWanted);
  connect(m_what, &QComboBox::currentIndexChanged, this, &RunBox::refresh);
  connect(m_bytes, &QLineEdit::textChanged, this, &RunBox::refresh);
  connect(m_bytes, &QLineEdit::editingFinished, this, &RunBox::showBytes);
  connect(&m_session, &Session::freshnessChanged, this, &RunBox::refresh);
  connect(&m_session, &Session::selectionChanged, this, &RunBox::refresh);
  refresh();
}

QComboBox* RunBox::addChoice(QFormLayout& form, const char* name, const QString& label, const QString& tip) {
  auto* choice = new QComboBox;
  choice->setObjectName(name);
  choice->setAccessibleName(QString(label).remove('&'));
  choice->setToolTip(tip);
  form.addRow(label, choice);
  return choice;
}

void RunBox::setRunning(bool running) {
  m_running = running;
  refresh();
}

void RunBox::refresh() {
  const auto bytes = typedBytes(m_bytes->text(), m_bytesShown);
  if (bytes.ok()) m_bytesRead = *bytes;
  QString problem = bytes.ok() ? QString() : qs(bytes.error().message);
  if (m_session.problem()) problem = tr("Nothing to run yet. Fix the system or the axes first.");
  m_problem->showProblem(problem);
  m_count->setEnabled(m_what->currentIndex() == BestPrograms);
  m_run->setEnabled(!m_running && problem.isEmpty() && m_session.isCurrent() && m_session.program() != nullptr);
  m_script->setEnabled(problem.isEmpty() && m_session.isCurrent() && m_session.program() != nullptr);
  m_cancel->setEnabled(m_running);
}

void RunBox::showBytes() {
  if (!typedBytes(m_bytes->text(), m_bytesShown).ok()) return;
  m_bytesShown = m_bytesRead;
  m_bytes->setText(editableBytes(m_bytesShown));
}

RunOrder RunBox::order(Workspace workspace, const Target& target) const {
  const int pieces = m_pieces->value();
  return {std::move(workspace),     target,
          m_backend->currentText(), m_bytesRead,
          m_repeat->value(),        pieces > 0 ? std::optional(pieces) : std::nullopt};
}

Result<std::vector<RunOrder>> RunBox::ordersAgain(const std::vector<RunRow>& rows, const Target& target) const {
  std::vector<RunOrder> orders;
  for (const RunRow& row : rows) {
    const auto plan = planFromJson(row.plan.toStdString());
    if (!plan.ok()) return Error{tr("This run was not made from a plan and cannot be run again.").toStdString()};
    RunOrder made = order(plan->workspace(), target);
    if (row.result) {
      made.backend = qs(row.result->backend);
      made.bytes = row.result->bytes;
      made.repeat = row.result->repeat;
      made.pieces = row.result->pieces;
    }
    orders.push_back(std::move(made));
  }
  return orders;
}

std::vector<RunOrder> RunBox::orders(const Target& target) const {
  const auto exploration = m_session.exploration();
  if (!exploration || exploration->placements.empty()) return {};
  std::vector<std::pair<std::size_t, std::size_t>> chosen = rankedPrograms(*exploration);
  const auto placement = std::size_t(m_session.placementIndex());
  switch (m_what->currentIndex()) {
    case SelectedProgram:
      chosen = {{placement, std::size_t(m_session.programIndex())}};
      break;
    case BestPrograms:
      chosen.resize(std::min(chosen.size(), std::size_t(m_count->value())));
      break;
    case PlacementPrograms:
      std::erase_if(chosen, [&](const auto& one) { return one.first != placement; });
      break;
    default:
      break;
  }
  std::vector<RunOrder> orders;
  for (const auto& [at, program] : chosen) {
    const PlacementResult& result = exploration->placements[at];
    RunOrder made = order(exploration->workspace, target);
    made.workspace.matrix = result.matrix;
    made.workspace.program = programText(*result.hierarchy, result.programs[program].program);
    orders.push_back(std::move(made));
  }
  return orders;
}

}  // namespace p2::views
