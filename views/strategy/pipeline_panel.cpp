// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

#include "base/numbers.h"
#include "views/common/empty_page.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/strategy/pipeline_export_button.h"
#include "views/strategy/pipeline_timeline.h"
#include "views/strategy/workload_taking.h"

namespace p2::views {

PipelinePanel::PipelinePanel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_stages(new QComboBox),
      m_whole(new QCheckBox(tr("Whole step"))),
      m_button(new QPushButton),
      m_workload(new QToolButton),
      m_export(new PipelineExportButton(session)),
      m_words(new QLabel),
      m_unmodelledSwitch(new QToolButton),
      m_unmodelled(new QLabel),
      m_content(new QStackedWidget),
      m_empty(new EmptyPage),
      m_timeline(new PipelineTimeline),
      m_table(new QTableView),
      m_message(new InlineMessage),
      m_pipeline(session.jobs(), [](const PipelineQuestion& question, const std::stop_token& stop,
                                    const Progress& progress) { return findPipeline(question, stop, progress); }),
      m_baselines(session.jobs(),
                  [](const PipelineQuestion& question, const std::stop_token& stop, const Progress& progress) {
                    return pipelineBaselinesOf(question, stop, progress);
                  }) {
  makeWidgets();
  connect(m_button, &QPushButton::clicked, this, &PipelinePanel::toggle);
  connect(m_stages, &QComboBox::currentIndexChanged, this, [this] {
    Workspace next = *m_session.workspace();
    next.strategy.stages = m_stages->currentData().toLongLong();
    m_session.edit(tr("Choose stages: %1").arg(m_stages->currentText()), std::move(next));
  });
  connect(m_whole, &QCheckBox::toggled, m_timeline, &PipelineTimeline::setWhole);
  connect(&session, &Session::workspaceChanged, this, &PipelinePanel::refreshNumbers);
  connect(&m_pipeline, &DerivedBase::changed, this, &PipelinePanel::refresh);
  connect(&m_baselines, &DerivedBase::changed, this, &PipelinePanel::refresh);
  connect(m_workload, &QToolButton::clicked, this, &PipelinePanel::useAsWorkload);
  connect(m_export, &PipelineExportButton::written, this, [this](const QString& problem, const QString& path) {
    m_message->say(problem.isEmpty() ? InlineMessage::Kind::Good : InlineMessage::Kind::Problem,
                   problem.isEmpty() ? tr("written to %1").arg(path) : problem);
  });
  refreshNumbers();
}

// The table goes before its model, whose end would look like a change of selection.
PipelinePanel::~PipelinePanel() { delete m_table; }

void PipelinePanel::makeWidgets() {
  named(m_stages, "strategyStages", tr("Stages of the pipeline"),
        tr("Number of stages that the graph is cut into, all with equally many devices; auto finds the best number"));
  named(m_whole, "strategyWholeStep", {},
        tr("Fit the whole step into the width, even if its microbatches become narrow"));
  named(m_button, "strategyStagesButton", tr("Find the pipeline"));
  m_workload->setObjectName(QStringLiteral("strategyStagesWorkload"));
  m_workload->setText(tr("Workload"));
  m_workload->setIcon(Theme::icon(QStringLiteral("workload")));
  m_workload->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_workload->setFocusPolicy(Qt::TabFocus);
  m_workload->setAccessibleName(tr("Use the pipeline as workload"));
  m_workload->setToolTip(
      tr("Workload: rank placements by the communication of this pipeline's slowest stage in a step; the document "
         "gets its axes"));
  m_message->setObjectName(QStringLiteral("strategyStagesMessage"));
  m_table->setModel(&m_model);
  TableSetup setup;
  setup.name = QStringLiteral("strategyStagesTable");
  setup.accessible = tr("The stages of the pipeline");
  setup.toolTip = tr("What every stage computes, sends and holds; the bold one bounds the step");
  setup.fitted = true;
  setUpTable(*m_table, setup);
  auto* row = new QHBoxLayout;
  auto* label = new QLabel(tr("Pipeline stages"));
  label->setBuddy(m_stages);
  row->addWidget(label);
  row->addWidget(m_stages);
  row->addWidget(m_button);
  row->addWidget(m_workload);
  row->addWidget(m_export);
  row->addStretch(1);
  row->addWidget(m_whole);
  connect(m_empty, &EmptyPage::clicked, this, &PipelinePanel::leaveEmptyPage);
  m_content->addWidget(m_empty);
  m_content->addWidget(makeContent());
  QVBoxLayout* layout = panelLayout(this);
  layout->addLayout(row);
  layout->addWidget(m_message);
  layout->addWidget(m_content, 1);
}

QWidget* PipelinePanel::makeContent() {
  auto* split = splitterOf(Qt::Vertical, {{m_timeline}, {m_table}}, "strategyStagesSplitter");
  auto* content = new QWidget;
  auto* layout = bareLayout<QVBoxLayout>(content, Theme::kGrid);
  layout->addWidget(makeWords());
  layout->addWidget(m_unmodelled);
  layout->addWidget(split, 1);
  return content;
}

QWidget* PipelinePanel::makeWords() {
  wrapped(named(m_words, "strategyStagesWords"));
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_unmodelledSwitch->setObjectName(QStringLiteral("strategyStagesUnmodelledSwitch"));
  m_unmodelledSwitch->setText(tr("Not modelled"));
  m_unmodelledSwitch->setToolTip(tr("Show or hide the effects that the price of the pipeline does not model"));
  m_unmodelledSwitch->setCheckable(true);
  m_unmodelledSwitch->setAutoRaise(true);
  m_unmodelledSwitch->setFocusPolicy(Qt::TabFocus);
  wrapped(named(m_unmodelled, "strategyStagesUnmodelled"));
  m_unmodelled->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_unmodelled->hide();
  connect(m_unmodelledSwitch, &QToolButton::toggled, m_unmodelled, &QWidget::setVisible);
  auto* line = new QWidget;
  auto* layout = bareLayout<QHBoxLayout>(line);
  layout->addWidget(m_words, 1);
  layout->addWidget(m_unmodelledSwitch, 0, Qt::AlignTop);
  return line;
}

PipelineQuestion PipelinePanel::question() const {
  PipelineQuestion question{questionOf(*m_session.workspace()), std::nullopt};
  // Pins hold on a mesh of all devices.
  question.strategy.pins.clear();
  if (const std::int64_t stages = m_session.workspace()->strategy.stages; stages > 0) question.stages = stages;
  return question;
}

/// The numbers that divide the devices, and the one that is chosen even where it does not.
void PipelinePanel::refreshNumbers() {
  const std::int64_t chosen = m_session.workspace()->strategy.stages;
  {
    const QSignalBlocker blocker(m_stages);
    m_stages->clear();
    m_stages->addItem(tr("auto"), qlonglong(0));
    for (const std::int64_t stages : divisorsOf(m_session.workspace()->system.deviceCount())) {
      m_stages->addItem(QString::number(stages), qlonglong(stages));
    }
    if (m_stages->findData(qlonglong(chosen)) < 0) m_stages->addItem(QString::number(chosen), qlonglong(chosen));
    m_stages->setCurrentIndex(m_stages->findData(qlonglong(chosen)));
  }
  refresh();
}

void PipelinePanel::toggle() {
  if (m_pipeline.isRunning()) return m_pipeline.cancel();
  m_pipeline.askAgain(tr("Finding the best pipeline"), question());
}

void PipelinePanel::refresh() {
  const PipelineQuestion asked = question();
  const bool placed = asked.strategy.options.model == StrategyCostModel::Hierarchical;
  const bool current = m_pipeline.isCurrent() && m_pipeline.question() == asked;
  m_button->setEnabled(placed || m_pipeline.isRunning());
  m_button->setText(m_pipeline.isRunning() ? tr("Stop") : tr("Find"));
  m_button->setToolTip(m_pipeline.isRunning() ? tr("Stop looking for the best pipeline")
                                              : tr("Find the best cuts, devices and strategies of the stages"));
  if (!placed && m_shown) {
    m_message->say(InlineMessage::Kind::Note,
                   tr("Stages need the devices of the system: choose the model hierarchical on the left."));
  } else if (m_pipeline.problem() && m_pipeline.question() == asked) {
    m_message->showProblem(qs(m_pipeline.problem()->text()));
  } else {
    m_message->showProblem({});
  }
  // Stages of another graph have no place next to this one's strategy, not even greyed.
  if (current) m_graph = asked.strategy.graph;
  const auto found = m_graph == asked.strategy.graph ? m_pipeline.answer() : nullptr;
  if (std::exchange(m_shown, found) != found) {
    m_model.show(m_shown);
    m_timeline->show(m_shown);
    m_words->setText(m_shown ? pipelineWords(*m_shown).join(' ') : QString());
    m_unmodelled->setText(m_shown ? unmodelledEffectsText(*m_shown).join(' ') : QString());
  }
  refreshEmptyPage(placed);
  m_workload->setEnabled(current);
  m_export->setPipeline(current ? m_shown : nullptr);
  refreshComparison(current);
  m_words->setEnabled(current);
  m_model.setStale(!current);
  m_timeline->setStale(!current);
  std::vector<std::size_t> stages;
  // Both have one graph: operators have equal numbers.
  if (current && m_shown->pipeline.setting.stages > 1) stages = m_shown->stagesOfOperators();
  if (m_reported != stages) {
    m_reported = std::move(stages);
    emit stagesChanged(m_reported);
  }
}

void PipelinePanel::refreshEmptyPage(bool placed) {
  m_content->setCurrentIndex(m_shown ? 1 : 0);
  if (m_pipeline.isRunning()) {
    m_empty->say(tr("The best pipeline appears here as soon as it is found."), {});
  } else if (!placed) {
    m_empty->say(tr("Stages of a pipeline are placed on devices of the system, which the flat model ignores."),
                 tr("Use the hierarchical model"));
  } else {
    m_empty->say(tr("A pipeline cuts the graph into stages, each on devices of its own. Its cuts, the strategy of each "
                    "stage and the timeline of a step appear here."),
                 tr("Find the best pipeline"));
  }
}

void PipelinePanel::leaveEmptyPage() {
  Workspace next = *m_session.workspace();
  if (next.strategy.options.model == StrategyCostModel::Hierarchical) return toggle();
  next.strategy.options.model = StrategyCostModel::Hierarchical;
  m_session.edit(tr("Choose model %1").arg(tr("hierarchical")), std::move(next));
}

/// What people choose is priced once there is a pipeline to be measured against it.
void PipelinePanel::refreshComparison(bool current) {
  if (current) {
    m_baselines.ask(tr("Pricing common pipelines"), *m_pipeline.question());
  } else {
    m_baselines.forget();
  }
  static const std::vector<StrategyBaseline> kNone;
  const auto baselines = m_baselines.current();
  std::vector<ComparisonBars::Bar> bars;
  if (current) bars = pipelineBars(*m_pipeline.answer(), baselines ? *baselines : kNone);
  if (m_bars == bars) return;
  m_bars = std::move(bars);
  emit comparisonChanged();
}

void PipelinePanel::useAsWorkload() {
  const auto answer = m_pipeline.current();
  if (!answer) return;
  m_session.jobs().start<WorkloadSource>(
      tr("The workload of the pipeline"), QStringLiteral("strategy-workload"),
      [answer](const std::stop_token&, const Progress&) { return workloadOf(*answer); },
      [self = QPointer(this), answer](const Result<WorkloadSource>& source) {
        // The pipeline has changed since: the answer is dropped.
        if (!self || self->m_pipeline.current() != answer) return;
        sayTaken(self->m_session, *self->m_message,
                 takeWorkload(self->m_session, tr("Use the pipeline as workload"), source));
      });
}

}  // namespace p2::views
