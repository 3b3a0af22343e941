// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_perspective.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>

#include "views/common/empty_page.h"
#include "views/common/panel.h"
#include "views/runs/run_box.h"
#include "views/runs/run_calibration.h"
#include "views/runs/run_comparison.h"
#include "views/runs/run_list.h"
#include "views/runs/run_status.h"
#include "views/runs/runs_files.h"
#include "views/runs/target_box.h"
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
  auto* splitter = new QSplitter;
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(makeControls());
  splitter->addWidget(makeResults());
  splitter->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(splitter);
  makeActions();
  connectParts();
  m_keeper.open();
  refresh();
}

RunsPerspective::~RunsPerspective() {
  m_queue.cancel();
  // The list goes before its model, whose end would look like a change of selection.
  delete m_list;
}

QString RunsPerspective::help() const {
  return tr(
      "<p>Programs run here on real processes: on this machine with MPI, or on a host that you reach with ssh, "
      "over MPI or NCCL. Every element of the result is checked; what was measured stands beside what was "
      "predicted.</p><p>Choose what to run and where, and press Run (Ctrl+R). Results are kept until you delete "
      "them (Del), also between sessions. Select several runs to compare only those.</p>");
}

QString RunsPerspective::unfinished() const {
  if (!m_queue.isRunning()) return {};
  const int runs = m_queue.waiting() + 1;
  return runs == 1 ? tr("1 run") : tr("%1 runs").arg(runs);
}

QWidget* RunsPerspective::makeControls() {
  m_runBox = new RunBox(m_session);
  m_targets = new TargetBox;
  connect(m_runBox, &RunBox::runWanted, this, &RunsPerspective::run);
  connect(m_runBox, &RunBox::cancelWanted, &m_queue, &RunQueue::cancel);
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_runBox);
  layout->addWidget(m_targets);
  layout->addStretch();
  auto* scroll = new QScrollArea;
  scroll->setObjectName(QStringLiteral("runsSide"));
  scroll->setAccessibleName(tr("What to run, and where"));
  scroll->setWidget(page);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(300);
  return scroll;
}

QWidget* RunsPerspective::makeResults() {
  m_list = new RunList(m_keeper.model());
  m_comparison = new RunComparison;
  m_status = new RunStatus(m_queue);
  auto* split = new QSplitter(Qt::Vertical);
  split->setChildrenCollapsible(false);
  split->addWidget(m_list);
  split->addWidget(m_comparison);
  m_empty = new EmptyPage;
  m_pages = new QStackedWidget;
  m_pages->addWidget(m_empty);
  m_pages->addWidget(split);
  auto* results = new QWidget;
  auto* layout = new QVBoxLayout(results);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(makeFilter());
  layout->addWidget(m_status);
  layout->addWidget(m_pages, 1);
  layout->addWidget(&m_status->log());
  return results;
}

QWidget* RunsPerspective::makeFilter() {
  m_filterEdit = new QLineEdit;
  m_filterEdit->setObjectName("runFilter");
  m_filterEdit->setPlaceholderText(tr("Filter runs"));
  m_filterEdit->setAccessibleName(tr("Filter runs"));
  m_filterEdit->setToolTip(
      tr("Show the runs that contain this text, as in a target, a system or \"Broadcast\" (Ctrl+F)"));
  m_filterEdit->setClearButtonEnabled(true);
  connect(m_filterEdit, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_list->setFilter(text);
    refresh();
  });
  return m_filterEdit;
}

QAction* RunsPerspective::addRunAction(const char* name, const QString& text, const QKeySequence& keys,
                                       std::function<void()> act) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setShortcut(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(action, &QAction::triggered, this, std::move(act));
  m_actions.append(action);
  addAction(action);
  return action;
}

void RunsPerspective::makeActions() {
  const auto keys = [](Qt::Key key) { return QKeySequence(Qt::CTRL | Qt::SHIFT | key); };
  m_actionsOnChosen += addRunAction("runAgain", tr("Run a&gain"), keys(Qt::Key_R), [this] { runAgain(); });
  m_actionsOnChosen += addRunAction("deleteRuns", tr("&Delete runs"), QKeySequence::Delete, [this] { deleteChosen(); });
  addRunAction("restoreRuns", tr("&Bring back deleted runs"), keys(Qt::Key_Delete), [this] { restoreDeleted(); });
  m_actionsOnChosen += addRunAction("calibrateFromRuns", tr("&Calibrate the system from these runs"), keys(Qt::Key_L),
                                    [this] { calibrate(); });
  m_export = addRunAction("exportRuns", tr("&Export runs …"), keys(Qt::Key_E), [this] { exportShown(); });
  addRunAction("importNcclTests", tr("&Import nccl-tests output …"), keys(Qt::Key_I), [this] { importMeasured(); });
  addRunAction("filterRuns", tr("&Filter runs"), QKeySequence::Find,
               [this] { m_filterEdit->setFocus(Qt::ShortcutFocusReason); });
  addRunAction("showRunLog", tr("Show the &log"), QKeySequence(Qt::CTRL | Qt::Key_L),
               [this] { m_status->log().setVisible(m_status->log().isHidden()); });
  m_list->addActions(m_actions);
}

void RunsPerspective::connectParts() {
  connect(m_refreshSoon, &QTimer::timeout, this, &RunsPerspective::refresh);
  const auto refreshSoon = qOverload<>(&QTimer::start);
  connect(&m_session, &Session::freshnessChanged, m_refreshSoon, refreshSoon);
  connect(&m_session, &Session::selectionChanged, m_refreshSoon, refreshSoon);
  connect(&m_keeper, &RunKeeper::changed, m_refreshSoon, refreshSoon);
  connect(&m_keeper, &RunKeeper::problem, this, &RunsPerspective::showProblem);
  connect(&m_queue, &RunQueue::finished, this, &RunsPerspective::keep);
  connect(&m_queue, &RunQueue::changed, this, &RunsPerspective::refresh);
  connect(&m_calibration, &DerivedBase::changed, this, &RunsPerspective::takeCalibration);
  connect(m_list, &RunList::chosenChanged, this, &RunsPerspective::refresh);
  connect(m_comparison, &RunComparison::runClicked, m_list, &RunList::choose);
  connect(m_empty, &EmptyPage::clicked, this,
          [this] { m_filterEdit->text().isEmpty() ? run() : m_filterEdit->clear(); });
}

void RunsPerspective::run() {
  if (!m_session.isCurrent() || !m_session.program()) return;
  const auto target = m_targets->target();
  if (!target.ok()) return showProblem(QString::fromStdString(target.error().text()));
  m_status->showProblem({});
  m_keeper.write();
  m_queue.add(m_runBox->orders(*target));
}

void RunsPerspective::runAgain() {
  const auto target = m_targets->target();
  if (!target.ok()) return showProblem(QString::fromStdString(target.error().text()));
  auto orders = m_runBox->ordersAgain(m_list->chosen(), *target);
  if (!orders.ok()) return showProblem(QString::fromStdString(orders.error().text()));
  m_status->showProblem({});
  m_queue.add(std::move(orders).value());
}

void RunsPerspective::keep(const RunRow& row) {
  if (!row.problem.isEmpty()) showProblem(row.problem);
  m_keeper.keep({row});
}

void RunsPerspective::showProblem(const QString& sentence) { m_status->showProblem(sentence); }

void RunsPerspective::refresh() {
  m_refreshSoon->stop();
  m_runBox->setRunning(m_queue.isRunning());
  m_pages->setCurrentIndex(m_list->shownCount() > 0 ? 1 : 0);
  refreshEmptyPage();
  refreshActions();
  std::vector<RunRow> chosen = m_list->chosen();
  if (chosen.size() > 1) {
    const std::size_t count = chosen.size();
    m_comparison->show(std::move(chosen), count, -1);
  } else {
    m_comparison->show(m_list->shown(RunComparison::kMost), std::size_t(m_list->shownCount()),
                       chosen.empty() ? -1 : chosen[0].id);
  }
}

void RunsPerspective::refreshEmptyPage() {
  if (m_keeper.model().rowCount() > 0) {
    return m_empty->say(tr("No run matches \"%1\".").arg(m_filterEdit->text()), tr("Clear the filter"));
  }
  if (m_keeper.isReading()) return m_empty->say(tr("The runs are being read."), {});
  if (m_queue.isRunning()) return m_empty->say(tr("The first result appears here in a moment."), {});
  m_empty->say(tr("Nothing has been run yet. The selected program runs on this machine, one process per device; every "
                  "element of its result is checked."),
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
    if (!path.ok()) return self->showProblem(QString::fromStdString(path.error().text()));
    self->m_status->showDone(tr("Written to %1.").arg(*path));
  };
  exportRuns(this, m_session.jobs(), chosen.size() > 1 ? std::move(chosen) : m_list->shown(), done,
             noteOnCancelling(tr("The export was cancelled.")));
}

void RunsPerspective::importMeasured() {
  const auto done = [self = QPointer<RunsPerspective>(this)](const Result<std::vector<RunRow>>& rows) {
    if (!self) return;
    if (!rows.ok()) return self->showProblem(QString::fromStdString(rows.error().text()));
    self->m_keeper.keep(*rows);
  };
  importNcclTests(this, m_session.jobs(), m_session.workspace(), done,
                  noteOnCancelling(tr("Cancelled; nothing was imported.")));
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
  if (const auto& problem = m_calibration.problem()) return showProblem(QString::fromStdString(problem->text()));
  if (m_calibration.wasCancelled()) return m_status->showNote(tr("Cancelled; the system is as it was."));
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
