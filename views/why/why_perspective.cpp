// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/why_perspective.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

#include "text/text_file.h"
#include "timeline/chrome_trace.h"
#include "training_answer/plan_reduction.h"
#include "views/accuracy/accuracy_mark.h"
#include "views/common/brief_label.h"
#include "views/common/empty_page.h"
#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/common/view_tabs.h"
#include "views/compare/plan_comparison_dialog.h"
#include "views/shell/session.h"
#include "views/shell/training_text.h"
#include "views/timeline/timeline_view.h"
#include "views/why/alternatives_model.h"
#include "views/why/collectives_model.h"
#include "views/why/machine_view.h"
#include "views/why/memory_view.h"
#include "views/why/waterfall_view.h"
#include "views/why/why_words.h"

namespace p2::views {
namespace {

constexpr int kLowLines = 30;  // a page of fewer lines of text gives its figures the room
constexpr int kFindingLines = 2;

enum DetailTab { AlternativesTab, CollectivesTab };

Result<StepStudy> studyOf(const WhyQuestion& question, const std::stop_token& stop) {
  return studyStep(question.answer->question, question.planned, question.answer->answer.reserve, stop);
}

}  // namespace

WhyPerspective::WhyPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_study(session.jobs(), [](const WhyQuestion& question, std::stop_token stop,
                                 const Progress&) { return studyOf(question, stop); }),
      m_others(session.jobs(), [](const WhyQuestion& question, std::stop_token stop, const Progress&) {
        const PlannerAnswer& found = *question.answer;
        return planAlternatives(found.question, found.answer, question.planned, found.filter, stop);
      }) {
  setObjectName(QStringLiteral("whyPerspective"));
  m_empty = new EmptyPage;
  m_pages = new QStackedWidget;
  m_pages->addWidget(m_empty);
  m_pages->addWidget(makeContent());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(m_pages);
  forwardFocus(*this, *m_timeline);
  connectParts();
  m_session.planner().follow(*this);
  refresh();
}

WhyPerspective::~WhyPerspective() = default;

QList<QAction*> WhyPerspective::viewActions() { return m_tabs->tabActions(); }

QWidget* WhyPerspective::mainList() { return m_timeline; }

QWidget* WhyPerspective::makeContent() {
  m_finding = new BriefLabel;
  makeBold(*m_finding);
  m_finding->setObjectName(QStringLiteral("whyFinding"));
  m_about = named(new BriefLabel, "whyAbout");
  m_message = new InlineMessage;
  m_timeline = named(new TimelineView, "whyTimeline");
  auto* head = new QHBoxLayout;
  head->addWidget(m_finding, 1);
  head->addWidget(new AccuracyMark(m_session, AccuracyMark::Of::Step), 0, Qt::AlignTop);
  m_right = splitterOf(Qt::Vertical, {{m_timeline, 3}, {makeDetails(), 2}});
  auto* all = splitterOf(Qt::Horizontal, {{makeWaterfall(), 0}, {m_right, 1}});
  auto* content = new QWidget;
  auto* layout = bareLayout<QVBoxLayout>(content);
  layout->addLayout(head);
  layout->addWidget(m_about);
  layout->addWidget(m_message);
  layout->addWidget(all, 1);
  return content;
}

/// Tables are no drawings.
void WhyPerspective::showDetail(int page) {
  m_details->setCurrentIndex(page);
  m_detailExport->setEnabled(page != AlternativesTab && page != CollectivesTab);
}

void WhyPerspective::connectParts() {
  connect(&m_session, &Session::trainingChanged, this, &WhyPerspective::refresh);
  connect(&m_study, &DerivedBase::changed, this, &WhyPerspective::showStudy);
  connect(m_waterfall, &WaterfallView::chosenChanged, this, &WhyPerspective::chooseBar);
  connect(m_timeline, &TimelineView::followed, this, &WhyPerspective::followSlice);
  connect(m_tabs, &QTabBar::currentChanged, this, &WhyPerspective::showDetail);
  showDetail(m_tabs->currentIndex());
  connect(&m_others, &DerivedBase::changed, this, &WhyPerspective::showOthers);
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    emit perspectiveWanted(m_session.planner().hasModel() ? QString(kPlanPage) : QString(kModelPage));
  });
}

void WhyPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  const bool low = height() < kLowLines * fontMetrics().lineSpacing();
  m_finding->setMostLines(low ? kFindingLines : 0);
  m_about->setMostLines(low ? 1 : 0);
  for (QToolButton* button : {m_timelineExport, m_detailExport}) {
    button->setToolButtonStyle(low ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  }
  m_tabs->setTabText(AlternativesTab, low ? tr("Others") : tr("Why not another?"));
  // The splitter gives the details no less than they need.
  if (low) m_right->setSizes({height(), 0});
}

void WhyPerspective::showEmpty() {
  const StepPlanner& planner = m_session.planner();
  m_pages->setCurrentIndex(0);
  if (!planner.hasModel()) {
    return m_empty->say(tr("Choose a model to see where the time of a training step goes."), tr("Choose a model"));
  }
  if (const auto problem = planner.problem()) return m_empty->say(qs(problem->text()), tr("Go to the plan"));
  m_empty->say(tr("Planning the step…"), {});
}

void WhyPerspective::refresh() {
  const StepPlanner& planner = m_session.planner();
  const PlannedConfiguration* planned = planner.shown();
  if (!planner.hasModel() || planned == nullptr) {
    m_study.withdraw();
    m_others.withdraw();
    return showEmpty();
  }
  m_study.ask(tr("Where the time goes"), {planner.answer(), *planned});
  // The complete listing has most of them.
  if (planner.answer()->isComplete) {
    m_others.ask(tr("Why no other plan"), {planner.answer(), *planned});
  } else {
    m_others.withdraw();
  }
  showOthers();
  showStudy();
}

void WhyPerspective::showStudy() {
  const StepPlanner& planner = m_session.planner();
  const auto study = m_study.answer();
  if (!study || planner.shown() == nullptr) {
    if (const auto& problem = m_study.problem()) {
      m_pages->setCurrentIndex(0);
      return m_empty->say(qs(problem->text()), tr("Go to the plan"));
    }
    return showEmpty();
  }
  m_pages->setCurrentIndex(1);
  const bool stale = !m_study.isCurrent() || !planner.isCurrent();
  if (study != m_shown) {
    m_shown = study;
    m_finding->setText(findingOf(*study, planner.shownRow() == 0));
    m_waterfall->setBars(waterfallOf(study->planned.estimate, study->detail.hidden, study->detail.losses));
    m_timeline->show(std::shared_ptr<const p2::Timeline>(study, &study->timeline));
    m_collectives->setStudy(study);
    const auto answer = m_study.answered()->answer;
    m_about->setText(aboutOf(*study, answer->question.system));
    m_about->setToolTip(explainAxes(study->planned));
    m_machine->setStudy(study, std::shared_ptr<const System>(answer, &answer->question.system));
    m_memory->setCurve(study->memory);
    chooseBar();
  }
  const auto& problem = m_study.problem();
  m_message->showProblem(problem ? qs(problem->text()) : QString());
  m_finding->setEnabled(!stale);
  m_waterfall->setStale(stale);
  m_timeline->setStale(stale);
  m_collectives->setStale(stale);
  m_machine->setStale(stale);
  m_memory->setStale(stale);
}

/// They arrive after the study, and are greyed until they are for the same plan.
void WhyPerspective::showOthers() {
  const auto found = m_others.answer();
  m_alternatives->setStale(!m_others.isCurrent() || !m_session.planner().isCurrent());
  if (found) m_alternatives->setAlternatives(found, m_others.answered()->planned.estimate);
  const auto& problem = m_others.problem();
  m_tabs->setTabToolTip(AlternativesTab, problem ? qs(problem->text()) : m_alternatives->nearestText());
}

void WhyPerspective::openAlternative(int row) {
  const auto answer = m_others.answered() ? m_others.answered()->answer : nullptr;
  const PlanAlternative& other = m_alternatives->at(row);
  if (!answer || other.verdict == PlanAlternative::Verdict::Refused) return;
  const std::vector<NamedConfiguration> both{{tr("this plan").toStdString(), m_others.answered()->planned},
                                             {other.choice, other.planned}};
  auto* dialog = new PlanComparisonDialog(m_session, answer, both, PlanComparisonDialog::placeOfExtra(0),
                                          PlanComparisonDialog::placeOfExtra(1), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void WhyPerspective::chooseBar() {
  const int bar = m_waterfall->chosen();
  const auto axis = bar < 0 ? std::nullopt : m_waterfall->bars()[std::size_t(bar)].axis;
  m_collectives->setAxis(axis);
  if (axis) m_tabs->setCurrentIndex(CollectivesTab);
}

void WhyPerspective::followSlice(std::uint32_t slice) {
  const SliceKind kind = m_shown->timeline.detailOf(m_shown->timeline.slices[slice]).kind;
  const auto& bars = m_waterfall->bars();
  const auto bar = std::find_if(bars.begin(), bars.end(), [&](const WaterfallBar& each) { return each.kind == kind; });
  if (bar == bars.end()) return;
  m_waterfall->choose(int(bar - bars.begin()));
  chooseBar();
}

void WhyPerspective::openCollective(int row) {
  if (!m_shown || row < 0) return;
  const StepCollective& each = m_shown->collectives[m_collectives->collectiveOf(row)];
  auto next = withPlan(*m_session.workspace(), m_study.answered()->answer->question.model, m_shown->planned);
  if (next.ok()) next = withEntry(std::move(*next), each.entry);
  if (!next.ok()) return m_message->showProblem(qs(next.error().text()));
  m_session.edit(tr("Look at %1 of %2").arg(qs(nameOf(each.entry.kind)), qs(each.entry.name)), std::move(*next));
  emit perspectiveWanted(kProgramsPage);
}

void WhyPerspective::exportTrace() {
  if (!m_shown) return;
  const SaveWish wish{QStringLiteral("whyTraceDialog"),
                      tr("Write the timeline as a trace"),
                      {tr("Trace for Perfetto (*.json)")},
                      QStringLiteral("step-trace")};
  askWhereToSave(this, wish, [this](const QString& file) { writeTrace(file); });
}

void WhyPerspective::writeTrace(const QString& file) {
  m_session.jobs().start<std::monostate>(
      tr("Write the trace"), {},
      [study = m_shown, path = file.toStdString()](std::stop_token, const Progress&) -> Result<std::monostate> {
        P2_TRY(writeTextFile(path, chromeTraceText(study->timeline)));
        return std::monostate{};
      },
      [self = QPointer(this), file](Result<std::monostate> done) {
        if (!self) return;
        if (!done.ok()) return self->m_message->showProblem(qs(done.error().text()));
        self->m_message->sayBriefly(InlineMessage::Kind::Good, tr("Written: %1. Open it at ui.perfetto.dev").arg(file));
      });
}

}  // namespace p2::views
