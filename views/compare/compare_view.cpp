// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/compare_view.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>

#include "base/units.h"
#include "cost/cost_model.h"
#include "views/common/panel.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/compare/port_bars.h"
#include "views/compare/race_lanes.h"
#include "views/present/shown_run.h"
#include "views/stage/stage_legend.h"
#include "views/stage/stage_view.h"

namespace p2::views {
namespace {

constexpr std::array kNames{"A", "B"};
constexpr int kNarrow = 600;  // from this width on the sides are next to each other

const ComparedRun& sideOf(const ComparedRuns& runs, std::size_t side) { return side == 0 ? runs.a : runs.b; }

RaceLanes::Lane laneOf(const Replay& replay, const QString& name) {
  RaceLanes::Lane lane{name, {}, runnerOf(replay).seconds, replay.complete};
  for (const Instruction& step : replay.program) {
    const auto brief = traitsOf(step.collective).shortName;
    lane.steps << qs(brief);
  }
  return lane;
}

QToolButton* clockButton(const char* name, const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(tip);
  button->setCheckable(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

CompareView::CompareView(QWidget* parent)
    : QWidget(parent),
      m_verdict(new QLabel),
      m_measured(new QLabel),
      m_bySteps(clockButton("clockSteps", tr("By &step"), tr("Both play the same number of steps (Alt+S)"))),
      m_byTime(clockButton("clockTime", tr("True ti&me"),
                           tr("Both play in real proportion; the faster one waits at the end (Alt+M)"))),
      m_lanes(new RaceLanes),
      m_legend(new StageLegend),
      m_pair(new QGridLayout) {
  wrapped(named(m_verdict, "compareVerdict"));
  m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
  wrapped(named(m_measured, "compareMeasured"));
  m_measured->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_measured->setToolTip(tr("The newest runs of both programs among the kept runs (page Runs)"));
  m_measured->hide();
  m_lanes->setObjectName("raceLanes");
  m_pair->setContentsMargins(0, 0, 0, 0);
  m_pair->setHorizontalSpacing(Theme::kGrid);
  m_pair->setVerticalSpacing(Theme::kGrid / 2);
  for (std::size_t side = 0; side < 2; ++side) m_sides[side] = makeSide(side);
  placeSides();
  connect(m_sides[0].stage, &StageView::detailChanged, m_legend,
          [this] { m_legend->setGlyphs(m_sides[0].stage->drawsGlyphs()); });
  m_sides[0].stage->follow(*m_sides[1].stage);
  m_sides[1].stage->follow(*m_sides[0].stage);
  makeClocks();
  auto* top = new QHBoxLayout;
  top->setSpacing(Theme::kGrid);
  top->addWidget(m_verdict, 1);
  top->addWidget(m_bySteps);
  top->addWidget(m_byTime);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  layout->addLayout(top);
  layout->addWidget(m_measured);
  layout->addWidget(m_lanes);
  layout->addLayout(m_pair, 1);
  layout->addWidget(m_legend);
}

CompareView::Side CompareView::makeSide(std::size_t side) {
  const QString name = kNames[side];
  Side made{new QWidget, new QLabel, new QComboBox, new QLabel, new StageView, new PortBars};
  made.title->setObjectName("compareTitle" + name);
  made.title->setTextFormat(Qt::RichText);
  made.title->setWordWrap(true);
  // Room for two lines on both sides, so that a long name leaves the stages level.
  made.title->setMinimumHeight(2 * made.title->fontMetrics().lineSpacing() + 2);
  made.algorithm->setObjectName("compareAlgorithm" + name);
  made.algorithm->setAccessibleName(tr("Algorithm of %1").arg(name));
  made.algorithm->setToolTip(tr("How %1 moves its bytes: the document's algorithm, or another one").arg(name));
  made.algorithm->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  made.algorithm->setMinimumContentsLength(4);  // "ring"; more where there is room
  made.algorithm->hide();
  connect(made.algorithm, &QComboBox::activated, this, &CompareView::algorithmChosen);
  made.state->setObjectName("compareState" + name);
  made.state->setForegroundRole(QPalette::PlaceholderText);
  made.stage->setObjectName("stage" + name);
  made.stage->setAccessibleName(tr("%1: devices and their chunks").arg(name));
  made.stage->setStripShown(false);
  made.ports->setObjectName("ports" + name);
  auto* head = new QHBoxLayout(made.head);
  head->setContentsMargins(0, 0, 0, 0);
  head->setSpacing(Theme::kGrid);
  head->addWidget(made.title, 1);
  head->addWidget(made.algorithm, 0, Qt::AlignTop);
  head->addWidget(made.state);
  return made;
}

void CompareView::makeClocks() {
  auto* group = new QButtonGroup(this);
  group->addButton(m_bySteps);
  group->addButton(m_byTime);
  m_bySteps->setChecked(true);
  connect(m_byTime, &QToolButton::toggled, this,
          [this](bool on) { setClock(on ? Race::Clock::TrueTime : Race::Clock::Steps); });
}

void CompareView::setRuns(std::shared_ptr<const ComparedRuns> runs) {
  m_runs = std::move(runs);
  const auto [a, b] = portRows(m_runs->a.replay->system, m_runs->a.ports, m_runs->b.ports);
  // One placement for both needs no name.
  const bool placed = m_runs->a.replay->placement.matrix() != m_runs->b.replay->placement.matrix();
  const bool byAlgorithm = m_runs->a.replay->cost.algorithm != m_runs->b.replay->cost.algorithm;
  for (std::size_t side = 0; side < 2; ++side) {
    const Replay& replay = *sideOf(*m_runs, side).replay;
    QString title = placed ? runTitle(replay) : timedTitle(replay);
    if (byAlgorithm) title += tr(", %1").arg(qs(nameOf(replay.cost.algorithm)));
    m_sides[side].title->setText(QStringLiteral("<b>%1</b>&nbsp; %2").arg(kNames[side], title.toHtmlEscaped()));
    m_sides[side].title->setToolTip(programNotation(*replay.hierarchy, replay.program));
    m_sides[side].stage->setReplay(sideOf(*m_runs, side).replay);
    m_sides[side].ports->setRows(side == 0 ? a : b);
  }
  m_legend->setReplay(m_runs->a.replay.get());
  m_lanes->setLanes(laneOf(*m_runs->a.replay, kNames[0]), laneOf(*m_runs->b.replay, kNames[1]));
  m_verdict->setText(qs(comparisonText(m_runs->a.replay->system, contestantOf(m_runs->a, kNames[0]),
                                       contestantOf(m_runs->b, kNames[1]), m_runs->a.replay->cost.repeat)));
  setClock(m_race.clock());
}

void CompareView::offerAlgorithms(const std::string& model, Algorithm documents) {
  const auto known = costModelFrom(model);
  if (!known.ok()) return;
  for (const Side& side : m_sides) {
    const QVariant chosen = side.algorithm->currentData();
    side.algorithm->clear();
    side.algorithm->addItem(tr("%1, as it is").arg(qs(nameOf(documents))));
    for (const Algorithm each : algorithmsOf(**known)) {
      if (each != documents) side.algorithm->addItem(qs(nameOf(each)), int(each));
    }
    side.algorithm->show();
    side.algorithm->setCurrentIndex(chosen.isValid() ? std::max(0, side.algorithm->findData(chosen)) : 0);
  }
}

std::optional<Algorithm> CompareView::algorithmOf(std::size_t side) const {
  const QVariant chosen = m_sides[side].algorithm->currentData();
  return chosen.isValid() ? std::optional(Algorithm(chosen.toInt())) : std::nullopt;
}

void CompareView::setMeasured(const QString& sentence) {
  m_measured->setText(sentence);
  m_measured->setVisible(!sentence.isEmpty());
}

void CompareView::setClock(Race::Clock clock) {
  m_race = m_runs ? Race(runnerOf(*m_runs->a.replay), runnerOf(*m_runs->b.replay), clock) : Race({}, {}, clock);
  (clock == Race::Clock::TrueTime ? m_byTime : m_bySteps)->setChecked(true);
  setPosition(0);
  emit clockChanged();
}

void CompareView::setPosition(double position) {
  m_position = position;
  if (!m_runs) return;
  for (std::size_t side = 0; side < 2; ++side) showPlace(side);
  m_lanes->setSeconds(m_race.secondsOf(0, position), m_race.secondsOf(1, position));
}

void CompareView::showPlace(std::size_t side) {
  const Replay& replay = *sideOf(*m_runs, side).replay;
  const Race::Moment moment = m_race.momentOf(side, m_position);
  m_sides[side].stage->setMoment(moment.step, moment.progress);
  m_sides[side].ports->setMoment(moment.step, moment.progress);
  const int steps = int(replay.program.size());
  QString state = moment.step == 0 && moment.progress == 0 ? tr("before step 1 of %1").arg(steps)
                  : moment.progress > 0                    ? tr("step %1 of %2").arg(moment.step + 1).arg(steps)
                                                           : tr("after step %1 of %2").arg(moment.step).arg(steps);
  if (moment.arrived) state = replay.complete ? tr("⚑ done") : tr("✗ stopped");
  m_sides[side].state->setText(state);
}

QString CompareView::positionText(const Timeline& timeline) const {
  if (m_race.clock() == Race::Clock::Steps) {
    if (timeline.position() == 0) return tr("before step 1 of %1").arg(m_race.pieces());
    return (timeline.rests() ? tr("after step %1 of %2") : tr("step %1 of %2"))
        .arg(timeline.shownStep() + 1)
        .arg(m_race.pieces());
  }
  const double whole = std::max(m_race.totalOf(0), m_race.totalOf(1));
  const double now = std::max(m_race.secondsOf(0, timeline.position()), m_race.secondsOf(1, timeline.position()));
  return tr("at %1 of %2").arg(qs(formatSecondsLike(whole, now)), secondsText(whole));
}

void CompareView::setMagnification(double factor) {
  for (Side& side : m_sides) side.stage->setMagnification(factor);
}

void CompareView::setLegendShown(bool shown) { m_legend->setVisible(shown); }

void CompareView::setStale(bool stale) {
  for (Side& side : m_sides) side.stage->setStale(stale);
}

void CompareView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (m_stacked == (width() < kNarrow)) return;
  m_stacked = !m_stacked;
  placeSides();
}

// Side by side, both have their parts in the same rows: a title of two lines moves both stages.
void CompareView::placeSides() {
  constexpr int kParts = 3;
  for (int side = 0; side < 2; ++side) {
    const Side& placed = m_sides[std::size_t(side)];
    const int row = m_stacked ? side * kParts : 0;
    const int column = m_stacked ? 0 : side;
    const std::array<QWidget*, kParts> parts{placed.head, placed.stage, placed.ports};
    for (int part = 0; part < kParts; ++part) {
      m_pair->removeWidget(parts[std::size_t(part)]);
      m_pair->addWidget(parts[std::size_t(part)], row + part, column);
    }
  }
  m_pair->setColumnStretch(0, 1);
  m_pair->setColumnStretch(1, m_stacked ? 0 : 1);
  m_pair->setRowStretch(1, 1);
  m_pair->setRowStretch(kParts + 1, m_stacked ? 1 : 0);
}

}  // namespace p2::views
