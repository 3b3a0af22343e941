// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/start_perspective.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <array>

#include "base/sentence.h"
#include "explore/comparison.h"
#include "views/accuracy/accuracy_mark.h"
#include "views/common/accessible_items.h"
#include "views/common/link_label.h"
#include "views/common/panel.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/placement/step_guard.h"
#include "views/shell/pages.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/shell/summary.h"
#include "views/shell/training_text.h"
#include "views/start/door_button.h"
#include "views/start/finding.h"

namespace p2::views {
namespace {

constexpr double kFindingScale = 1.4;  // scale of the finding's text
constexpr int kMostWidth = 1180;

struct Step {
  const char* name;
  const char* title;
  const char* button;
  const char* toolTip;
  QLatin1String page;  // empty for the export
};

constexpr Step kSteps[] = {
    {"startSystem", QT_TRANSLATE_NOOP("StartPerspective", "1  Cluster"),
     QT_TRANSLATE_NOOP("StartPerspective", "Choose a cl&uster"),
     QT_TRANSLATE_NOOP("StartPerspective", "Choose a preset, import a machine, or draw one"), kSystemPage},
    {"startModel", QT_TRANSLATE_NOOP("StartPerspective", "2  Model"),
     QT_TRANSLATE_NOOP("StartPerspective", "Choose a &model"),
     QT_TRANSLATE_NOOP("StartPerspective", "Choose the model, the batch and the framework"), kModelPage},
    {"startPlan", QT_TRANSLATE_NOOP("StartPerspective", "3  Plan"),
     QT_TRANSLATE_NOOP("StartPerspective", "Compare &plans"),
     QT_TRANSLATE_NOOP("StartPerspective", "Compare every way to train the model on the cluster"), kPlanPage},
    {"startFlags", QT_TRANSLATE_NOOP("StartPerspective", "4  Use"),
     QT_TRANSLATE_NOOP("StartPerspective", "Get the fla&gs"),
     QT_TRANSLATE_NOOP("StartPerspective", "Launch flags and host files of the chosen configuration"), kUsePage},
    {"startAxes", QT_TRANSLATE_NOOP("StartPerspective", "Axes"), QT_TRANSLATE_NOOP("StartPerspective", "&Set the axes"),
     QT_TRANSLATE_NOOP("StartPerspective", "Divide the devices into axes, and choose the axes to reduce over"),
     kPlacementsPage},
    {"startCompare", QT_TRANSLATE_NOOP("StartPerspective", "Placements and programs"),
     QT_TRANSLATE_NOOP("StartPerspective", "&Compare"),
     QT_TRANSLATE_NOOP("StartPerspective", "Compare placements and programs"), kCostsPage},
    {"startUse", QT_TRANSLATE_NOOP("StartPerspective", "Export"), QT_TRANSLATE_NOOP("StartPerspective", "Expor&t…"),
     QT_TRANSLATE_NOOP("StartPerspective", "Export the plan as a device mesh, a rankfile or a program"),
     QLatin1String()}};
constexpr std::size_t kWaySteps = 4;  // the steps to a training job; the others are about one reduction

/// "The best plan for llama3-8b on 2 nodes × 8 H100 is tp 2 · dp 8: 1.20 s (1.0–1.4) per step, 46 % MFU. Open the
/// plan".
QString planFinding(const Workspace& workspace, const StepPlanner& planner) {
  const auto tr = [](const char* text) { return StartPerspective::tr(text); };
  const QString subject =
      tr("%1 on %2").arg(qs(workspace.training.model), qs(describe(workspace.system))).toHtmlEscaped();
  const PlannedConfiguration* shown = planner.shown();
  if (shown == nullptr) return tr("Comparing plans for %1 …").arg(subject);
  const QString plan = workspace.training.chosen ? tr("The chosen plan for %1 is %2: %3 per step, %4 MFU.")
                                                 : tr("The best plan for %1 is %2: %3 per step, %4 MFU.");
  const QString stale = planner.isCurrent() ? QString() : tr(" It is out of date: comparing plans …");
  return plan.arg(subject, degreesText(shown->configuration).toHtmlEscaped(),
                  intervalText(shown->estimate).toHtmlEscaped(), shareText(shown->estimate.mfu)) +
         stale + tr(" <a href=\"%1\">Open the plan</a>").arg(QString(kPlanPage));
}

}  // namespace

StartPerspective::StartPerspective(Session& session, ExampleGallery::Sketch sketch, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_gain(session.jobs(), [](const std::shared_ptr<const Exploration>& exploration, std::stop_token stop,
                                const Progress&) { return gainPartsWithBytes(*exploration, std::move(stop)); }) {
  setObjectName(QStringLiteral("startPerspective"));
  m_finding = named(new QLabel, "finding");
  m_finding->setTextFormat(Qt::PlainText);
  m_finding->setWordWrap(true);
  m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_plan = named(new LinkLabel, "startPlanFinding");
  m_plan->setTextFormat(Qt::RichText);
  m_plan->setWordWrap(true);
  m_plan->setTextInteractionFlags(Qt::TextBrowserInteraction);
  m_plan->hide();
  connect(m_plan, &QLabel::linkActivated, this, &StartPerspective::perspectiveWanted);
  m_guard = named(new StepGuard(session), "startStepGuard");
  connect(m_guard, &StepGuard::workloadWanted, this, [this] { emit perspectiveWanted(kWorkloadPage); });
  connect(m_guard, &StepGuard::placementWanted, this, [this](int row) {
    m_session.select(row);
    emit perspectiveWanted(kPlacementsPage);
  });
  auto* gallery = new ExampleGallery(std::move(sketch));
  connect(gallery, &ExampleGallery::wanted, this, &StartPerspective::exampleWanted);
  m_paper = new LinkLabel;
  m_paper->setText(
      tr("Read the paper: <a href=\"https://arxiv.org/abs/2110.10548\">Synthesizing Optimal Parallelism "
         "Placement and Reduction Strategies on Hierarchical Systems for Deep Learning</a> (Xie et al., 2021)."));
  m_paper->setObjectName(QStringLiteral("paperLink"));
  m_paper->setOpenExternalLinks(true);
  m_paper->setAccessibleName(tr("Link to the paper"));
  auto* page = new QWidget;
  page->setMaximumWidth(kMostWidth);
  QVBoxLayout* column = panelLayout(page);
  column->setContentsMargins(3 * Theme::kGrid, 3 * Theme::kGrid, 3 * Theme::kGrid, 2 * Theme::kGrid);
  column->setSpacing(2 * Theme::kGrid);
  column->addWidget(makePurpose());
  column->addWidget(makeDoors());
  m_stepMark = new AccuracyMark(session, AccuracyMark::Of::Step);
  m_programMark = new AccuracyMark(session, AccuracyMark::Of::Program);
  for (QBoxLayout** each : {&m_findings, &m_reductionFindings}) {
    *each = panelLayout(new QWidget);
    (*each)->setContentsMargins({});
  }
  m_findings->addWidget(m_plan);
  m_findings->addWidget(m_stepMark, 0, Qt::AlignLeft);
  m_subject = panelTitle({});
  wrapped(named(m_subject, "startSubject"));
  column->addWidget(m_subject);
  column->addWidget(m_findings->parentWidget());
  column->addWidget(panelTitle(tr("How should a model be trained here?")));
  column->addWidget(makeSteps(0, kWaySteps));
  column->addWidget(panelTitle(tr("How should one reduction run?")));
  column->addWidget(m_reductionFindings->parentWidget());
  column->addWidget(makeSteps(kWaySteps, std::size(kSteps)));
  column->addWidget(panelTitle(tr("Examples")));
  column->addWidget(gallery);
  column->addWidget(m_paper);
  column->addStretch(1);
  m_scroll = named(new QScrollArea, "startScroll", tr("Start"));
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setWidget(page);
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(m_scroll);
  connect(&session, &Session::workspaceChanged, this, &StartPerspective::refresh);
  connect(&session, &Session::explorationChanged, this, &StartPerspective::refresh);
  connect(&session, &Session::freshnessChanged, this, &StartPerspective::refresh);
  connect(&session, &Session::selectionChanged, this, &StartPerspective::refresh);
  connect(&session, &Session::trainingChanged, this, &StartPerspective::refresh);
  session.planner().follow(*this);
  connect(&m_gain, &DerivedBase::changed, this, &StartPerspective::refresh);
  refresh();
}

QWidget* StartPerspective::makePurpose() {
  m_purpose = named(new QLabel(tr("P² Explorer finds the fastest way to spread a large model over a machine, and shows "
                                  "why it is the fastest.")),
                    "startPurpose");
  m_purpose->setWordWrap(true);
  return m_purpose;
}

QWidget* StartPerspective::makeDoors() {
  auto* doors = new QWidget;
  auto* row = bareLayout<QHBoxLayout>(doors, 2 * Theme::kGrid);
  const auto add = [&](const char* name, const char* icon, const QString& heading, const QString& sentence) {
    auto* door = new DoorButton(QLatin1String(icon), heading, sentence);
    door->setObjectName(QLatin1String(name));
    row->addWidget(door, 1);
    return door;
  };
  connect(add("doorLearn", "lesson", tr("&Learn"),
              tr("Lesson 1, three minutes: how to read the picture of what each device holds. No typing.")),
          &QPushButton::clicked, this, [this] { emit partWanted(kLessonsPage, kFirstLesson); });
  m_race = add("doorRace", "play", tr("&Watch the race"), {});
  connect(m_race, &QPushButton::clicked, this, [this] { emit partWanted(kProgramsPage, kRace); });
  connect(add("doorDecide", "plan", tr("&Decide"),
              tr("Choose a machine and a model; the plan, its reasons and its launch flags follow.")),
          &QPushButton::clicked, this,
          [this] { emit perspectiveWanted(m_session.planner().hasModel() ? kPlanPage : kSystemPage); });
  return doors;
}

void StartPerspective::tellRace() {
  const auto exploration = m_session.isCurrent() ? m_session.exploration() : nullptr;
  const QString single = tr("one %1").arg(singleName(*m_session.workspace()));
  if (!exploration || exploration->placements.empty()) {
    return m_race->setSentence(tr("The best program against %1, in true time.").arg(single));
  }
  const PlacementResult& best = exploration->placements[std::size_t(exploration->bestPlacement)];
  const Goal& goal = m_session.workspace()->options.goal;
  const Program rival = defaultRival(best, goal, best.programs.empty() ? Program() : best.programs.front().program);
  const auto name = [&](const Program& program) {
    return program == singleProgram(*best.hierarchy, goal) ? single : shortProgramNotation(*best.hierarchy, program);
  };
  const QString first = best.programs.empty() ? tr("the best program") : name(best.programs.front().program);
  m_race->setSentence(qs(sentenceOf(tr("%1 against %2 on %3, in true time.")
                                        .arg(first, name(rival), qs(describe(m_session.workspace()->system)))
                                        .toStdString())));
}

QWidget* StartPerspective::makeSteps(std::size_t first, std::size_t end) {
  auto* steps = new QWidget;
  auto* row = bareLayout<QHBoxLayout>(steps, 2 * Theme::kGrid);
  for (std::size_t i = first; i < end; ++i) {
    const Step& step = kSteps[i];
    auto* fact = new QLabel;
    fact->setObjectName(QLatin1String(step.name) + QStringLiteral("Fact"));
    fact->setTextFormat(Qt::PlainText);
    fact->setWordWrap(true);
    fact->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_facts.push_back(fact);
    auto* button = new QPushButton(tr(step.button));
    button->setObjectName(QLatin1String(step.name));
    button->setToolTip(tr(step.toolTip));
    m_buttons.push_back(button);
    connect(button, &QPushButton::clicked, this, [this, page = QString(step.page)] {
      if (page.isEmpty()) {
        emit exportWanted();
      } else {
        emit perspectiveWanted(page);
      }
    });
    auto* column = new QVBoxLayout;
    column->setSpacing(Theme::kGrid);
    column->addWidget(new QLabel(tr(step.title)));
    column->addWidget(fact, 1);
    column->addWidget(button, 0, Qt::AlignLeft);
    row->addLayout(column, 1);
  }
  return steps;
}

void StartPerspective::leadWith(QLabel& first) {
  if (m_lead == &first) return;
  m_lead = &first;
  // One best at the top: with a plan, the others are about one reduction, and stand with its steps.
  QBoxLayout* const others = m_lead == m_plan ? m_reductionFindings : m_findings;
  QLabel* const guard = m_guard;
  for (QLabel* each : m_lead == m_finding ? std::array{m_finding, guard} : std::array{guard, m_finding}) {
    others->addWidget(each);
  }
  others->addWidget(m_programMark, 0, Qt::AlignLeft);
  m_reductionFindings->parentWidget()->setVisible(m_lead == m_plan);
  enlargeFinding();
}

void StartPerspective::enlargeFinding() {
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * kFindingScale);
  for (QLabel* label : {m_plan, m_finding, static_cast<QLabel*>(m_guard)})
    label->setFont(label == m_lead ? large : QFont());
  m_purpose->setFont(large);
}

void StartPerspective::showEvent(QShowEvent* event) {
  Perspective::showEvent(event);
  m_guard->setSeen(true);
  refresh();
}

void StartPerspective::hideEvent(QHideEvent* event) {
  m_guard->setSeen(false);
  Perspective::hideEvent(event);
}

bool StartPerspective::event(QEvent* event) {
  const bool handled = Perspective::event(event);
  // The label itself comes after its parents, and takes the font of the style sheet then.
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    QMetaObject::invokeMethod(this, &StartPerspective::enlargeFinding, Qt::QueuedConnection);
  }
  return handled;
}

void StartPerspective::refresh() {
  const auto workspace = m_session.workspace();
  const auto exploration = m_session.exploration();
  const bool current = m_session.isCurrent() && exploration != nullptr;
  const auto problem = m_session.problem();
  const bool ofSteps = workspace->workload.has_value();
  refreshPlan();
  m_guard->setPlanLeads(!m_plan->isHidden());
  leadWith(!m_plan->isHidden() ? *m_plan : ofSteps ? static_cast<QLabel&>(*m_guard) : *m_finding);
  // A newcomer has chosen neither the machine nor the reduction of the example that is open.
  m_subject->setText(
      tr("The open document: %1 over %2 on %3")
          .arg(qs(singleNameOf(*workspace)), reducedAxesText(workspace->axes), qs(describe(workspace->system))));
  m_subject->setVisible(m_lead == m_finding && !problem);
  const QString stated = problem   ? tr("Nothing to compare yet: %1").arg(qs(problem->text()))
                         : current ? finding(ofSteps)
                                   : QString();
  m_finding->setText(stated.isEmpty() ? tr("Looking for the best placement and program …") : stated);
  announce(*m_scroll, stated);
  tellRace();
  const Summary summary = summaryOf(*workspace, current ? exploration.get() : nullptr);
  tellFact(0, qs(describe(workspace->system)));
  tellFact(4, axesText(workspace->axes));
  tellFact(5, current ? summary.answer : QString());
  const ProgramResult* program = current ? m_session.program() : nullptr;
  tellFact(6, program ? tr("%1, as a plan, device mesh or rankfile").arg(programText(*m_session.placement(), *program))
                      : QString());
}

void StartPerspective::refreshPlan() {
  const TrainingChoice& training = m_session.workspace()->training;
  const StepPlanner& planner = m_session.planner();
  const PlannedConfiguration* shown = planner.hasModel() && !planner.problem() ? planner.shown() : nullptr;
  // The line is there before its figures are, so that nothing moves when they arrive.
  const bool plans = planner.hasModel() && !planner.problem();
  m_plan->setVisible(plans);
  m_stepMark->setVisible(plans);
  if (plans) m_plan->setText(planFinding(*m_session.workspace(), planner));
  tellFact(1, planner.hasModel()
                  ? tr("%1, %2 × %3 tokens").arg(qs(training.model)).arg(training.batch).arg(training.sequence)
                  : QString());
  tellFact(2, shown != nullptr ? intervalText(shown->estimate) : QString());
  tellFact(3, shown != nullptr ? tr("%1 for %2").arg(degreesText(shown->configuration), qs(shown->framework->label))
                               : QString());
}

QString StartPerspective::finding(bool alone) {
  const auto exploration = m_session.exploration();
  if (exploration->placements.empty()) return {};
  if (isVisible()) m_gain.ask(tr("Counting the bytes through the ports"), exploration);
  const bool counted = m_gain.current() && m_gain.answered() == exploration;
  return findingOf(*exploration, counted ? *m_gain.answer() : gainParts(*exploration), alone);
}

void StartPerspective::tellFact(std::size_t index, const QString& fact) {
  m_facts[index]->setText(fact.isEmpty() ? QStringLiteral("–") : fact);
  const QString what = m_buttons[index]->toolTip();
  m_buttons[index]->setAccessibleDescription(fact.isEmpty() ? what : tr("%1. %2").arg(fact, what));
}

}  // namespace p2::views
