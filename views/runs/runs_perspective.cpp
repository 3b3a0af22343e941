// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_perspective.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPointer>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "views/common/empty_page.h"
#include "views/common/folding_panels.h"
#include "views/common/panel.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/runs/machine_measuring.h"
#include "views/runs/run_box.h"
#include "views/runs/run_calibration.h"
#include "views/runs/run_compare_dialog.h"
#include "views/runs/run_comparison.h"
#include "views/runs/run_list.h"
#include "views/runs/run_status.h"
#include "views/runs/runs_files.h"
#include "views/runs/target_box.h"
#include "views/runs/torchrun_export.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

QString fileOfRuns() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/runs.sqlite"; }

}  // namespace

RunsPerspective::RunsPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_queue(session.jobs()),
      m_keeper(session.jobs(), fileOfRuns()),
      m_calibration(session.jobs(), [](const RunsToFit& runs, const std::stop_token& stop, const Progress& progress) {
        return calibrateFrom(runs.workspace->system, runs.workspace->options.cost.model, runs.used, runs.others, stop,
                             progress);
      }) {
  // Many things change at once, as when thousands of runs are read: what follows from them is done once.
  m_refreshSoon = new QTimer(this);
  m_refreshSoon->setSingleShot(true);
  m_refreshSoon->setInterval(0);
  auto* splitter = splitterOf(Qt::Horizontal, {{makeControls()}, {makeResults(), 1}});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(new FoldingPanels(splitter, {{QStringLiteral("runControls"), tr("Programs to run"), 1},
                                                 {QStringLiteral("runResults"), tr("Runs")}}));
  connectParts();
  m_keeper.open();
  refresh();
}

RunsPerspective::~RunsPerspective() { m_queue.cancel(); }

QString RunsPerspective::unfinished() const {
  if (!m_queue.isRunning()) return {};
  const int runs = m_queue.waiting() + 1;
  return runs == 1 ? tr("1 run") : tr("%1 runs").arg(runs);
}

void RunsPerspective::connectParts() {
  connect(m_refreshSoon, &QTimer::timeout, this, &RunsPerspective::refresh);
  const auto refreshSoon = qOverload<>(&QTimer::start);
  connect(&m_session, &Session::freshnessChanged, m_refreshSoon, refreshSoon);
  connect(&m_session, &Session::selectionChanged, m_refreshSoon, refreshSoon);
  connect(&m_keeper, &RunKeeper::changed, this, [this] {
    m_keptChanged = true;
    m_refreshSoon->start();
  });
  connect(&m_keeper, &RunKeeper::problem, this, &RunsPerspective::showProblem);
  connect(&m_queue, &RunQueue::finished, this, &RunsPerspective::keep);
  connect(&m_queue, &RunQueue::changed, this, &RunsPerspective::refresh);
  connect(&m_calibration, &DerivedBase::changed, this, &RunsPerspective::takeCalibration);
  const auto tellTarget = [this] {
    const auto target = m_targets->target();
    m_machine->setTarget(target.ok() ? std::optional(*target) : std::nullopt);
  };
  connect(m_targets, &TargetBox::changed, this, tellTarget);
  tellTarget();
  connect(m_machine, &MachineMeasuring::measureWanted, this, &RunsPerspective::measureMachine);
  connect(m_machine, &MachineMeasuring::measured, this, [this](const std::vector<RunRow>& rows) {
    m_calibration.askAgain(tr("Measure this machine"), {m_session.workspace(), rows, {}});
  });
  connect(m_list, &RunList::chosenChanged, this, &RunsPerspective::refresh);
  connect(m_comparison, &RunComparison::runClicked, m_list, &RunList::choose);
  connect(m_empty, &EmptyPage::clicked, this,
          [this] { m_filterEdit->text().isEmpty() ? run() : m_filterEdit->clear(); });
}

void RunsPerspective::run() {
  if (!m_session.isCurrent() || !m_session.program()) return;
  const auto target = m_targets->target();
  if (!target.ok()) return showProblem(qs(target.error().text()));
  m_status->showProblem({});
  m_keeper.write();
  m_queue.add(m_runBox->orders(*target));
}

void RunsPerspective::measureMachine() {
  const auto target = m_targets->target();
  if (!target.ok()) return showProblem(qs(target.error().text()));
  m_status->showProblem({});
  m_machine->begin();
  m_queue.add(m_machine->orders(m_runBox->order(*m_session.workspace(), *target)));
}

void RunsPerspective::runAgain() {
  const auto target = m_targets->target();
  if (!target.ok()) return showProblem(qs(target.error().text()));
  auto orders = m_runBox->ordersAgain(m_list->chosen(), *target);
  if (!orders.ok()) return showProblem(qs(orders.error().text()));
  m_status->showProblem({});
  m_queue.add(std::move(orders).value());
}

void RunsPerspective::copyTorchrun() {
  const auto target = m_targets->target();
  std::vector<RunOrder> orders = m_runBox->orders(target.ok() ? *target : Target());
  if (orders.empty()) return;
  const auto done = [self = QPointer<RunsPerspective>(this)](const Result<QString>& command) {
    if (!self) return;
    if (!command.ok()) return self->showProblem(qs(command.error().text()));
    QGuiApplication::clipboard()->setText(*command);
    self->m_status->showDone(tr("Copied: %1. Import its runs.json here afterwards.").arg(*command));
  };
  exportTorchrun(this, m_session.jobs(), std::move(orders), done,
                 noteOnCancelling(tr("Cancelled; no script was written.")));
}

void RunsPerspective::keep(const RunRow& row) {
  if (!row.problem.isEmpty()) showProblem(row.problem);
  m_machine->take(row);
  m_keeper.keep({row});
}

void RunsPerspective::showProblem(const QString& sentence) { m_status->showProblem(sentence); }

void RunsPerspective::refresh() {
  m_refreshSoon->stop();
  m_runBox->setRunning(m_queue.isRunning());
  m_pages->setCurrentIndex(m_list->shownCount() > 0 ? 1 : 0);
  refreshEmptyPage();
  refreshActions();
  if (std::exchange(m_keptChanged, false)) tellMeasured();
  std::vector<RunRow> chosen = m_list->chosen();
  if (chosen.size() > 1) {
    const std::size_t count = chosen.size();
    m_comparison->show(std::move(chosen), count, -1);
  } else {
    m_comparison->show(m_list->shown(RunComparison::kMost), std::size_t(m_list->shownCount()),
                       chosen.empty() ? -1 : chosen[0].id);
  }
}

/// A|B shows them next to its predictions.
void RunsPerspective::tellMeasured() {
  std::vector<MeasuredProgram> measured;
  for (int row = 0; row < m_keeper.model().rowCount(); ++row) {
    if (auto one = measuredOf(m_keeper.model().row(row))) measured.push_back(std::move(*one));
  }
  m_session.setMeasured(std::move(measured));
}

void RunsPerspective::refreshEmptyPage() {
  if (m_keeper.model().rowCount() > 0) {
    return m_empty->say(tr("No run matches \"%1\".").arg(m_filterEdit->text()), tr("Clear the filter"));
  }
  if (m_keeper.isReading()) return m_empty->say(tr("Reading runs …"), {});
  if (m_queue.isRunning()) return m_empty->say(tr("Waiting for the first result …"), {});
  m_empty->say(tr("No runs yet. Run the selected program on this machine, one process per device; every "
                  "element of the result is checked. To look at measured runs: menu Runs, Show example "
                  "runs."),
               m_session.isCurrent() && m_session.program() ? tr("Run the selected program") : QString());
}

void RunsPerspective::refreshActions() {
  for (QAction* action : m_actionsOnChosen) action->setEnabled(m_list->selectionModel()->hasSelection());
  m_export->setEnabled(m_list->shownCount() > 0);
}

void RunsPerspective::deleteChosen() {
  std::vector<qint64> ids;
  for (const RunRow& row : m_list->chosen()) ids.push_back(row.id);
  if (ids.empty()) return;
  m_keeper.setHidden(ids, true);
  m_deleted.push_back(std::move(ids));
}

void RunsPerspective::restoreDeleted() {
  if (m_deleted.empty()) return;
  const std::vector<qint64> ids = std::move(m_deleted.back());
  m_deleted.pop_back();
  m_keeper.setHidden(ids, false);
}

void RunsPerspective::exportShown() {
  std::vector<RunRow> chosen = m_list->chosen();
  const auto done = [self = QPointer<RunsPerspective>(this)](const Result<QString>& path) {
    if (!self) return;
    if (!path.ok()) return self->showProblem(qs(path.error().text()));
    self->m_status->showBriefly(tr("Written: %1").arg(*path));
  };
  exportRuns(this, m_session.jobs(), chosen.size() > 1 ? std::move(chosen) : m_list->shown(), done,
             noteOnCancelling(tr("The export was cancelled.")));
}

void RunsPerspective::importMeasured() {
  importRuns(this, m_session.jobs(), m_session.workspace(), takingRuns(),
             noteOnCancelling(tr("Cancelled; nothing was imported.")));
}

void RunsPerspective::compareWithRun() {
  auto* dialog = new RunCompareDialog(m_session.jobs(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void RunsPerspective::addExampleRuns() {
  readExampleRuns(m_session.jobs(), takingRuns(), noteOnCancelling(tr("Cancelled; nothing was imported.")));
}

std::function<void(const Result<std::vector<RunRow>>&)> RunsPerspective::takingRuns() {
  return [self = QPointer<RunsPerspective>(this)](const Result<std::vector<RunRow>>& rows) {
    if (!self) return;
    if (!rows.ok()) return self->showProblem(qs(rows.error().text()));
    self->takeImported(*rows);
  };
}

void RunsPerspective::takeImported(const std::vector<RunRow>& rows) {
  std::vector<RunRow> lacking = m_keeper.lacking(rows);
  const std::size_t there = rows.size() - lacking.size();
  const auto countOf = [](std::size_t runs) { return counted(std::int64_t(runs), tr("run"), tr("runs")); };
  if (lacking.empty())
    return m_status->showNote(
        tr("Nothing new: %1 already shown.").arg(counted(std::int64_t(there), tr("run is"), tr("runs are"))));
  const QString more = there > 0 ? tr("; %1 shown already").arg(countOf(there)) : QString();
  m_status->showNote(tr("%1 imported").arg(countOf(lacking.size())) + more + '.');
  m_keeper.keep(std::move(lacking));
}

std::function<void()> RunsPerspective::noteOnCancelling(const QString& sentence) {
  return [self = QPointer<RunsPerspective>(this), sentence] {
    if (self) self->m_status->showNote(sentence);
  };
}

void RunsPerspective::calibrate() {
  const std::vector<RunRow> used = m_list->chosen();
  std::vector<RunRow> others = m_list->shown();
  std::erase_if(others, [&](const RunRow& row) {
    return std::any_of(used.begin(), used.end(), [&](const RunRow& one) { return one.id == row.id; });
  });
  m_calibration.askAgain(tr("Calibrate from runs"), {m_session.workspace(), used, std::move(others)});
}

void RunsPerspective::takeCalibration() {
  if (m_calibration.isRunning()) return;
  if (const auto& problem = m_calibration.problem()) return showProblem(qs(problem->text()));
  if (m_calibration.wasCancelled()) return m_status->showNote(tr("Cancelled; the system is unchanged."));
  const auto calibration = m_calibration.current();
  if (!calibration) return;
  Workspace next = *m_session.workspace();
  // The user has gone on to another system meanwhile.
  if (next.system != m_calibration.question()->workspace->system) return;
  next.system = calibration->system;
  m_session.edit(tr("Calibrate from runs"), std::move(next));
  m_status->showDone(calibrationText(*calibration));
}

}  // namespace p2::views
