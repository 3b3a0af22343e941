// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/load_bar.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/axes_fit.h"
#include "views/shell/axes_fit_button.h"
#include "views/shell/session.h"
#include "views/shell/summary.h"
#include "views/system/load_legend.h"

namespace p2::views {
namespace {

constexpr int kFirstStep = 2;  // row of the choice

}  // namespace

LoadBar::LoadBar(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_survey(session.jobs(), [](const LoadQuestion& question, const std::stop_token& stop, const Progress& progress) {
        return surveyLoads(question, stop, progress);
      }) {
  makeChoice();
  makeSingle();
  m_legend = new LoadLegend;
  m_legend->hide();
  m_problem = named(new InlineMessage, "loadProblem");
  m_problem->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  m_fit = named(new QPushButton, "loadFit", {}, tr("Let the axes cover all devices of the system"));
  fitAxesBy(*m_fit, session);
  auto* label = new QLabel(tr("Sho&w load of"));
  label->setBuddy(m_choice);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, 0, Theme::kGrid, Theme::kGrid);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(label);
  layout->addWidget(m_choice);
  layout->addWidget(m_single);
  layout->addWidget(m_legend);
  layout->addWidget(m_problem, 1);
  layout->addWidget(m_fit);
  layout->addStretch();
  connect(&session, &Session::explorationChanged, this, &LoadBar::follow);
  connect(&session, &Session::freshnessChanged, this, &LoadBar::follow);
  connect(&session, &Session::selectionChanged, this, &LoadBar::follow);
  connect(&session, &Session::stepChanged, this, &LoadBar::follow);
  connect(&m_survey, &DerivedBase::changed, this, &LoadBar::refresh);
  follow();
}

void LoadBar::makeChoice() {
  m_next = named(new QAction(tr("Show &load of links"), this), "systemLoad");
  m_next->setShortcut(Qt::CTRL | Qt::Key_L);
  m_next->setToolTip(tr("Show how busy the links are in the whole program, in one step, or not at all (%1)")
                         .arg(m_next->shortcut().toString(QKeySequence::NativeText)));
  connect(m_next, &QAction::triggered, this,
          [this] { choose(m_show >= Show::Step ? Show::Nothing : Show(int(m_show) + 1)); });
  m_choice = named(new QComboBox, "loadChoice", tr("Show load of"), m_next->toolTip());
  m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_choice->addItems({tr("nothing"), tr("the program")});
  connect(m_choice, &QComboBox::activated, this, [this](int row) {
    if (row > kFirstStep && row == m_choice->count() - 1) return choose(Show::Single);
    if (row >= kFirstStep) m_session.setStep(StepId(row - kFirstStep));
    choose(row >= kFirstStep ? Show::Step : Show(row));
  });
}

void LoadBar::makeSingle() {
  m_single = named(new QToolButton, "loadSingle");
  m_single->setCheckable(true);
  m_single->setFocusPolicy(Qt::TabFocus);
  m_single->setToolTip(tr("Show the load of the single collective, for comparison with the program"));
  connect(m_single, &QToolButton::clicked, this, [this](bool on) { choose(on ? Show::Single : Show::Program); });
}

void LoadBar::choose(Show show) {
  m_show = show;
  if (m_survey.wasCancelled()) m_survey.withdraw();
  follow();
}

void LoadBar::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  follow();
}

void LoadBar::listSteps() {
  const ProgramResult* chosen = m_session.program();
  QStringList steps;
  for (std::size_t i = 0; chosen != nullptr && i < chosen->program.size(); ++i) {
    steps += tr("step %1: %2").arg(i + 1).arg(stepNotation(*m_session.placement()->hierarchy, chosen->program[i]));
  }
  // Against which the program is held everywhere.
  if (!steps.isEmpty()) steps += tr("one %1").arg(singleName(*m_session.workspace()));
  QStringList listed;
  for (int row = kFirstStep; row < m_choice->count(); ++row) listed += m_choice->itemText(row);
  const QSignalBlocker blocker(m_choice);
  if (listed != steps) {
    while (m_choice->count() > kFirstStep) m_choice->removeItem(kFirstStep);
    m_choice->addItems(steps);
  }
  const int row = m_show == Show::Step     ? kFirstStep + int(m_session.step().value())
                  : m_show == Show::Single ? m_choice->count() - 1
                                           : int(m_show);
  m_choice->setCurrentIndex(std::min(row, m_choice->count() - 1));
  m_single->setVisible(!steps.isEmpty());
  m_single->setChecked(m_show == Show::Single);
  if (!steps.isEmpty()) m_single->setText(m_choice->itemText(m_choice->count() - 1));
}

std::optional<LoadQuestion> LoadBar::question() const {
  if (m_show == Show::Nothing || m_session.program() == nullptr) return std::nullopt;
  LoadQuestion asked{
      m_session.exploration(), std::size_t(m_session.placementIndex()), m_session.program()->program, {}};
  if (m_show == Show::Step) asked.step = m_session.step();
  if (m_show == Show::Single) {
    asked.program = singleProgram(*m_session.placement()->hierarchy, m_session.workspace()->options.goal);
  }
  return asked;
}

void LoadBar::follow() {
  listSteps();
  const auto asked = question();
  if (!asked) {
    m_survey.forget();
    return clear(m_show == Show::Nothing ? QString() : tr("No program yet whose load could be shown."));
  }
  if (m_session.problem()) say({});
  if (isVisible() && m_session.isCurrent()) m_survey.ask(tr("Adding up the load of links"), *asked);
  refresh();
}

void LoadBar::refresh() {
  const auto asked = question();
  if (!asked) return;
  if (!m_session.isCurrent() || m_survey.question() != asked) return showStale();
  if (const auto survey = m_survey.current()) return present(*survey);
  if (const auto& problem = m_survey.problem()) return clear(qs(problem->text()));
  if (m_survey.wasCancelled()) return clear(tr("Stopped; choose it again to compute the load."));
  showStale();
}

void LoadBar::present(const LoadSurvey& survey) {
  say({});
  m_legend->setScale(survey.mostSeconds, false);
  m_legend->show();
  emit loadsChanged(survey.loads);
}

void LoadBar::showStale() {
  const auto survey = m_survey.answer();
  if (!survey || survey->loads.empty()) return;
  m_legend->setScale(survey->mostSeconds, true);
  ShownLoads stale = survey->loads;
  for (auto& [name, load] : stale) {
    load.stale = true;
    load.text += tr(" · out of date");
  }
  emit loadsChanged(stale);
}

void LoadBar::say(const QString& problem) {
  const Workspace& workspace = *m_session.workspace();
  const bool misfit = m_session.problem() && isMisfit(workspace.system, workspace.axes);
  m_problem->showProblem(misfit ? tr("Axes: %1").arg(fitOf(workspace.system, workspace.axes).sentence) : problem);
}

void LoadBar::clear(const QString& problem) {
  say(problem);
  m_legend->hide();
  emit loadsChanged({});
}

}  // namespace p2::views
