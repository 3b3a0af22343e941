// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "views/accuracy/accuracy_model.h"
#include "views/shell/derived.h"
#include "views/shell/step_planner.h"

class QCheckBox;
class QLabel;
class QTableView;

namespace p2::views {

/// "How good is this here?": published training steps on similar machines next to their predictions, whether each was
/// used for fitting, and where it was published.
class AccuracyDialog : public QDialog {
  Q_OBJECT
 public:
  AccuracyDialog(JobQueue& jobs, const PlannerAnswer& found, QWidget* parent = nullptr);

 private:
  void fill();
  /// Number of shown steps of frameworks like the document's.
  [[nodiscard]] std::int64_t ownSteps() const;
  [[nodiscard]] AccuracyFilter filter() const;

  std::string m_generation;
  bool m_mixture;
  FrameworkFamily m_family;
  AccuracyModel m_model;
  bool m_hasSteps = false;
  QLabel* m_finding;
  QCheckBox* m_sameMachine;
  QCheckBox* m_sameKind;
  QCheckBox* m_sameFamily;
  QTableView* m_table;
  Derived<int, std::vector<ComparedStep>> m_steps;
};

}  // namespace p2::views
