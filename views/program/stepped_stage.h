// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "views/stage/replay.h"

class QLabel;

namespace p2::views {

class DevicePanel;
class RuleCard;
class StageView;
class Timeline;

/// One moment of a program on its placement: the stage, the chosen device, and the rule of the step.
class SteppedStage : public QWidget {
  Q_OBJECT
 public:
  explicit SteppedStage(QWidget* parent = nullptr);

  [[nodiscard]] StageView& stage() { return *m_stage; }
  [[nodiscard]] RuleCard& card() { return *m_card; }
  /// Note on parts that are hidden or folded, to show below.
  [[nodiscard]] QLabel* note() { return m_note; }
  void setReplay(std::shared_ptr<const Replay> replay);
  void showMoment(const Timeline& timeline);
  /// The step whose rule is shown; one past the last at the end of the program.
  [[nodiscard]] StepId ruleStep() const { return m_ruleStep; }

 signals:
  /// The shown rule changed; `ends`: it is the result of the program.
  void ruleShown(p2::StepId step, bool ends);

 private:
  void makeParts();
  void showDevice(Device device);

  StageView* m_stage;
  DevicePanel* m_device;
  RuleCard* m_card;
  QLabel* m_note;
  std::shared_ptr<const Replay> m_replay;
  StepId m_ruleStep;
  int m_stepsDone = -1;  // after which the chosen device is shown
};

}  // namespace p2::views
