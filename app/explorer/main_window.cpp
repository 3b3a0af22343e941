// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QToolButton>

#include "app/explorer/document_banners.h"
#include "app/explorer/file_opener.h"
#include "app/explorer/manual_panel.h"
#include "views/common/accessible_toggle.h"
#include "views/common/mnemonic.h"
#include "views/common/panel.h"
#include "views/common/theme.h"
#include "views/placement/step_proposal.h"
#include "views/shell/appearance.h"
#include "views/shell/chain_bar.h"
#include "views/shell/document_controller.h"
#include "views/shell/drop_area.h"
#include "views/shell/field_escape.h"
#include "views/shell/field_wheel.h"
#include "views/shell/jobs_indicator.h"
#include "views/shell/pages.h"
#include "views/shell/perspective_bar.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/plan_line.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/shell/summary_line.h"
#include "views/start/start_perspective.h"

namespace p2::explorer {
namespace {

using views::Theme;

constexpr QLatin1StringView kGeometryKey("window/geometry");
constexpr QLatin1StringView kStateKey("window/state");
constexpr QLatin1StringView kPageKey("window/perspective");
constexpr QLatin1String kFirstPage = views::kStartPage;  // the result of the small finished example, and next steps
constexpr QSize kFirstSize{1280, 800};
constexpr int kLow = 560;           // a window in which a page needs the second line of the chain
constexpr int kLowest = 480;        // a window in which a page needs the status bar, which repeats the chain
constexpr int kNarrowChain = 1200;  // a window in which running jobs would take room from the chain
constexpr int kNarrow = 960;        // a window in which the names of the perspectives would take room from them

QToolButton* toolButton(QAction* action) {
  auto* button = new QToolButton;
  button->setObjectName(action->objectName().replace("Action", "Button"));
  button->setDefaultAction(action);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

MainWindow::MainWindow(const Parts& parts)
    : m_parts(parts),
      m_stack(new views::PerspectiveStack),
      m_bar(new views::PerspectiveBar),
      m_help(new QDockWidget(tr("Help"), this)),
      m_manual(new ManualPanel),
      m_summary(new views::SummaryLine(parts.session)),
      m_saveNote(new QLabel) {
  views::clickWhatIsToggled();
  setObjectName("mainWindow");
  buildPages();
  buildFileMenu();
  buildEditMenu();
  buildViewMenu();
  buildExploreMenu();
  buildHelpMenu();
  buildDropArea();
  connectParts();
  restoreState();
}

MainWindow::~MainWindow() {
  // Hiding emits signals, which need their receivers alive.
  hide();
}

void MainWindow::buildPages() {
  addPerspectives(m_parts.pages, *m_stack, *m_bar, m_parts.session);

  auto* pages = new QWidget;
  auto* column = views::bareLayout<QVBoxLayout>(pages, 0);
  column->addWidget(buildTopBar());
  m_planLine = new views::PlanLine(m_parts.session);
  connect(m_planLine, &views::PlanLine::perspectiveWanted, m_stack, &views::PerspectiveStack::showPerspective);
  column->addWidget(m_planLine);
  column->addWidget(m_stack, 1);
  m_banners = new DocumentBanners(m_parts.session, m_parts.documents, *m_stack);

  auto* central = new QWidget;
  auto* row = views::bareLayout<QHBoxLayout>(central, 0);
  row->addWidget(m_bar);
  row->addWidget(pages, 1);
  setCentralWidget(central);

  m_help->setObjectName("helpPanel");
  m_help->setWidget(m_manual);
  addDockWidget(Qt::RightDockWidgetArea, m_help);
  m_help->hide();

  statusBar()->setSizeGripEnabled(false);
  statusBar()->addWidget(m_summary, 1);
  m_saveNote->setObjectName("saveNote");
  statusBar()->addPermanentWidget(m_saveNote);
}

QWidget* MainWindow::buildTopBar() {
  QUndoStack& undoStack = m_parts.session.undoStack();
  QAction* undo = undoStack.createUndoAction(this, tr("&Undo"));
  QAction* redo = undoStack.createRedoAction(this, tr("&Redo"));
  undo->setObjectName("undoAction");
  undo->setIcon(Theme::icon("undo"));
  undo->setShortcut(QKeySequence::Undo);
  redo->setObjectName("redoAction");
  redo->setIcon(Theme::icon("redo"));
  redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});

  m_chain = new views::ChainBar(m_parts.session);
  connect(m_chain, &views::ChainBar::perspectiveWanted, m_stack, &views::PerspectiveStack::showPerspective);

  auto* bar = new QFrame;
  bar->setObjectName("topBar");
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid / 2, Theme::kGrid, Theme::kGrid / 2);
  layout->setSpacing(Theme::kGrid / 2);
  layout->addWidget(m_bar->strip());
  // The other pages find the bar as high as they left it.
  QSizePolicy kept = m_chain->sizePolicy();
  kept.setRetainSizeWhenHidden(true);
  m_chain->setSizePolicy(kept);
  layout->addWidget(m_chain, 1);
  m_jobs = new views::JobsIndicator(m_parts.session.jobs());
  layout->addWidget(m_jobs);
  layout->addSpacing(Theme::kGrid);
  layout->addWidget(toolButton(undo));
  layout->addWidget(toolButton(redo));
  return bar;
}

void MainWindow::buildDropArea() {
  m_opener = new FileOpener({m_parts.session, m_parts.documents, *m_stack, *m_workloads}, *this);
  connect(new views::DropArea(*this), &views::DropArea::dropped, m_opener, &FileOpener::open);
}

void MainWindow::open(const QString& file) { m_opener->open({file}); }

void MainWindow::connectParts() {
  using views::DocumentController;
  using views::Session;
  new views::FieldWheel(this);
  new views::StepProposal(m_parts.session, this);
  connect(new views::FieldEscape(*this), &views::FieldEscape::left, this,
          [this] { m_stack->current()->setFocus(Qt::OtherFocusReason); });
  connect(m_bar, &views::PerspectiveBar::pageWanted, m_stack, &views::PerspectiveStack::showPage);
  connect(m_stack, &views::PerspectiveStack::pageChanged, this, &MainWindow::showPage);
  connect(m_stack, &views::PerspectiveStack::pageChanged, this, &MainWindow::connectStart);
  connect(&m_parts.documents, &DocumentController::documentChanged, this, &MainWindow::refreshTitle);
  connect(&m_parts.session, &views::Session::workspaceChanged, this, &MainWindow::refreshTitle);
  connect(&m_parts.documents, &DocumentController::lessonOpened, this, [this](const QString& path) {
    m_stack->showPerspective(views::kLessonsPage);
    m_stack->current()->openFile(path);
  });
  connect(&m_parts.session, &Session::trainingChanged, this, &MainWindow::chooseSubject);
  connect(&m_parts.appearance, &views::Appearance::changed, m_summary, &views::SummaryLine::refresh);
  // A new document begins with its machine, not on a page of examples.
  connect(&m_parts.documents, &DocumentController::began, this,
          [this] { m_stack->showPerspective(views::kSystemPage); });
  refreshTitle();
}

void MainWindow::restoreState() {
  const QSettings& settings = m_parts.settings;
  const QSize first = kFirstSize.boundedTo(screen()->availableSize());
  // Names, captions and status bar would keep the window larger than a small screen.
  m_bar->setNarrow(first.width() < kNarrow);
  m_chain->setBrief(first.height() < kLow);
  statusBar()->setVisible(first.height() >= kLowest);
  if (!restoreGeometry(settings.value(kGeometryKey).toByteArray())) resize(first);
  QMainWindow::restoreState(settings.value(kStateKey).toByteArray());
  m_stack->showPerspective(settings.value(kPageKey).toString());
  if (m_stack->currentPage() < 0) m_stack->showPerspective(kFirstPage);
}

bool MainWindow::mayEnd() {
  const QString unfinished = m_stack->unfinished();
  return unfinished.isEmpty() || m_parts.documents.mayEndWhile(unfinished);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!m_mayClose && !mayEnd()) return event->ignore();
  if (!m_mayClose && m_parts.documents.isModified()) {
    event->ignore();
    m_parts.documents.whenSafe([this] {
      m_mayClose = true;
      // Not from within this event: Qt ignores a close inside a close.
      QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
    });
    return;
  }
  m_parts.settings.setValue(kGeometryKey, saveGeometry());
  m_parts.settings.setValue(kStateKey, saveState());
  event->accept();
}

// Fields and drawings that take text come first.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Paste)) return QMainWindow::keyPressEvent(event);
  pasteAnything();
}

void MainWindow::pasteAnything() {
  if (const QMimeData* copied = QApplication::clipboard()->mimeData()) m_opener->openPasted(*copied);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  m_bar->setNarrow(width() < kNarrow);
  m_jobs->setNarrow(width() < kNarrowChain);
  m_chain->setBrief(height() < kLow);
  statusBar()->setVisible(height() >= kLowest);
}

bool MainWindow::isOnTheWay() const {
  static const QStringList kWay{views::kModelPage, views::kPlanPage, views::kWhyPage, views::kWhatIfPage,
                                views::kUsePage};
  const QString page = m_stack->faceOf(m_stack->currentPage()).id;
  const bool both = page == views::kSystemPage || page == views::kStartPage;
  return kWay.contains(page) || (both && m_parts.session.planner().hasModel());
}

bool MainWindow::isOfReduction() const {
  static const QStringList kPages{views::kPlacementsPage, views::kProgramsPage, views::kCostsPage,
                                  views::kWorkloadPage};
  return kPages.contains(m_stack->faceOf(m_stack->currentPage()).id);
}

void MainWindow::showPage(int page) {
  m_bar->setCurrent(page);
  m_chain->setVisible(!isLesson());
  m_planLine->setSeen(isOfReduction());
  chooseSubject();
  m_parts.settings.setValue(kPageKey, m_stack->faceOf(page).id);
  m_manual->showPerspective(m_stack->faceOf(page).title);
  m_pageMenu->clear();
  m_pageMenu->addActions(m_stack->current()->viewActions());
  m_pageMenu->setTitle(
      views::withMnemonic(m_stack->faceOf(page).title, *m_stack->current(), views::menuLettersOf(*this)));
  m_pageMenu->menuAction()->setVisible(!m_pageMenu->isEmpty());
}

// Pages are made when they are first shown.
void MainWindow::connectStart() {
  const auto* start = qobject_cast<views::StartPerspective*>(m_stack->current());
  if (start == nullptr) return;
  connect(start, &views::StartPerspective::exampleWanted, &m_parts.documents, &views::DocumentController::openExample,
          Qt::UniqueConnection);
  connect(start, &views::StartPerspective::exportWanted, &m_parts.documents, &views::DocumentController::exportPlan,
          Qt::UniqueConnection);
}

void MainWindow::refreshTitle() {
  setWindowTitle(tr("P² Explorer — %1[*]").arg(m_parts.documents.name()));
  setWindowModified(m_parts.documents.isModified());
  m_saveNote->setText(m_parts.documents.saveNote());
  m_saveNote->setVisible(!m_saveNote->text().isEmpty());
}

// A model makes Cluster and Start a part of the way.
void MainWindow::chooseSubject() {
  if (m_stack->currentPage() < 0) return;
  using About = views::SummaryLine::About;
  m_summary->setAbout(isLesson() ? About::Nothing : isOnTheWay() ? About::Training : About::Reduction);
  m_chain->showTraining(isOnTheWay());
  // Lessons, and pages of the way to a training job, do not depend on the axes of a reduction.
  m_banners->setPage(m_stack->current(), !isOnTheWay() && !isLesson());
}

bool MainWindow::isLesson() const { return m_stack->faceOf(m_stack->currentPage()).id == views::kLessonsPage; }

}  // namespace p2::explorer
