// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/workload_perspective.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "training/step_computation.h"
#include "views/accuracy/accuracy_mark.h"
#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/common/view_tabs.h"
#include "views/shell/session.h"
#include "views/workload/entries_empty_page.h"
#include "views/workload/entries_panel.h"
#include "views/workload/ranking_status.h"
#include "views/workload/ranking_views.h"
#include "views/workload/workload_edits.h"
#include "views/workload/workload_sources.h"

namespace p2::views {
namespace {

constexpr int kPatience = 200;         // milliseconds before the old answer is greyed and the progress appears
constexpr int kEntriesShare = 32;      // percent of the width
constexpr int kLeastCharacters = 125;  // width of a page with entries and ranking
constexpr int kLeastLines = 28;        // height of it
constexpr const char* kFoldKey = "workload/entries";

}  // namespace

WorkloadPerspective::WorkloadPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      // The pricer's cached prices serve the next question, above all while a slider moves.
      m_ranked(session.jobs(), [pricer = std::make_shared<StepPricer>()](
                                   const StepQuestion& question, std::stop_token stop, const Progress& progress) {
        return pricer->rank(withComputation(question), stop, progress);
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
  forwardFocus(*this, *m_views);
  connectParts();
  m_fold->setChecked(QSettings().value(kFoldKey, true).toBool());
  showEntries(m_fold->isChecked());
  showDetail({});
  followDocument();
}

WorkloadPerspective::~WorkloadPerspective() = default;

QList<QAction*> WorkloadPerspective::makeSources() {
  m_oneAllReduce = named(new QAction(this), "oneAllReduce");
  connect(m_oneAllReduce, &QAction::triggered, this, &WorkloadPerspective::useOneAllReduce);
  m_files = new WorkloadActions(m_session, this);
  connect(m_files, &WorkloadActions::saved, this, [this](const QString& problem, const QString& path) {
    if (!problem.isEmpty()) return m_message->showProblem(problem);
    showDetail(tr("The workload is saved as %1.").arg(path));
  });
  return {m_files->fromModel(), m_files->open(), m_oneAllReduce};
}

QWidget* WorkloadPerspective::makeContent(const QList<QAction*>& sources) {
  auto* content = new QWidget;
  m_entries = new EntriesPanel(m_session, QList<QAction*>(sources) << m_files->save());
  m_views = new RankingViews;
  m_status = new RankingStatus;
  m_splitter = named(new QSplitter, "workloadSplitter");
  m_splitter->setChildrenCollapsible(false);
  m_splitter->addWidget(m_entries);
  m_splitter->addWidget(m_views);
  m_splitter->setStretchFactor(0, kEntriesShare);
  m_splitter->setStretchFactor(1, 100 - kEntriesShare);
  m_splitter->setSizes({10 * kEntriesShare, 10 * (100 - kEntriesShare)});
  auto* column = bareLayout<QVBoxLayout>(content, Theme::kGrid);
  column->addWidget(makeHeader());
  column->addWidget(m_splitter, 1);
  column->addWidget(m_status);
  return content;
}

QWidget* WorkloadPerspective::makeHeader() {
  auto* header = new QWidget;
  m_finding = wrapped(named(new QLabel, "workloadFinding"));
  m_message = named(new InlineMessage, "workloadMessage");
  m_useAxes = named(new QPushButton(tr("&Use the workload's axes")), "useWorkloadAxes");
  m_useAxes->hide();
  m_fix = named(new QPushButton, "fixWorkload");
  m_fix->hide();
  auto* problem = new QHBoxLayout;
  problem->setSpacing(Theme::kGrid);
  problem->addWidget(m_message, 1);
  problem->addWidget(m_useAxes);
  problem->addWidget(m_fix);
  makeActions();
  auto* fold = new QToolButton;
  fold->setDefaultAction(m_fold);
  fold->setObjectName("foldEntriesButton");
  fold->setFocusPolicy(Qt::TabFocus);
  auto* bar = new QHBoxLayout;
  bar->setSpacing(Theme::kGrid);
  bar->addWidget(fold);
  bar->addWidget(&m_views->tabs());
  bar->addStretch();
  bar->addWidget(new AccuracyMark(m_session, AccuracyMark::Of::Machine));
  bar->addWidget(makeExport());
  auto* layout = bareLayout<QVBoxLayout>(header, Theme::kGrid);
  layout->addWidget(m_finding);
  layout->addLayout(problem);
  layout->addLayout(bar);
  return header;
}

QWidget* WorkloadPerspective::makeExport() {
  auto* save = new PlotExportButton("workloadExport", m_views->exportName(),
                                    [this](const FigureStyle& style) { return m_views->exported(style); });
  connect(m_views, &RankingViews::currentChanged, save, [this, save] { save->setFileName(m_views->exportName()); });
  connect(save, &PlotExportButton::written, this,
          [this](const QString& path) { m_message->say(InlineMessage::Kind::Good, tr("written to %1").arg(path)); });
  connect(save, &PlotExportButton::failed, m_message, &InlineMessage::showProblem);
  return save;
}

void WorkloadPerspective::makeActions() {
  m_fold = named(new QAction(tr("▸ Entries"), this), "foldEntriesAction");
  m_fold->setCheckable(true);
  m_fold->setShortcut(QKeySequence(int(Qt::ALT) | Qt::Key_0));
  m_fold->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  m_fold->setToolTip(tr("Show or fold away the entries and their sliders (%1)")
                         .arg(m_fold->shortcut().toString(QKeySequence::NativeText)));
  m_actions = m_views->tabs().tabActions();
  m_actions.append(m_fold);
  addActions(m_actions);
}

void WorkloadPerspective::showEntries(bool open) {
  m_fold->setText(open ? tr("▾ Entries") : tr("▸ Entries"));
  m_entries->setVisible(open);
}

/// Folds the entries in a small window.
void WorkloadPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  const bool small = width() < kLeastCharacters * fontMetrics().averageCharWidth() ||
                     height() < kLeastLines * fontMetrics().lineSpacing();
  if (std::exchange(m_isSmall, small) == small) return;
  m_fold->setChecked(!small && QSettings().value(kFoldKey, true).toBool());
}

void WorkloadPerspective::connectParts() {
  connect(m_fold, &QAction::toggled, this, &WorkloadPerspective::showEntries);
  connect(m_fold, &QAction::triggered, this, [](bool open) { QSettings().setValue(kFoldKey, open); });
  connect(m_useAxes, &QPushButton::clicked, this, &WorkloadPerspective::useWorkloadAxes);
  connect(m_fix, &QPushButton::clicked, this, &WorkloadPerspective::fixWorkload);
  connect(m_status, &RankingStatus::stopWanted, this, [this] {
    m_waits = false;
    if (m_ranked.isRunning()) return m_ranked.cancel();
    if (m_ranked.question()) m_ranked.askAgain(tr("Ranking placements by the training step"), *m_ranked.question());
  });
  connect(m_entries, &EntriesPanel::tried, this, [this] { ask(Asking::InTurn); });
  connect(m_entries, &EntriesPanel::released, this, [this] { ask(Asking::AtOnce); });
  connect(m_views, &RankingViews::placementChosen, this, &WorkloadPerspective::choose);
  connect(m_views, &RankingViews::placementActivated, this, &WorkloadPerspective::activate);
  connect(m_views, &RankingViews::hovered, this, &WorkloadPerspective::showDetail);
  connect(&m_patience, &QTimer::timeout, this, &WorkloadPerspective::showState);
  connect(&m_ranked, &DerivedBase::changed, this, &WorkloadPerspective::follow);
  connect(&m_ranked, &DerivedBase::progressed, m_status, &RankingStatus::setProgress);
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
  m_oneAllReduce->setText(one.ok() ? tr("One &AllReduce %1, %2")
                                         .arg(entryKindText(one->collectives.front()).section(' ', 1),
                                              entryBytesText(one->collectives.front()))
                                   : tr("One &AllReduce"));
  m_oneAllReduce->setToolTip(one.ok() ? tr("The reduction of the document as a workload of one entry")
                                      : qs(one.error().text()));
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
  if (!m_entries->isReady()) return m_ranked.withdraw();
  m_waits = asking == Asking::InTurn && m_ranked.isRunning();
  if (m_waits) return;
  const auto fits = checkWorkloadFit(document);
  m_misfit = fits.ok() ? std::nullopt : std::optional(fits.error());
  if (m_misfit) {
    m_ranked.withdraw();
  } else {
    m_ranked.ask(tr("Ranking placements by the training step"), stepQuestionOf(document, m_entries->workload()));
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
  m_views->setRanking(m_shown, m_winner);
  QStringList sentences;
  if (m_shown) {
    for (const std::string& sentence : unmodelledEffectsOf(*m_shown)) sentences += qs(sentence);
  }
  m_status->setUnmodelledEffects(sentences);
  showChosen();
  if (!m_patience.isActive()) showState();
}

// While answers come quickly, as under a slider, nothing is greyed and nothing blinks.
void WorkloadPerspective::showState() {
  const bool running = m_ranked.isRunning();
  const bool stale = !m_ranked.isCurrent();
  m_views->setStale(stale);
  m_entries->setStale(stale);
  m_status->setState(running, m_ranked.wasCancelled());
  showProblems();
}

void WorkloadPerspective::showProblems() {
  QString finding;
  if (m_shown && !m_shown->placements.empty()) finding = findingOf(*m_shown, m_winner);
  if (!finding.isEmpty() && m_entries->isTrying()) finding = tr("Tried out: ") + finding;
  if (finding.isEmpty() && m_ranked.isRunning()) finding = tr("Ranking placements by the training step …");
  m_finding->setText(finding);
  m_finding->setVisible(!finding.isEmpty());
  m_finding->setForegroundRole(m_ranked.isCurrent() ? QPalette::WindowText : QPalette::PlaceholderText);
  const auto usable = m_misfit ? axesOfWorkload(*m_session.workspace()) : Result<std::vector<Axis>>(Error{});
  m_useAxes->setVisible(usable.ok());
  m_useAxes->setToolTip(tr("Give the document the axes of its workload; can be undone (Alt+U)"));
  const auto fix = m_misfit ? fixOf(*m_session.workspace()) : std::nullopt;
  m_fix->setVisible(fix.has_value());
  if (fix) {
    m_fix->setText(fix->label);
    m_fix->setToolTip(fix->toolTip);
  }
  const auto& problem = m_misfit ? m_misfit : m_ranked.problem();
  // The window says the document's own problem.
  const auto stated = m_session.problem();
  if (problem && !(stated && stated->text() == problem->text())) {
    m_message->showProblem(qs(problem->text()));
  } else {
    m_message->say(InlineMessage::Kind::Note, m_ranked.wasCancelled()
                                                  ? tr("The ranking was stopped; the list shows the previous one.")
                                                  : QString());
  }
}

bool WorkloadPerspective::says(const Error& problem) const {
  const Workspace& document = *m_session.workspace();
  const auto axes = checkAxes(document.system, document.axes);
  return !axes.ok() && axes.error().message == problem.message && fixOf(document).has_value();
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
  m_views->setChosen(chosen);
  m_entries->setRanking(m_shown, std::size_t(std::max(chosen, 0)));
  showDetail({});
}

void WorkloadPerspective::showDetail(const QString& text) {
  if (!text.isEmpty()) return m_status->setDetail(text);
  const int chosen = chosenPlacement();
  m_status->setDetail(chosen < 0 ? tr("Click to choose a placement in the document.")
                                 : placementText(*m_shown, std::size_t(chosen), m_winner));
}

}  // namespace p2::views
