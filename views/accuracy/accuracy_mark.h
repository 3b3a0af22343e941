// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include "training_answer/one_sided_runs.h"
#include "views/shell/derived.h"
#include "views/shell/step_planner.h"

namespace p2::views {

class Session;

/// A button next to a predicted time: the interval in which 80 % of measured times are, and "how good is this here?",
/// which opens published measurements next to their predictions.
class AccuracyMark : public QToolButton {
  Q_OBJECT
 public:
  /// The time in question: of the shown configuration's training step, of the selected program of the reduction, or any
  /// time on this machine, without an interval.
  enum class Of { Step, Program, Machine };
  AccuracyMark(Session& session, Of of, QWidget* parent = nullptr);

  void showMeasurements();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  [[nodiscard]] QString interval() const;
  [[nodiscard]] QString oneSidedText() const;

  Session& m_session;
  Of m_of;
  Derived<std::shared_ptr<const PlannerAnswer>, OneSidedRuns> m_oneSided;  ///< published runs with the step's model
};

}  // namespace p2::views
