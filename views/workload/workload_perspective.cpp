// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/workload_perspective.h"

#include <QAction>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "views/common/inline_message.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/workload/break_even_page.h"
#include "views/workload/break_even_plot.h"
#include "views/workload/entries_empty_page.h"
#include "views/workload/entries_panel.h"
#include "views/workload/ranking_page.h"
#include "views/workload/tradeoff_plot.h"
#include "views/workload/workload_edits.h"
#include "views/workload/workload_sources.h"

namespace p2::views {
namespace {

constexpr int kPatience = 200;  // milliseconds before what is shown is greyed and the progress appears
/// How settings call the views, in the order of the tabs.
constexpr std::array kWorkloadViews{"ranking", "tradeoff", "break-evens"};
constexpr const char* kViewKey = "workload/view";
constexpr const char* kFoldKey = "workload/entries";

}  // namespace

WorkloadPerspective::WorkloadPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      // What the pricer has learnt serves the next question, of a slider that moves on above all.
      m_ranked(session.jobs(), [pricer = std::make_shared<StepPricer>()](
                                   const StepQuestion& question, std::stop_token stop, const Progress& progress) {
        return pricer->rank(question, stop, progress);
      }) {
  setObjectName("workloadPerspective");
  m_patience.setSingleShot(true);
  m_patience.setInterval(kPatience);
  const QList<QAction*> sources = makeSources();
  m_pages = new QStackedWidget;
  m_pages->addWidget(new EntriesEmptyPage(sources));
  m_pages->addWidget(makeContent(sources));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(m_pages);
  connectParts();
  const QString remembered = QSettings().value(kViewKey).toString();
  const auto view = std::find(kWorkloadViews.begin(), kWorkloadViews.end(), remembered);
  if (view != kWorkloadViews.end()) m_tabs->setCurrentIndex(int(view - kWorkloadViews.begin()));
  showView(m_tabs->currentIndex());
  m_fold->setChecked(QSettings().value(kFoldKey, true).toBool());
  m_entries->setVisible(m_fold->isChecked());
  showDetail({});
  followDocument();
}

WorkloadPerspective::~WorkloadPerspective() = default;

QString WorkloadPerspective::help() const {
  return tr(
      "<p>A workload lists all that is communicated in one training step: what, over which axes, how many bytes, how "
      "often. Every placement is ranked by all of it together, each entry by its best program there.</p>"
      "<p>On the left are the entries and what they take on the selected placement. Sliders try other bytes and counts "
      "of the selected entry; the document stays as it is until they are applied. What may run beside computation is "
      "hidden behind the seconds of computation, where they are given.</p>"
      "<p><b>Ranking</b> has a row for every placement: solid is exposed, hatched may run beside computation. ★ is the "
      "best; ◆ marks the front, of which none is better in one without being worse in the other. Up and Down choose a "
      "placement, Enter or a double click shows its devices.</p>"
      "<p><b>Trade-off</b> draws exposed against overlappable time, with the front as a line and the orders of "
      "frameworks by name. <b>Break-evens</b> shows from which ratio of bytes another placement is the best. Left and "
      "Right walk, Enter chooses.</p>");
}

QList<QAction*> WorkloadPerspective::makeSources() {
  m_oneAllReduce = new QAction(this);
  m_oneAllReduce->setObjectName("oneAllReduce");
  connect(m_oneAllReduce, &QAction::triggered, this, &WorkloadPerspective::useOneAllReduce);
  m_files = new WorkloadActions(m_session, this);
  connect(m_files, &WorkloadActions::saved, this, [this](const QString& problem, const QString& path) {
    if (!problem.isEmpty()) return m_message->showProblem(problem);
    showDetail(tr("The workload is saved as %1.").arg(path));
  });
  return {m_files->fromModel(), m_files->open(), m_oneAllReduce};
}

void WorkloadPerspective::useOneAllReduce() {
  Workspace next = *m_session.workspace();
  auto workload = oneAllReduce(next);
  if (!workload.ok()) return;
  next.workload = std::move(*workload);
  m_session.edit(tr("Use one AllReduce as the workload"), std::move(next));
}

QWidget* WorkloadPerspective::makeContent(const QList<QAction*>& sources) {
  auto* content = new QWidget;
  m_entries = new EntriesPanel(m_session, QList<QAction*>(sources) << m_files->save());
  m_splitter = new QSplitter;
  m_splitter->setObjectName("workloadSplitter");
  m_splitter->setChildrenCollapsible(false);
  m_splitter->addWidget(m_entries);
  m_splitter->addWidget(makePages());
  m_splitter->setStretchFactor(0, 0);
  m_splitter->setStretchFactor(1, 1);
  m_splitter->setSizes({330, 670});
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::kGrid);
  column->addWidget(makeHeader());
  column->addWidget(m_splitter, 1);
  column->addWidget(makeFooter());
  return content;
}

QWidget* WorkloadPerspective::makeHeader() {
  auto* header = new QWidget;
  m_finding = new QLabel;
  m_finding->setObjectName("workloadFinding");
  m_finding->setWordWrap(true);
  m_message = new InlineMessage;
  m_message->setObjectName("workloadMessage");
  m_useAxes = new QPushButton(tr("&Use the workload's axes"));
  m_useAxes->setObjectName("useWorkloadAxes");
  m_useAxes->hide();
  auto* problem = new QHBoxLayout;
  problem->setSpacing(Theme::kGrid);
  problem->addWidget(m_message, 1);
  problem->addWidget(m_useAxes);
  makeTabs();
  makeFold();
  auto* fold = new QToolButton;
  fold->setDefaultAction(m_fold);
  fold->setObjectName("foldEntriesButton");
  fold->setFocusPolicy(Qt::TabFocus);
  auto* bar = new QHBoxLayout;
  bar->setSpacing(Theme::kGrid);
  bar->addWidget(fold);
  bar->addWidget(m_tabs);
  bar->addStretch();
  auto* layout = new QVBoxLayout(header);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_finding);
  layout->addLayout(problem);
  layout->addLayout(bar);
  return header;
}

void WorkloadPerspective::makeTabs() {
  struct Tab {
    const char* name;
    QString text;
    QString toolTip;
  };
  const std::array tabs{
      Tab{"showRankingAction", tr("Ranking"), tr("Every placement with its step as a bar")},
      Tab{"showTradeoffAction", tr("Trade-off"), tr("Exposed against overlappable time, with the front")},
      Tab{"showBreakEvensAction", tr("Break-evens"), tr("The best placement over the ratio of two groups of entries")}};
  m_tabs = new QTabBar;
  m_tabs->setObjectName("workloadViews");
  m_tabs->setAccessibleName(tr("What of the workload is shown"));
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  for (int view = 0; view < int(tabs.size()); ++view) {
    const Tab& tab = tabs[std::size_t(view)];
    auto* action = new QAction(tab.text, this);
    action->setObjectName(tab.name);
    action->setShortcut(QKeySequence(int(Qt::ALT) | (Qt::Key_1 + view)));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [this, view] { m_tabs->setCurrentIndex(view); });
    addAction(action);
    m_actions.append(action);
    m_tabs->addTab(tab.text);
    m_tabs->setTabToolTip(view, tr("%1 (%2)").arg(tab.toolTip, action->shortcut().toString(QKeySequence::NativeText)));
  }
}

void WorkloadPerspective::makeFold() {
  m_fold = new QAction(tr("Entries"), this);
  m_fold->setObjectName("foldEntriesAction");
  m_fold->setCheckable(true);
  m_fold->setShortcut(QKeySequence(int(Qt::ALT) | Qt::Key_0));
  m_fold->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  m_fold->setToolTip(tr("Show or fold away the entries and their sliders (%1)")
                         .arg(m_fold->shortcut().toString(QKeySequence::NativeText)));
  addAction(m_fold);
  m_actions.append(m_fold);
}

QWidget* WorkloadPerspective::makePages() {
  m_views = new QStackedWidget;
  m_ranking = new RankingPage;
  m_tradeoff = new TradeoffPlot;
  m_tradeoff->setObjectName("tradeoffPlot");
  m_tradeoff->setMinimumSize(280, 180);
  m_breakEvens = new BreakEvenPage;
  for (QWidget* view : std::initializer_list<QWidget*>{m_ranking, m_tradeoff, m_breakEvens}) m_views->addWidget(view);
  return m_views;
}

QWidget* WorkloadPerspective::makeFooter() {
  auto* footer = new QWidget;
  m_detail = new QLabel;
  m_detail->setObjectName("workloadDetail");
  m_detail->setWordWrap(true);
  m_detail->setMinimumHeight(2 * m_detail->fontMetrics().lineSpacing());
  m_detail->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_progress = new QProgressBar;
  m_progress->setObjectName("workloadProgress");
  m_progress->setAccessibleName(tr("Progress"));
  m_progress->setRange(0, 1000);
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(12 * Theme::kGrid);
  m_stop = new QToolButton;
  m_stop->setObjectName("workloadStop");
  for (QWidget* part : std::initializer_list<QWidget*>{m_progress, m_stop}) {
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    part->setSizePolicy(policy);
    part->hide();
  }
  m_leftOutSwitch = new QToolButton;
  m_leftOutSwitch->setObjectName("leftOutSwitch");
  m_leftOutSwitch->setText(tr("What this &leaves out"));
  m_leftOutSwitch->setToolTip(tr("Show or hide what the ranking says nothing of (Alt+L)"));
  m_leftOutSwitch->setAccessibleName(tr("What this leaves out"));
  m_leftOutSwitch->setCheckable(true);
  m_leftOutSwitch->setAutoRaise(true);
  m_leftOutSwitch->setFocusPolicy(Qt::TabFocus);
  m_leftOut = new QLabel;
  m_leftOut->setObjectName("leftOut");
  m_leftOut->setWordWrap(true);
  m_leftOut->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_leftOut->hide();
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::kGrid);
  row->addWidget(m_detail, 1);
  row->addWidget(m_progress, 0, Qt::AlignTop);
  row->addWidget(m_stop, 0, Qt::AlignTop);
  row->addWidget(m_leftOutSwitch, 0, Qt::AlignTop);
  auto* layout = new QVBoxLayout(footer);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid / 2);
  layout->addLayout(row);
  layout->addWidget(m_leftOut);
  return footer;
}

void WorkloadPerspective::connectParts() {
  connect(m_tabs, &QTabBar::currentChanged, this, &WorkloadPerspective::showView);
  connect(m_fold, &QAction::toggled, this, [this](bool open) {
    QSettings().setValue(kFoldKey, open);
    m_entries->setVisible(open);
  });
  connect(m_leftOutSwitch, &QToolButton::toggled, m_leftOut, &QWidget::setVisible);
  connect(m_useAxes, &QPushButton::clicked, this, &WorkloadPerspective::useWorkloadAxes);
  connect(m_stop, &QToolButton::clicked, this, [this] {
    m_waits = false;
    if (m_ranked.isRunning()) return m_ranked.cancel();
    if (m_ranked.question()) m_ranked.askAgain(tr("Ranking placements by the whole step"), *m_ranked.question());
  });
  connect(m_entries, &EntriesPanel::tried, this, [this] { ask(Asking::InTurn); });
  connect(m_entries, &EntriesPanel::released, this, [this] { ask(Asking::AtOnce); });
  connect(m_ranking, &RankingPage::placementChosen, this, &WorkloadPerspective::choose);
  connect(m_ranking, &RankingPage::placementActivated, this, &WorkloadPerspective::activate);
  connect(m_tradeoff, &TradeoffPlot::pointClicked, this, &WorkloadPerspective::choose);
  connect(m_tradeoff, &TradeoffPlot::pointActivated, this, &WorkloadPerspective::activate);
  connect(m_tradeoff, &TradeoffPlot::pointHovered, this, &WorkloadPerspective::showDetail);
  connect(&m_breakEvens->plot(), &BreakEvenPlot::pointClicked, this, &WorkloadPerspective::choose);
  connect(&m_breakEvens->plot(), &BreakEvenPlot::pointActivated, this, &WorkloadPerspective::activate);
  connect(&m_breakEvens->plot(), &BreakEvenPlot::pointHovered, this, &WorkloadPerspective::showDetail);
  connect(&m_patience, &QTimer::timeout, this, &WorkloadPerspective::showState);
  connect(&m_ranked, &DerivedBase::changed, this, &WorkloadPerspective::follow);
  connect(&m_ranked, &DerivedBase::progressed, this, [this](double done) { m_progress->setValue(int(1000 * done)); });
  connect(&m_session, &Session::workspaceChanged, this, &WorkloadPerspective::followDocument);
  connect(&m_session, &Session::explorationChanged, this, &WorkloadPerspective::showRanking);
  connect(&m_session, &Session::selectionChanged, this, &WorkloadPerspective::showChosen);
}

void WorkloadPerspective::showEvent(QShowEvent* event) {
  Perspective::showEvent(event);
  followDocument();
}

void WorkloadPerspective::followDocument() {
  const Workspace& document = *m_session.workspace();
  const auto one = oneAllReduce(document);
  m_oneAllReduce->setEnabled(one.ok());
  m_oneAllReduce->setText(one.ok() ? tr("One &AllReduce: %1, %2")
                                         .arg(entryKindText(one->collectives.front()).section(' ', 1),
                                              entryBytesText(one->collectives.front()))
                                   : tr("One &AllReduce"));
  m_oneAllReduce->setToolTip(one.ok() ? tr("The reduction of the document as a workload of one entry")
                                      : QString::fromStdString(one.error().text()));
  m_pages->setCurrentIndex(document.workload ? 1 : 0);
  if (!document.workload) {
    m_ranked.forget();
    return;
  }
  ask(Asking::AtOnce);
}

void WorkloadPerspective::ask(Asking asking) {
  if (!isVisible()) return;
  const Workspace& document = *m_session.workspace();
  if (!document.workload) return;
  m_waits = asking == Asking::InTurn && m_ranked.isRunning();
  if (m_waits) return;
  const auto fits = checkWorkloadAxes(*document.workload, document.axes);
  m_misfit = fits.ok() ? std::nullopt : std::optional(fits.error());
  if (m_misfit) {
    m_ranked.withdraw();
  } else {
    m_ranked.ask(tr("Ranking placements by the whole step"), stepQuestionOf(document, m_entries->workload()));
  }
  follow();
}

void WorkloadPerspective::follow() {
  if (m_waits && !m_ranked.isRunning()) return ask(Asking::AtOnce);
  showRanking();
  if (m_ranked.isRunning()) {
    if (!m_patience.isActive()) m_patience.start();
  } else {
    m_patience.stop();
  }
  if (!m_patience.isActive()) showState();
}

void WorkloadPerspective::showRanking() {
  const auto ranking = m_ranked.answer();
  auto winner = ranking ? reductionWinner(*ranking, m_session.exploration().get()) : std::nullopt;
  if (ranking == m_shown && winner == m_winner) return;
  m_shown = ranking;
  m_winner = std::move(winner);
  m_ranking->setRanking(m_shown, m_winner);
  m_tradeoff->setRanking(m_shown, m_winner);
  m_breakEvens->setRanking(m_shown);
  QStringList sentences;
  if (m_shown) {
    for (const std::string& sentence : leftOutOf(m_shown->question))
      sentences += "– " + QString::fromStdString(sentence);
  }
  m_leftOut->setText(sentences.join('\n'));
  showChosen();
  if (!m_patience.isActive()) showState();
}

// While answers come quickly, as under a slider, nothing is greyed and nothing blinks.
void WorkloadPerspective::showState() {
  const bool running = m_ranked.isRunning();
  const bool stale = !m_ranked.isCurrent();
  m_ranking->setStale(stale);
  m_tradeoff->setStale(stale);
  m_breakEvens->setStale(stale);
  m_entries->setStale(stale);
  m_progress->setVisible(running);
  m_stop->setVisible(running || m_ranked.wasCancelled());
  m_stop->setText(running ? tr("Stop") : tr("Rank again"));
  m_stop->setToolTip(running ? tr("Stop; the last answer stays") : tr("Rank what was stopped"));
  m_stop->setAccessibleName(m_stop->text());
  m_leftOutSwitch->setVisible(m_shown != nullptr);
  showProblems();
}

void WorkloadPerspective::showProblems() {
  QString finding;
  if (m_shown && !m_shown->placements.empty()) finding = findingOf(*m_shown, m_winner);
  if (!finding.isEmpty() && m_entries->isTrying()) finding = tr("Tried out: ") + finding;
  if (finding.isEmpty() && m_ranked.isRunning()) finding = tr("Placements are being ranked by the whole step …");
  m_finding->setText(finding);
  m_finding->setVisible(!finding.isEmpty());
  m_finding->setForegroundRole(m_ranked.isCurrent() ? QPalette::WindowText : QPalette::PlaceholderText);
  const auto usable = m_misfit ? axesOfWorkload(*m_session.workspace()) : Result<std::vector<Axis>>(Error{});
  m_useAxes->setVisible(usable.ok());
  m_useAxes->setToolTip(tr("Give the document the axes of its workload; can be undone (Alt+U)"));
  const auto& problem = m_misfit ? m_misfit : m_ranked.problem();
  if (problem) {
    m_message->showProblem(QString::fromStdString(problem->text()));
  } else {
    m_message->say(InlineMessage::Kind::Note,
                   m_ranked.wasCancelled() ? tr("The ranking was stopped; what is shown is from before.") : QString());
  }
}

int WorkloadPerspective::chosenPlacement() const {
  if (!m_shown) return -1;
  const auto rowOf = [this](const ParallelismMatrix& matrix) {
    const auto found = m_shown->find(matrix);
    return found ? int(*found) : -1;
  };
  const Workspace& document = *m_session.workspace();
  if (!document.matrix.empty()) return rowOf(document.matrix);
  return m_session.placement() != nullptr ? rowOf(m_session.placement()->matrix) : -1;
}

void WorkloadPerspective::showChosen() {
  const int chosen = chosenPlacement();
  m_ranking->setChosen(chosen);
  m_tradeoff->setChosen(chosen);
  m_breakEvens->setChosen(chosen);
  m_entries->setRanking(m_shown, std::size_t(std::max(chosen, 0)));
  showDetail({});
}

void WorkloadPerspective::showDetail(const QString& text) {
  if (!text.isEmpty()) return m_detail->setText(text);
  const int chosen = chosenPlacement();
  m_detail->setText(chosen < 0 ? tr("Click to choose a placement in the document.")
                               : placementText(*m_shown, std::size_t(chosen), m_winner));
}

void WorkloadPerspective::showView(int view) {
  QSettings().setValue(kViewKey, kWorkloadViews[std::size_t(view)]);
  m_views->setCurrentIndex(view);
  setFocusProxy(m_views->currentWidget());
}

// By the row of the exploration where there is one, so that it is the choice that Placements makes.
void WorkloadPerspective::choose(int placement) {
  if (!m_shown || placement < 0) return;
  const ParallelismMatrix& matrix = m_shown->placements[std::size_t(placement)].matrix;
  const auto exploration = m_session.exploration();
  if (exploration && m_session.isCurrent()) {
    const auto& all = exploration->placements;
    const auto row = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.matrix == matrix; });
    if (row != all.end() && m_session.placement() == &*row && m_session.workspace()->matrix == matrix) return;
    if (row != all.end() && m_session.placement() != &*row) return m_session.select(int(row - all.begin()));
  }
  Workspace next = *m_session.workspace();
  if (next.matrix == matrix || !checkMatrix(next.system, next.axes, matrix).ok()) return;
  next.matrix = matrix;
  next.program.clear();
  m_session.edit(tr("Choose placement"), std::move(next), QStringLiteral("choose placement"));
  showChosen();
}

void WorkloadPerspective::activate(int placement) {
  choose(placement);
  emit perspectiveWanted(kPlacementsPage);
}

void WorkloadPerspective::useWorkloadAxes() {
  Workspace next = *m_session.workspace();
  auto axes = axesOfWorkload(next);
  if (!axes.ok()) return;
  next.axes = std::move(*axes);
  m_session.edit(tr("Use the workload's axes"), std::move(next));
}

}  // namespace p2::views
