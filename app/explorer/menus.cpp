// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>
#include <QShortcut>

#include "app/explorer/help.h"
#include "app/explorer/main_window.h"
#include "views/common/folding_panels.h"
#include "views/shell/appearance.h"
#include "views/shell/document_controller.h"
#include "views/shell/examples.h"
#include "views/shell/perspective_bar.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/recent_files.h"
#include "views/shell/session.h"
#include "views/system/import_dialog.h"
#include "views/workload/workload_sources.h"

namespace p2::explorer {
namespace {

QMenu* addMenu(QMenuBar* bar, const QString& objectName, const QString& title) {
  QMenu* menu = bar->addMenu(title);
  menu->setObjectName(objectName);
  menu->setToolTipsVisible(true);
  return menu;
}

}  // namespace

void MainWindow::buildFileMenu() {
  using views::DocumentController;
  DocumentController* documents = &m_parts.documents;
  QMenu* menu = addMenu(menuBar(), "fileMenu", tr("&File"));
  menu->addAction(tr("&New"), QKeySequence::New, documents, &DocumentController::newDocument);
  menu->addAction(tr("&Open…"), QKeySequence::Open, this, [this] {
    if (const QString path = m_parts.documents.askPath(); !path.isEmpty()) m_opener->open({path});
  });
  QMenu* examples = menu->addMenu(tr("Open e&xample"));
  examples->setObjectName("examplesMenu");
  for (const views::Example& example : views::examples()) {
    examples->addAction(example.title, documents, [documents, name = example.name] { documents->openExample(name); });
  }
  QMenu* recent = menu->addMenu(tr("Open &recent"));
  recent->setObjectName("recentMenu");
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { buildRecentMenu(*recent); });
  QAction* import = menu->addAction(tr("&Import system…"), QKeySequence(Qt::CTRL | Qt::Key_I), this, [this] {
    auto* dialog = new views::ImportDialog(m_parts.session, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
  });
  import->setObjectName("importAction");
  buildWorkloadMenu(*menu);
  menu->addSeparator();
  menu->addAction(tr("&Save"), QKeySequence::Save, documents, &DocumentController::save);
  menu->addAction(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), documents,
                  &DocumentController::saveAs);
  menu->addAction(tr("&Export plan…"), QKeySequence(Qt::CTRL | Qt::Key_E), documents, &DocumentController::exportPlan);
  menu->addSeparator();
  menu->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::buildWorkloadMenu(QMenu& menu) {
  m_workloads = new views::WorkloadActions(m_parts.session, this);
  QMenu* workload = menu.addMenu(tr("&Workload"));
  workload->setObjectName("workloadMenu");
  workload->setToolTipsVisible(true);
  workload->addActions({m_workloads->fromModel(), m_workloads->open(), m_workloads->save()});
  connect(m_workloads, &views::WorkloadActions::saved, &m_parts.documents, &views::DocumentController::report);
}

void MainWindow::buildRecentMenu(QMenu& menu) {
  menu.clear();
  views::RecentFiles& recent = m_parts.documents.recentFiles();
  const QStringList paths = recent.paths();
  for (const QString& path : paths) {
    QAction* action =
        menu.addAction(QFileInfo(path).fileName(), this, [this, path] { m_parts.documents.openFile(path); });
    action->setToolTip(path);
    action->setStatusTip(path);
  }
  if (paths.isEmpty()) menu.addAction(tr("No recent files"))->setEnabled(false);
  menu.addSeparator();
  menu.addAction(tr("Clear list"), &recent, &views::RecentFiles::clear)->setEnabled(!paths.isEmpty());
}

void MainWindow::buildEditMenu() {
  QMenu* menu = addMenu(menuBar(), "editMenu", tr("&Edit"));
  for (const char* name : {"undoAction", "redoAction"}) menu->addAction(findChild<QAction*>(name));
  menu->addSeparator();
  QAction* paste = menu->addAction(tr("&Paste machine, model or flags\tCtrl+V"), this, &MainWindow::pasteAnything);
  paste->setObjectName("pasteAnythingAction");
  paste->setToolTip(tr("Take a copied text: nvidia-smi topo -m, a config.json, flags, measurements"));
}

void MainWindow::buildViewMenu() {
  QMenu* menu = addMenu(menuBar(), "viewMenu", tr("&View"));
  // In the order of the bar.
  QList<QAction*> pages = m_bar->pageActions();
  pages.prepend(pages.takeLast());
  menu->addActions(pages);
  auto* toMenus = new QShortcut(Qt::Key_F10, this);
  connect(toMenus, &QShortcut::activated, this, [this] { menuBar()->setActiveAction(menuBar()->actions().front()); });
  QAction* back =
      menu->addAction(tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left), m_stack, &views::PerspectiveStack::goBack);
  back->setObjectName("backAction");
  QAction* list = menu->addAction(tr("Focus &list"), QKeySequence(Qt::Key_F6), this, [this] {
    QWidget* shown = m_stack->current()->mainList();
    if (shown == nullptr) return;
    views::FoldingPanels::revealAll(*shown);
    shown->setFocus(Qt::ShortcutFocusReason);
  });
  list->setObjectName("listAction");
  menu->addSeparator();
  menu->addActions(m_parts.appearance.schemeActions());
  menu->addSeparator();
  menu->addActions(m_parts.appearance.zoomActions());
  m_pageMenu = addMenu(menuBar(), views::kPageMenu, {});
}

void MainWindow::buildExploreMenu() {
  QMenu* menu = addMenu(menuBar(), "exploreMenu", tr("E&xplore"));
  menu->addAction(tr("&Recompute"), QKeySequence(Qt::Key_F5), &m_parts.session, &views::Session::exploreAgain);
  menu->addAction(tr("&Cancel running jobs"), QKeySequence(Qt::CTRL | Qt::Key_Period), &m_parts.session.jobs(),
                  &views::JobQueue::cancelAll);
}

void MainWindow::buildHelpMenu() {
  QMenu* menu = addMenu(menuBar(), "helpMenu", tr("&Help"));
  QAction* explain = m_help->toggleViewAction();
  explain->setObjectName("helpAction");
  explain->setText(tr("H&elp on this page"));
  explain->setShortcut(QKeySequence(Qt::Key_F1));
  menu->addAction(explain);
  menu->addAction(tr("&Keyboard shortcuts"), this, [this] { showShortcuts(*menuBar(), this); });
  menu->addSeparator();
  menu->addAction(tr("&About P² Explorer"), this, [this] { showAbout(this); });
}

}  // namespace p2::explorer
