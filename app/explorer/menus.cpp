// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

#include "app/explorer/main_window.h"
#include "views/common/folding_panels.h"
#include "views/common/panel.h"
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

void showText(const QString& objectName, const QString& title, const QString& html, QWidget* window) {
  auto* dialog = new QDialog(window);
  dialog->setObjectName(objectName);
  dialog->setWindowTitle(title);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* text = new QTextBrowser;
  text->setObjectName(objectName + "Text");
  text->setAccessibleName(title);
  text->setOpenExternalLinks(true);
  text->setHtml(html);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(text);
  layout->addWidget(buttons);
  const QFontMetrics metrics = dialog->fontMetrics();
  dialog->resize(metrics.averageCharWidth() * 72, metrics.lineSpacing() * 28);
  dialog->show();
}

QString shortcutRow(const QString& what, const QString& keys) {
  return QStringLiteral("<tr><td>%1&nbsp;&nbsp;&nbsp;&nbsp;</td><td><b>%2</b></td></tr>")
      .arg(what.toHtmlEscaped(), keys.toHtmlEscaped());
}

QString shortcutSection(const QString& title, const QString& rows) {
  return "<h3>" + title + "</h3><table cellspacing=2>" + rows + "</table>";
}

/// Keys that are in no menu because they belong to the focused drawing (Navigation).
QString drawingRows() {
  return shortcutRow(QObject::tr("Zoom in and out"), QObject::tr("+ and −, or the wheel")) +
         shortcutRow(QObject::tr("Show everything"), QStringLiteral("0")) +
         shortcutRow(QObject::tr("Pan"), QObject::tr("Shift and the arrow keys"));
}

/// Keys of the full screen, which has no menu (PresentWindow).
QString presentingRows() {
  return shortcutRow(QObject::tr("Next and previous step"), QObject::tr("Right, Page Down, Space; Left, Page Up")) +
         shortcutRow(QObject::tr("Play"), QStringLiteral("P")) +
         shortcutRow(QObject::tr("Pointer ring, legend"), QStringLiteral("R, L")) +
         shortcutRow(QObject::tr("Leave"), QObject::tr("Esc or F11"));
}

QString shortcutRows(const QMenu& menu) {
  QString rows;
  for (const QAction* action : menu.actions()) {
    if (action->menu()) rows += shortcutRows(*action->menu());
    if (action->shortcut().isEmpty()) continue;
    rows += shortcutRow(action->text().remove('&'), action->shortcut().toString(QKeySequence::NativeText));
  }
  return rows;
}

/// Every action of the menus that has a shortcut, menu by menu.
void showShortcuts(const QMenuBar& menus, QWidget* window) {
  QString html;
  for (const QAction* action : menus.actions()) {
    if (!action->menu()) continue;
    const QString rows = shortcutRows(*action->menu());
    if (!rows.isEmpty()) html += shortcutSection(action->text().remove('&'), rows);
  }
  html += shortcutSection(QObject::tr("In drawings (system, placement, program, strategy)"), drawingRows());
  html += shortcutSection(QObject::tr("While presenting"), presentingRows());
  showText("shortcutsDialog", QObject::tr("Keyboard shortcuts"), html, window);
}

/// What this is, whose work it builds on, and under which licences.
void showAbout(QWidget* window) {
  const QString html =
      QObject::tr(
          "<h2>P² Explorer %1</h2>"
          "<p>Placements of parallelism axes on hierarchical systems, and reduction programs synthesized for them, "
          "after "
          "<i>Synthesizing Optimal Parallelism Placement and Reduction Strategies on Hierarchical Systems for Deep "
          "Learning</i> by Ningning Xie, Tamara Norman, Dominik Grewe and Dimitrios Vytiniotis "
          "(<a href=\"https://arxiv.org/abs/2110.10548\">arXiv 2110.10548</a>).</p>"
          "<p>Strategies of computation graphs are found exactly by variable elimination, on the problem of Elango, "
          "<i>PaSE: Parallelization Strategies for Efficient DNN Training</i>, IPDPS 2021.</p>"
          "<p>Predicted times come from an analytic model of links and their bandwidths; measured ones say where they "
          "were "
          "measured.</p>"
          "<h3>Licences</h3>"
          "<p>P² Explorer is free software under the GNU General Public License, version 3 or later. It comes without "
          "any "
          "warranty. It uses</p>"
          "<ul><li>Qt %2: GNU Lesser General Public License, version 3</li>"
          "<li>QCustomPlot: GNU General Public License, version 3 or later</li>"
          "<li>hwloc, Open MPI: BSD licences</li>"
          "<li>Protocol Buffers: BSD licence</li>"
          "<li>ONNX, simdjson: Apache License, version 2</li>"
          "<li>giflib, JSON for Modern C++, pugixml, yaml-cpp: MIT licence</li>"
          "<li>zlib: zlib licence</li>"
          "<li>SQLite: public domain</li></ul>"
          "<p>Graphs are laid out by dot of Graphviz (Eclipse Public License, version 1), which runs as a program of "
          "its own.</p>"
          "<p>Colours of categories: Okabe and Ito, 2008. Colours of loads: cividis, Nuñez, Anderton and Renslow, "
          "2018.</p>")
          .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()));
  showText("aboutDialog", QObject::tr("About P² Explorer"), html, window);
}

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
  views::named(paste, "pasteAnythingAction", {},
               tr("Take a copied text: nvidia-smi topo -m, a config.json, flags, measurements"));
}

void MainWindow::buildViewMenu() {
  QMenu* menu = addMenu(menuBar(), "viewMenu", tr("&View"));
  // In the order of the bar, whose top is the start page.
  QList<QAction*> pages = m_bar->pageActions();
  const auto start = std::ranges::find(pages, "show-" + views::kStartPage, &QAction::objectName);
  std::rotate(pages.begin(), start, std::next(start));
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
