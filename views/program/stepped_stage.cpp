// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/stepped_stage.h"

#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/common/folding_panels.h"
#include "views/common/panel.h"
#include "views/common/timeline.h"
#include "views/program/device_panel.h"
#include "views/program/rule_card.h"
#include "views/stage/stage_view.h"

namespace p2::views {
namespace {

constexpr int kStageRoom = 520;  // below it, the rule of a step folds away

QString noteOf(const Replay& replay) {
  QStringList notes;
  const std::int64_t devices = replay.placement.deviceCount();
  if (devices > kMostShownDevices) {
    notes.append(QObject::tr("the first %1 of %2 devices").arg(kMostShownDevices).arg(devices));
  }
  if (!replay.isExplicit()) {
    notes.append(QObject::tr("the bit matrices of %1 × %1, equal neighbouring rows and columns as one; choose a device "
                             "to see how many they are")
                     .arg(replay.members));
  }
  return notes.isEmpty() ? QString() : QObject::tr("Shown: %1").arg(notes.join("; "));
}

}  // namespace

SteppedStage::SteppedStage(QWidget* parent)
    : QWidget(parent), m_stage(new StageView), m_device(new DevicePanel), m_card(new RuleCard), m_note(new QLabel) {
  m_stage->setObjectName("stepper");
  m_device->setObjectName("devicePanel");
  m_device->hide();
  wrapped(named(m_note, "stepperNote"));
  makeParts();
  connect(m_stage, &StageView::deviceChosen, this, &SteppedStage::showDevice);
  connect(m_stage, &StageView::optionsChanged, this, [this] {
    if (m_device->isVisibleTo(this)) showDevice(m_stage->chosen());
  });
  connect(m_device, &DevicePanel::closed, this, [this] {
    m_stage->setChosen({});
    m_device->hide();
    m_stage->setFocus();
  });
  connect(m_card, &RuleCard::emphasised, this,
          [this](const StageEmphasis& emphasis) { m_stage->setEmphasis(emphasis); });
}

void SteppedStage::makeParts() {
  auto* drawn = new QWidget;
  auto* middle = bareLayout<QHBoxLayout>(drawn, 0);
  middle->addWidget(m_stage, 1);
  middle->addWidget(m_device);
  auto* split = splitterOf(Qt::Horizontal, {{drawn, 1}, {m_card, 0}}, "cardSplitter");
  split->setSizes({640, 300});
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(new FoldingPanels(split, {{QStringLiteral("stage"), tr("Stage"), 0, kStageRoom},
                                              {QStringLiteral("rule"), tr("Rule of the step"), 1}}));
}

void SteppedStage::setReplay(std::shared_ptr<const Replay> replay) {
  m_replay = std::move(replay);
  m_ruleStep = {};
  m_stepsDone = -1;
  m_stage->setReplay(m_replay);
  m_stage->setEmphasis({});
  m_note->setText(noteOf(*m_replay));
  m_note->setVisible(!m_note->text().isEmpty());
}

void SteppedStage::showMoment(const Timeline& timeline) {
  m_stage->setMoment(timeline.step(), timeline.progress());
  // At rest show the rule of the last step; at the end, the result of the program.
  const bool ends = timeline.position() == timeline.steps() && m_replay->playedSteps() == m_replay->validSteps();
  const StepId step(ends ? timeline.step() : timeline.shownStep());
  const int done = std::min(timeline.step(), m_replay->validSteps());
  if (std::exchange(m_stepsDone, done) != done && m_device->isVisibleTo(this)) showDevice(m_stage->chosen());
  if (step == m_ruleStep) return;
  m_ruleStep = step;
  m_card->show(ruleText(*m_replay, step));
  emit ruleShown(step, ends);
}

void SteppedStage::showDevice(Device device) {
  if (m_replay && !device.isNone()) {
    m_device->show(*m_replay, device, m_stage->stepsShown(), m_stage->showsNumbers());
  } else {
    m_device->hide();
  }
}

}  // namespace p2::views
