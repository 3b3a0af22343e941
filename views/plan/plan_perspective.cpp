// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_perspective.h"

#include <QAction>
#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/accuracy/accuracy_mark.h"
#include "views/common/accessible_items.h"
#include "views/common/empty_page.h"
#include "views/common/panel.h"
#include "views/common/plot_export.h"
#include "views/common/view_tabs.h"
#include "views/common/wrap_layout.h"
#include "views/plan/heat_page.h"
#include "views/plan/mine_panel.h"
#include "views/plan/plan_bars.h"
#include "views/plan/plan_finding.h"
#include "views/plan/plan_model.h"
#include "views/plan/plan_scatter.h"
#include "views/plan/plan_table.h"
#include "views/plan/release_buttons.h"
#include "views/shell/framework_list.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr int kLowLines = 30;  // a page of fewer lines of text shows rows in place of its legend and some buttons
constexpr int kNarrowCharacters = 105;  // a low page of fewer characters has no second row of buttons
constexpr int kLowestLines = 29;        // a page of fewer lines has one for the finding

enum View { TableView, HeatView, ScatterView };
enum State { AtRest, Searching, Chosen };

}  // namespace

PlanPerspective::PlanPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_model(new PlanModel(this)),
      m_pages(new QStackedWidget),
      m_empty(new EmptyPage),
      m_finding(new PlanFinding),
      m_exclusions(new QLabel),
      m_report(new InlineMessage),
      m_legend(new QLabel),
      m_framework(new FrameworkList(session)),
      m_otherFramework(new FrameworkList(session)),
      m_release(new ReleaseButtons(session)),
      m_tensorInside(new QCheckBox(tr("&Tensor inside a node"))),
      m_spareTenth(new QCheckBox(tr("10 % of memory to &spare"))),
      m_progress(new QProgressBar),
      m_cancel(new QToolButton),
      m_followBest(new QToolButton),
      m_state(new QStackedWidget),
      m_views(new QStackedWidget),
      m_table(new PlanTable(*m_model)),
      m_heat(new HeatPage(session.jobs())),
      m_scatter(new PlanScatter),
      m_mine(new MinePanel(session)) {
  setObjectName("planPerspective");
  makeActions();
  named(m_otherFramework, "planOtherFramework", {}, tr("Configurations that this framework can run"));
  m_empty->addChoice(m_release);
  m_empty->addChoice(m_otherFramework);
  connect(m_release, &ReleaseButtons::changed, this, &PlanPerspective::refresh);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(makeContent());
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(m_pages);
  connect(m_empty, &EmptyPage::clicked, this, &PlanPerspective::leaveEmptyPage);
  connect(&session, &Session::trainingChanged, this, &PlanPerspective::refresh);
  connect(&session.planner(), &StepPlanner::progressed, this,
          [this](double done) { m_progress->setValue(int(done * kProgressSteps)); });
  session.planner().follow(*this);
  showView(m_tabs->currentIndex());
  refresh();
}

QWidget* PlanPerspective::makeContent() {
  auto* content = new QWidget;
  connect(m_finding, &PlanFinding::placeWanted, this, &PlanPerspective::choosePlace);
  connect(m_finding, &PlanFinding::allWanted, this, [this] { m_session.planner().setFilter({}); });
  m_exclusions->setObjectName("planExclusions");
  m_exclusions->setForegroundRole(QPalette::PlaceholderText);
  m_exclusions->setWordWrap(true);
  m_exclusions->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_report->setObjectName("planReport");
  m_report->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_report->setAutoFillBackground(true);
  makeTable();
  for (QWidget* view :
       {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_heat), static_cast<QWidget*>(m_scatter)}) {
    m_views->addWidget(view);
  }
  QVBoxLayout* layout = panelLayout(content);
  layout->addWidget(m_finding);
  layout->addWidget(makeControls());
  layout->addWidget(m_views, 1);
  m_legend->setObjectName("planLegend");
  m_legend->setTextFormat(Qt::RichText);
  m_legend->setWordWrap(true);
  showLegend();
  layout->addWidget(m_legend);
  auto* below = new QGridLayout;
  below->setSpacing(Theme::kGrid);
  below->setColumnStretch(0, 1);
  below->addWidget(m_exclusions, 0, 0);
  below->addWidget(m_report, 0, 0);
  below->addWidget(makeState(), 0, 1);
  layout->addLayout(below);
  layout->addWidget(m_mine);
  connect(m_mine, &MinePanel::changed, this, &PlanPerspective::markMine);
  connect(m_heat, &HeatPage::chosen, this,
          [this](const PlannedConfiguration& planned) { m_session.chooseConfiguration(&planned); });
  connect(m_scatter, &PlanScatter::pointClicked, this, &PlanPerspective::choosePlace);
  return content;
}

QWidget* PlanPerspective::makeControls() {
  auto* controls = new QWidget;
  auto* line = new WrapLayout(controls);
  named(m_framework, "planFramework", {}, tr("Configurations that this framework can run"));
  named(m_tensorInside, "tensorInside", {}, tr("Only configurations whose tensor parallelism crosses no node"));
  named(m_spareTenth, "spareTenth", {}, tr("Only configurations that leave a tenth of the memory free"));
  for (QCheckBox* box : {m_tensorInside, m_spareTenth}) {
    connect(box, &QCheckBox::toggled, this, [this] {
      m_session.planner().setFilter({m_tensorInside->isChecked(), m_spareTenth->isChecked()});
    });
  }
  m_tabs = new ViewTabs(QStringLiteral("planTabs"), tr("Views of the plan"), QStringLiteral("plan/view"),
                        {{"showPlanTableAction", "table", tr("Table"), tr("All configurations, best first")},
                         {"showPlanMapAction", "map", tr("Map"), tr("The best step over two degrees")},
                         {"showPlanScatterAction", "scatter", tr("Time × memory"), tr("Step time against memory")}});
  connect(m_tabs, &QTabBar::currentChanged, this, &PlanPerspective::showView);
  addActions(m_tabs->tabActions());
  const auto buttonOf = [](const char* name, QAction* action) {
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setDefaultAction(action);
    return button;
  };
  QToolButton* compare = buttonOf("planCompareButton", m_compare);
  QToolButton* copy = buttonOf("planCopyButton", m_copy);
  auto* write = new PlotExportButton(QStringLiteral("planFigure"), QStringLiteral("plan"),
                                     [this](const FigureStyle& style) { return exported(style); });
  connect(write, &PlotExportButton::written, this,
          [this](const QString& path) { report(InlineMessage::Kind::Good, tr("Written: %1").arg(path)); });
  connect(write, &PlotExportButton::failed, this,
          [this](const QString& why) { report(InlineMessage::Kind::Problem, why); });
  auto* flags = new QToolButton;
  flags->setObjectName("planUseButton");
  flags->setText(tr("Get the &flags"));
  flags->setToolTip(tr("Launch flags, host files and rank files of the shown configuration (Ctrl+6)"));
  connect(flags, &QToolButton::clicked, this, [this] { emit perspectiveWanted(kUsePage); });
  m_mark = new AccuracyMark(m_session, AccuracyMark::Of::Step);
  connect(m_accuracy, &QAction::triggered, m_mark, &AccuracyMark::showMeasurements);
  for (QWidget* part : std::initializer_list<QWidget*>{m_tabs, m_framework, m_tensorInside, m_spareTenth, m_mark, flags,
                                                       compare, copy, write}) {
    line->addWidget(part);
  }
  m_elsewhere = {m_mark, flags, compare, copy};
  m_write = write;
  for (QToolButton* button : std::initializer_list<QToolButton*>{flags, compare, copy, write})
    button->setFocusPolicy(Qt::TabFocus);
  return controls;
}

void PlanPerspective::makeTable() {
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_table->addActions({m_copy, m_compare, m_export});
  connect(m_table, &PlanTable::placeChosen, this, &PlanPerspective::choosePlace);
  connect(m_table, &QTableView::activated, this, [this] { emit perspectiveWanted(kWhyPage); });
}

PlanPerspective::~PlanPerspective() = default;

QList<QAction*> PlanPerspective::viewActions() {
  return m_tabs->tabActions() + QList<QAction*>{m_copy, m_compare, m_export, m_accuracy};
}

QWidget* PlanPerspective::mainList() { return m_pages->currentIndex() == 0 ? nullptr : m_views->currentWidget(); }

void PlanPerspective::openFile(const QString& path) { m_mine->openFile(path); }

void PlanPerspective::markMine() {
  const auto found = m_session.planner().answer();
  const PlannedConfiguration* mine = found ? m_mine->mine() : nullptr;
  const auto place = mine ? placeOf(chosenFrom(*mine), found->answer) : std::nullopt;
  m_model->setMine(place ? int(*place) : -1);
  enableComparison();
}

void PlanPerspective::showView(int view) {
  // A view that is not shown asks for no width.
  for (int i = 0; i < m_views->count(); ++i) {
    const auto policy = i == view ? QSizePolicy::Expanding : QSizePolicy::Ignored;
    m_views->widget(i)->setSizePolicy(policy, policy);
  }
  m_views->setCurrentIndex(view);
  showLines();
  showAnswer();
}

void PlanPerspective::choosePlace(int place) {
  const auto found = m_session.planner().answer();
  if (found == nullptr || place < 0) return;
  m_session.chooseConfiguration(&found->answer.configurations[std::size_t(place)]);
}

void PlanPerspective::refresh() {
  const StepPlanner& planner = m_session.planner();
  const TrainingChoice& training = m_session.workspace()->training;
  const bool searches = planner.isRunning() || planner.wasCancelled();
  m_cancel->setText(planner.wasCancelled() ? tr("Search again") : tr("Cancel"));
  m_progress->setVisible(planner.isRunning());
  m_state->setCurrentIndex(searches ? Searching : training.chosen ? Chosen : AtRest);
  const auto problem = planner.problem();
  m_otherFramework->hide();
  m_release->setWanted(planner.hasModel() && problem.has_value());
  showFilter();
  if (!planner.hasModel()) {
    m_empty->say(tr("Choose a model, and every way to train it on this cluster is compared here: degrees, memory, "
                    "placement and step time."),
                 tr("Choose a model"));
  } else if (problem) {
    sayProblem(*problem);
  } else if (planner.wasCancelled()) {
    m_empty->say(tr("The search was cancelled."), tr("Search again"));
  } else {
    m_empty->say(tr("Comparing configurations …"), {});
  }
  const bool shows = planner.hasModel() && planner.answer() != nullptr && !problem;
  m_pages->setCurrentIndex(shows ? 1 : 0);
  m_report->say(InlineMessage::Kind::Note, {});
  enableComparison();
  showAnswer();
}

/// The boxes, which another document clears.
void PlanPerspective::showFilter() {
  const PlanFilter& filter = m_session.planner().filter();
  for (const auto& [box, checked] :
       {std::pair(m_tensorInside, filter.tensorInside), {m_spareTenth, filter.spareTenth}}) {
    const QSignalBlocker blocker(box);
    box->setChecked(checked);
  }
}

void PlanPerspective::showAnswer() {
  if (m_pages->currentIndex() == 0) return;
  const StepPlanner& planner = m_session.planner();
  const auto found = planner.answer();
  const bool stale = !planner.isCurrent();
  const PlannedConfiguration* shown = planner.shown();
  m_finding->setAnswer(*found, {shown, planner.shownRow(), planner.chosenProblem(), stale});
  if (!stale) announce(*this, m_finding->text());
  m_exclusions->setText(exclusionsText(*found) +
                        (found->isComplete ? QString() : tr(" · the first result; the rest is being compared")));
  m_exclusions->setToolTip(rulesText(found->answer));
  showLines();
  if (m_model->found() != found) {
    m_model->setAnswer(found);
    m_table->fit();
    markMine();
  }
  m_model->setStale(stale);
  m_model->setShown(planner.shownRow());
  const int row = found->leavesNone ? -1 : planner.shownRow();
  m_table->showRow(row);
  m_heat->setAnswer(found, planner.filter(), stale);
  m_heat->setShown(shown);
  m_scatter->setAnswer(found);
  m_scatter->setStale(stale);
  m_scatter->setShown(row);
}

bool PlanPerspective::isLow() const { return height() < kLowLines * fontMetrics().lineSpacing(); }
bool PlanPerspective::isLowest() const { return height() < kLowestLines * fontMetrics().lineSpacing(); }

void PlanPerspective::showLines() {
  m_legend->setVisible(m_tabs->currentIndex() == TableView && !isLow());
  m_exclusions->setVisible(!isLow());
  m_state->setVisible(!isLow() || m_state->currentIndex() != AtRest);
  m_finding->setMostLines(isLowest() ? 1 : isLow() ? 2 : 0);
  for (QWidget* button : m_elsewhere) button->setVisible(!isLow());
  m_write->setVisible(!isLow() || width() >= kNarrowCharacters * fontMetrics().averageCharWidth());
  m_write->setToolButtonStyle(isLow() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  m_mine->setLow(isLow());
}

void PlanPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  showLines();
}

void PlanPerspective::showLegend() { m_legend->setText(timePartLegend(m_legend->fontMetrics().ascent())); }

// The swatches are in the colours of the scheme.
void PlanPerspective::changeEvent(QEvent* event) {
  Perspective::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) showLegend();
}

}  // namespace p2::views
