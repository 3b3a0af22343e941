// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_compare_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "base/counted.h"
#include "base/units.h"
#include "views/common/file_field.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/timeline_view.h"

namespace p2::views {
namespace {

constexpr int kDialogColumns = 120;
constexpr int kDialogLines = 40;

/// The run in one sentence, and the step next to its prediction where there is one.
QString findingOf(const RunAnswer& answer) {
  QString text = qs(countedText(answer.ranks, "rank") + ", " + countedText(answer.measured().slices.size(), "kernel") +
                    " in " + formatSeconds(answer.measured().seconds));
  if (!answer.parts.empty()) return text + "; " + qs(describeParts(answer.parts)) + ".";
  if (answer.step) {
    text += qs("; a step of " + formatSeconds(answer.step->seconds) + " computes for " +
               formatSeconds(answer.step->computation) + " and waits for communication for " +
               formatSeconds(answer.step->exposed));
  }
  return text + ".";
}

}  // namespace

RunCompareDialog::RunCompareDialog(JobQueue& jobs, QWidget* parent)
    : QDialog(parent), m_answer(jobs, [](const RunQuestion& question, const std::stop_token& stop, const Progress&) {
        return answerRun(question, stop);
      }) {
  setObjectName(QStringLiteral("runCompareDialog"));
  setWindowTitle(tr("Compare with a run"));
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(makeFiles());
  m_message = named(new InlineMessage, "runCompareMessage");
  layout->addWidget(m_message);
  m_finding = wrapped(named(new QLabel, "runCompareFinding"));
  layout->addWidget(m_finding);
  layout->addWidget(makeAnswer(), 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  connect(&m_answer, &DerivedBase::changed, this, &RunCompareDialog::refresh);
  resize(fontMetrics().averageCharWidth() * kDialogColumns, fontMetrics().lineSpacing() * kDialogLines);
  refresh();
}

RunCompareDialog::~RunCompareDialog() = default;

QWidget* RunCompareDialog::makeFiles() {
  m_traces = new FileField(QStringLiteral("runTraces"), tr("Traces of the ranks"),
                           {tr("Traces (*.json *.json.gz *.gz *.sqlite *.jsonl *.log)"), tr("All files (*)")});
  m_traces->setToolTip(tr(
      "Traces of the PyTorch profiler, of Nsight Systems as SQLite, or lines of NCCL's Inspector; one file per rank"));
  m_plan = new FileField(QStringLiteral("runPlan"), tr("The plan that was run"), {tr("Plans (*.json)")},
                         FileField::Takes::OneFile);
  m_plan->setToolTip(tr("A plan of a program or of a training; without one the run is shown alone"));
  for (FileField* field : {m_traces, m_plan}) connect(field, &FileField::chosen, this, &RunCompareDialog::ask);
  auto* files = new QWidget;
  auto* form = bareLayout<QFormLayout>(files);
  form->addRow(tr("&Traces:"), m_traces);
  form->addRow(tr("&Plan:"), m_plan);
  return files;
}

QWidget* RunCompareDialog::makeAnswer() {
  m_timeline = named(new TimelineView, "runCompareTimeline", tr("Predicted above measured"),
                     tr("Predicted above measured; the wheel zooms, dragging pans"));
  m_collectives = new RunCollectivesModel(this);
  m_table = new QTableView;
  m_table->setModel(m_collectives);
  setUpTable(*m_table, {.name = QStringLiteral("runCompareCollectives"),
                        .accessible = tr("Collectives of the run"),
                        .toolTip = tr("Every collective of the run, the most expensive first"),
                        .stretched = RunCollectivesModel::Reason,
                        .fitted = true});
  auto* split = splitterOf(Qt::Vertical, {{m_timeline, 3}, {m_table, 2}});
  return split;
}

void RunCompareDialog::choose(const QStringList& traces, const QString& plan) {
  if (!plan.isEmpty()) m_plan->choose(plan);
  m_traces->choose(traces);
}

void RunCompareDialog::ask() {
  const std::vector<std::string> traces = m_traces->fileNames();
  const std::vector<std::string> plans = m_plan->fileNames();
  if (traces.empty()) return;
  m_answer.ask(tr("Compare with a run"), {traces, plans.empty() ? std::string() : plans.front()});
}

void RunCompareDialog::refresh() {
  const auto answer = m_answer.answer();
  if (answer != m_shown) {
    m_shown = answer;
    m_collectives->show(answer);
    m_timeline->show(answer ? std::make_shared<const p2::Timeline>(stacked(answer->timelines)) : nullptr);
  }
  m_timeline->setStale(!m_answer.current());
  m_table->setEnabled(m_answer.current() != nullptr);
  if (const auto& problem = m_answer.problem()) {
    m_message->say(InlineMessage::Kind::Problem, qs(problem->text()));
  } else {
    m_message->hide();
  }
  if (m_answer.isRunning()) return m_finding->setText(tr("Reading the traces …"));
  if (m_answer.wasCancelled()) return m_finding->setText(tr("Cancelled; choose the files again to read them."));
  m_finding->setText(answer ? findingOf(*answer)
                            : tr("Choose the traces of a run's ranks. With the plan that was run, its prediction is "
                                 "drawn above the measured times."));
}

}  // namespace p2::views
