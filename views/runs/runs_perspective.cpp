// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_perspective.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QUndoCommand>

#include "base/units.h"
#include "cost/ranking_quality.h"
#include "views/common/empty_page.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/runs/comparison_plot.h"
#include "views/runs/run_box.h"
#include "views/runs/run_calibration.h"
#include "views/runs/runs_files.h"
#include "views/runs/target_box.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr int kMostLogLines = 5000;

/// Taking runs from the list, as one step of the undo list.
class HideRuns : public QUndoCommand {
 public:
  HideRuns(const QString& text, std::function<void(bool hidden)> hide) : QUndoCommand(text), m_hide(std::move(hide)) {}
  void undo() override { m_hide(false); }
  void redo() override { m_hide(true); }

 private:
  std::function<void(bool)> m_hide;
};

QString qualityText(const std::vector<RunRow>& rows) {
  std::vector<Comparison> all;
  for (const RunRow& row : rows) all.push_back({row.predicted, row.result->seconds.median});
  if (all.size() < 2) return RunsPerspective::tr("Two runs or more are compared here.");
  const std::size_t top = std::min<std::size_t>(10, all.size());
  return RunsPerspective::tr(
             "%1 runs · predicted and measured differ by %2 % (median) · top-%3 F1 %4 · Spearman %5 · "
             "the best predicted takes %6 of the best measured")
      .arg(all.size())
      .arg(100 * medianError(all), 0, 'f', 0)
      .arg(top)
      .arg(topKF1(all, top), 0, 'f', 2)
      .arg(spearman(all), 0, 'f', 2)
      .arg(QString::fromStdString(formatFactor(regret(all))));
}

}  // namespace

RunsPerspective::RunsPerspective(Session& session, QWidget* parent)
    : Perspective(parent), m_session(session), m_queue(session.jobs()) {
  m_filter.setSourceModel(&m_keeper.model());
  makeActions();
  auto* splitter = new QSplitter;
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(makeControls());
  splitter->addWidget(makeResults());
  splitter->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(splitter);
  connectQueue();
  connect(&m_session, &Session::explorationChanged, this, &RunsPerspective::refresh);
  connect(&m_session, &Session::selectionChanged, this, &RunsPerspective::refresh);
  connect(&m_keeper, &RunKeeper::changed, this, &RunsPerspective::refresh);
  connect(&m_keeper, &RunKeeper::problem, this, &RunsPerspective::showProblem);
  m_keeper.open();
  refresh();
}

RunsPerspective::~RunsPerspective() { m_queue.cancel(); }

QString RunsPerspective::help() const {
  return tr(
      "<p>Programs run here on real processes: on this machine with MPI, or on a host that you reach with ssh, "
      "over MPI or NCCL. Every element of the result is checked; what was measured stands beside what was "
      "predicted.</p><p>Choose what to run and where, and press Run (Ctrl+R). Results are kept until you delete "
      "them (Del), also between sessions. Select several runs to compare only those.</p>");
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
  scroll->setWidget(page);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(300);
  return scroll;
}

QWidget* RunsPerspective::makeResults() {
  makeTable();
  m_plot = new ComparisonPlot;
  m_plot->setObjectName("comparisonPlot");
  m_plot->setMinimumHeight(160);
  m_quality = new QLabel;
  m_quality->setObjectName("runQuality");
  m_quality->setWordWrap(true);
  connect(m_plot, &ComparisonPlot::runClicked, this, &RunsPerspective::selectRun);
  auto* lower = new QWidget;
  auto* lowerLayout = new QVBoxLayout(lower);
  lowerLayout->setContentsMargins(0, 0, 0, 0);
  lowerLayout->addWidget(m_plot, 1);
  lowerLayout->addWidget(m_quality);
  auto* split = new QSplitter(Qt::Vertical);
  split->setChildrenCollapsible(false);
  split->addWidget(m_table);
  split->addWidget(lower);
  m_empty = new EmptyPage;
  connect(m_empty, &EmptyPage::clicked, this,
          [this] { m_filterEdit->text().isEmpty() ? run() : m_filterEdit->clear(); });
  m_pages = new QStackedWidget;
  m_pages->addWidget(m_empty);
  m_pages->addWidget(split);
  auto* results = new QWidget;
  auto* layout = new QVBoxLayout(results);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  m_filterEdit = new QLineEdit;
  m_filterEdit->setObjectName("runFilter");
  m_filterEdit->setPlaceholderText(tr("Filter runs"));
  m_filterEdit->setAccessibleName(tr("Filter runs"));
  m_filterEdit->setToolTip(
      tr("Show the runs that contain this text, as in a target, a system or \"Broadcast\" (Ctrl+F)"));
  m_filterEdit->setClearButtonEnabled(true);
  connect(m_filterEdit, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_filter.setFilterFixedString(text);
    refresh();
  });
  layout->addWidget(m_filterEdit);
  layout->addWidget(makeStatus());
  layout->addWidget(m_pages, 1);
  layout->addWidget(m_log);
  return results;
}

QWidget* RunsPerspective::makeStatus() {
  m_message = new InlineMessage;
  m_message->setObjectName("runMessage");
  m_message->setWordWrap(true);
  m_progressText = new QLabel;
  m_progressText->setObjectName("runProgressText");
  m_progress = new QProgressBar;
  m_progress->setObjectName("runProgress");
  m_progress->setRange(0, 1000);
  m_progress->setTextVisible(false);
  m_log = new QPlainTextEdit;
  m_log->setObjectName("runLog");
  m_log->setReadOnly(true);
  m_log->setMaximumBlockCount(kMostLogLines);
  m_log->setAccessibleName(tr("What launcher and ranks said"));
  m_log->setMaximumHeight(120);
  m_log->hide();
  auto* status = new QWidget;
  auto* layout = new QVBoxLayout(status);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_message);
  layout->addWidget(m_progressText);
  layout->addWidget(m_progress);
  return status;
}

void RunsPerspective::makeTable() {
  m_table = new QTableView;
  m_table->setObjectName("runTable");
  m_table->setAccessibleName(tr("Runs"));
  m_table->setModel(&m_filter);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setTabKeyNavigation(false);
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(RunsModel::When, Qt::DescendingOrder);
  m_table->setShowGrid(false);
  m_table->setAlternatingRowColors(true);
  m_table->setWordWrap(false);
  m_table->verticalHeader()->hide();
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setResizeContentsPrecision(50);
  m_table->horizontalHeader()->setSectionResizeMode(RunsModel::Program, QHeaderView::Stretch);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_table->addActions(m_actions);
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPerspective::refresh);
}

void RunsPerspective::makeActions() {
  const auto add = [this](const char* name, const QString& text, const QKeySequence& keys, auto slot) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    m_actions.append(action);
    addAction(action);
  };
  add("runAgain", tr("Run a&gain"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), &RunsPerspective::runAgain);
  add("deleteRuns", tr("&Delete runs"), QKeySequence::Delete, &RunsPerspective::deleteChosen);
  add("restoreRuns", tr("&Bring back deleted runs"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Delete),
      [this] { m_deletions.undo(); });
  add("calibrateFromRuns", tr("&Calibrate the system from these runs"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
      &RunsPerspective::calibrate);
  add("exportRuns", tr("&Export runs …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
      &RunsPerspective::exportShown);
  add("importNcclTests", tr("&Import nccl-tests output …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I),
      &RunsPerspective::importMeasured);
  add("filterRuns", tr("&Filter runs"), QKeySequence::Find,
      [this] { m_filterEdit->setFocus(Qt::ShortcutFocusReason); });
  add("showRunLog", tr("Show the &log"), QKeySequence(Qt::CTRL | Qt::Key_L),
      [this] { m_log->setVisible(m_log->isHidden()); });
}

void RunsPerspective::connectQueue() {
  connect(&m_queue, &RunQueue::progressed, this, [this](const QString& text, double done) {
    m_progressText->setText(m_queue.waiting() > 0 ? tr("%1 · %Ln more wait(s)", nullptr, m_queue.waiting()).arg(text)
                                                  : text);
    m_progress->setValue(int(1000 * done));
  });
  connect(&m_queue, &RunQueue::logged, m_log, &QPlainTextEdit::appendPlainText);
  connect(&m_queue, &RunQueue::finished, this, &RunsPerspective::keep);
  connect(&m_queue, &RunQueue::cancelled, this,
          [this] { m_message->say(InlineMessage::Kind::Note, tr("Cancelled; what was measured before is kept.")); });
  connect(&m_queue, &RunQueue::changed, this, &RunsPerspective::refresh);
}

void RunsPerspective::run() {
  if (!m_session.isCurrent() || !m_session.program()) return;
  const auto target = m_targets->target();
  if (!target.ok()) return showProblem(QString::fromStdString(target.error().text()));
  m_message->showProblem({});
  m_keeper.storeWaiting();
  m_queue.add(m_runBox->orders(*target));
}

void RunsPerspective::runAgain() {
  const auto target = m_targets->target();
  if (!target.ok()) return showProblem(QString::fromStdString(target.error().text()));
  std::vector<RunOrder> orders;
  for (const RunRow& row : chosenRows()) {
    const auto plan = planFromJson(row.plan.toStdString());
    if (!plan.ok()) return showProblem(tr("This run was not made from a plan and cannot be run again."));
    RunOrder order = m_runBox->order(plan->workspace(), *target);
    if (row.result) {
      order.backend = QString::fromStdString(row.result->backend);
      order.bytes = row.result->bytes;
      order.repeat = row.result->repeat;
    }
    orders.push_back(std::move(order));
  }
  m_message->showProblem({});
  m_queue.add(std::move(orders));
}

void RunsPerspective::keep(const RunRow& row) {
  if (!row.problem.isEmpty()) showProblem(row.problem);
  m_keeper.keep({row});
}

void RunsPerspective::showProblem(const QString& sentence) { m_message->showProblem(sentence); }

std::vector<RunRow> RunsPerspective::shownRows() const {
  std::vector<RunRow> rows;
  for (int row = 0; row < m_filter.rowCount(); ++row) {
    rows.push_back(m_keeper.model().rows()[std::size_t(m_filter.mapToSource(m_filter.index(row, 0)).row())]);
  }
  return rows;
}

std::vector<RunRow> RunsPerspective::chosenRows() const {
  std::vector<RunRow> rows;
  for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
    rows.push_back(m_keeper.model().rows()[std::size_t(m_filter.mapToSource(index).row())]);
  }
  return rows;
}

void RunsPerspective::refresh() {
  m_runBox->setRunning(m_queue.isRunning());
  m_progress->setVisible(m_queue.isRunning());
  m_progressText->setVisible(m_queue.isRunning());
  const bool filtered = m_keeper.model().rowCount() > 0;
  m_pages->setCurrentIndex(m_filter.rowCount() > 0 ? 1 : 0);
  if (filtered) {
    m_empty->say(tr("No run matches \"%1\".").arg(m_filterEdit->text()), tr("Clear the filter"));
  } else {
    m_empty->say(m_queue.isRunning() ? tr("The first result appears here in a moment.")
                                     : tr("Nothing has been run yet. The selected program runs on this machine, one "
                                          "process per device; every element of its result is checked."),
                 m_queue.isRunning() || !m_session.isCurrent() || !m_session.program()
                     ? QString()
                     : tr("Run the selected program"));
  }
  std::vector<RunRow> chosen = chosenRows();
  const qint64 single = chosen.size() == 1 ? chosen[0].id : -1;
  m_plot->setRows(chosen.size() > 1 ? std::move(chosen) : shownRows());
  m_plot->setSelected(single);
  m_quality->setText(qualityText(m_plot->rows()));
  for (QAction* action : m_actions) {
    const bool onChosen = action->objectName() == "deleteRuns" || action->objectName() == "runAgain" ||
                          action->objectName() == "calibrateFromRuns";
    if (onChosen) action->setEnabled(m_table->selectionModel()->hasSelection());
    if (action->objectName() == "exportRuns") action->setEnabled(m_filter.rowCount() > 0);
  }
}

void RunsPerspective::deleteChosen() {
  std::vector<qint64> ids;
  for (const RunRow& row : chosenRows()) ids.push_back(row.id);
  if (ids.empty()) return;
  const QPointer<RunsPerspective> self(this);
  m_deletions.push(new HideRuns(tr("Delete %Ln run(s)", nullptr, int(ids.size())), [self, ids](bool hidden) {
    if (self) self->m_keeper.setHidden(ids, hidden);
  }));
}

void RunsPerspective::exportShown() {
  exportRuns(this, m_session.jobs(), chosenRows().size() > 1 ? chosenRows() : shownRows(),
             [self = QPointer<RunsPerspective>(this)](const Result<QString>& path) {
               if (!self) return;
               if (!path.ok()) return self->showProblem(QString::fromStdString(path.error().text()));
               self->m_message->say(InlineMessage::Kind::Good, tr("Written to %1.").arg(*path));
             });
}

void RunsPerspective::importMeasured() {
  importNcclTests(this, m_session.jobs(), m_session.workspace(),
                  [self = QPointer<RunsPerspective>(this)](const Result<std::vector<RunRow>>& rows) {
                    if (!self) return;
                    if (!rows.ok()) return self->showProblem(QString::fromStdString(rows.error().text()));
                    self->m_keeper.keep(*rows);
                  });
}

void RunsPerspective::calibrate() {
  const std::vector<RunRow> used = chosenRows();
  std::vector<RunRow> others = shownRows();
  std::erase_if(others, [&](const RunRow& row) {
    return std::any_of(used.begin(), used.end(), [&](const RunRow& one) { return one.id == row.id; });
  });
  const auto workspace = m_session.workspace();
  m_session.jobs().start<RunCalibration>(
      tr("Calibrate from runs"), "calibrate-runs",
      [workspace, used, others](const std::stop_token& stop, const Progress& progress) {
        return calibrateFrom(workspace->system, used, others, stop, progress);
      },
      [self = QPointer<RunsPerspective>(this), workspace](const Result<RunCalibration>& calibration) {
        if (!self) return;
        if (!calibration.ok()) return self->showProblem(QString::fromStdString(calibration.error().text()));
        Workspace next = *self->m_session.workspace();
        // The user has gone on to another system meanwhile.
        if (next.system != workspace->system) return;
        next.system = calibration->system;
        self->m_session.edit(tr("Calibrate from runs"), std::move(next));
        self->m_message->say(InlineMessage::Kind::Good, calibrationText(*calibration));
      });
}

void RunsPerspective::selectRun(qint64 id) {
  for (int row = 0; row < m_filter.rowCount(); ++row) {
    if (m_keeper.model().rows()[std::size_t(m_filter.mapToSource(m_filter.index(row, 0)).row())].id != id) continue;
    m_table->selectRow(row);
    return;
  }
}

}  // namespace p2::views
