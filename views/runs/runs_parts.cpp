// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the perspective of runs.
#include <QAction>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>

#include "views/common/empty_page.h"
#include "views/common/panel.h"
#include "views/common/theme.h"
#include "views/runs/machine_measuring.h"
#include "views/runs/run_box.h"
#include "views/runs/run_comparison.h"
#include "views/runs/run_list.h"
#include "views/runs/run_status.h"
#include "views/runs/runs_perspective.h"
#include "views/runs/target_box.h"

namespace p2::views {

QWidget* RunsPerspective::makeControls() {
  m_runBox = new RunBox(m_session);
  m_targets = new TargetBox;
  m_machine = new MachineMeasuring(m_session, m_queue);
  connect(m_runBox, &RunBox::runWanted, this, &RunsPerspective::run);
  connect(m_runBox, &RunBox::scriptWanted, this, &RunsPerspective::copyTorchrun);
  connect(m_runBox, &RunBox::cancelWanted, &m_queue, &RunQueue::cancel);
  auto* page = new QWidget;
  auto* layout = bareLayout<QVBoxLayout>(page, Theme::kGrid);
  layout->addWidget(m_runBox);
  layout->addWidget(m_machine);
  layout->addWidget(m_targets);
  layout->addStretch();
  auto* scroll = named(new QScrollArea, "runsSide", tr("What to run and where"));
  scroll->setWidget(page);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(page->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width());
  return scroll;
}

QWidget* RunsPerspective::makeResults() {
  m_list = new RunList(m_keeper.model());
  m_comparison = new RunComparison;
  m_status = new RunStatus(m_queue);
  auto* split = splitterOf(Qt::Vertical, {{m_list}, {m_comparison}});
  m_empty = new EmptyPage;
  m_pages = new QStackedWidget;
  m_pages->addWidget(m_empty);
  m_pages->addWidget(split);
  auto* results = new QWidget;
  auto* layout = new QVBoxLayout(results);
  layout->setContentsMargins(Theme::kGrid, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(makeTools());
  layout->addWidget(m_status);
  layout->addWidget(m_pages, 1);
  layout->addWidget(&m_status->log());
  return results;
}

QWidget* RunsPerspective::makeTools() {
  makeFilter();
  makeActions();
  auto* bar = new QWidget;
  auto* layout = bareLayout<QHBoxLayout>(bar, Theme::kGrid / 2);
  layout->addWidget(m_filterEdit, 1);
  for (QAction* action : {m_calibrate, m_import, m_export, m_compare}) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setObjectName(action->objectName() + "Button");
    button->setAccessibleName(QString(action->text()).remove('&'));
    button->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(button);
  }
  return bar;
}

void RunsPerspective::makeFilter() {
  m_filterEdit = named(new QLineEdit, "runFilter");
  m_filterEdit->setPlaceholderText(tr("Filter runs"));
  m_filterEdit->setAccessibleName(tr("Filter runs"));
  m_filterEdit->setToolTip(
      tr("Show only runs that contain this text, such as a target, a system or \"Broadcast\" (Ctrl+F)"));
  m_filterEdit->setClearButtonEnabled(true);
  connect(m_filterEdit, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_list->setFilter(text);
    refresh();
  });
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
  addRunAction("restoreRuns", tr("&Restore deleted runs"), keys(Qt::Key_Delete), [this] { restoreDeleted(); });
  m_calibrate = addRunAction("calibrateFromRuns", tr("&Calibrate the system from these runs"), keys(Qt::Key_L),
                             [this] { calibrate(); });
  m_calibrate->setIconText(tr("Calibrate"));
  m_actionsOnChosen += m_calibrate;
  m_export = addRunAction("exportRuns", tr("&Export runs …"), keys(Qt::Key_E), [this] { exportShown(); });
  m_export->setIconText(tr("Export"));
  m_import = addRunAction("importRuns", tr("&Import runs …"), keys(Qt::Key_I), [this] { importMeasured(); });
  m_import->setIconText(tr("Import"));
  m_compare =
      addRunAction("compareWithRun", tr("Co&mpare with a run …"), keys(Qt::Key_M), [this] { compareWithRun(); });
  m_compare->setIconText(tr("Compare"));
  addRunAction("exampleRuns", tr("Show e&xample runs"), {}, [this] {
    addExampleRuns();
  })->setToolTip(tr("Every program on two nodes of four processes over 100 Mbit/s, measured and predicted"));
  addRunAction("filterRuns", tr("&Filter runs"), QKeySequence::Find,
               [this] { m_filterEdit->setFocus(Qt::ShortcutFocusReason); });
  addRunAction("showRunLog", tr("Show the &log"), QKeySequence(Qt::CTRL | Qt::Key_L),
               [this] { m_status->log().setVisible(m_status->log().isHidden()); });
  m_list->addActions(m_actions);
  for (QAction* action : {m_calibrate, m_import, m_export, m_compare}) {
    action->setToolTip(QStringLiteral("%1 (%2)").arg(QString(action->text()).remove('&'),
                                                     action->shortcut().toString(QKeySequence::NativeText)));
  }
  m_compare->setToolTip(tr("Compare traces of a run (Kineto, Nsight, Inspector) with the plan that was run (%1)")
                            .arg(m_compare->shortcut().toString(QKeySequence::NativeText)));
  m_import->setToolTip(tr("Import exported runs (JSON), the output of nccl-tests or records of NCCL's Inspector (%1)")
                           .arg(m_import->shortcut().toString(QKeySequence::NativeText)));
}

}  // namespace p2::views
