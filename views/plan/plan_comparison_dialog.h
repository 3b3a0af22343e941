// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <optional>

#include "training/planner.h"

class QComboBox;
class QLabel;

namespace p2::views {

class ComparedLinesModel;
class Session;
struct PlannerAnswer;

/// Two configurations of one answer side by side: which is faster and what makes the difference in one sentence, then
/// choices, parts of the step and of the memory line by line, as `p2 train --why A B` prints them.
class PlanComparisonDialog : public QDialog {
  Q_OBJECT
 public:
  /// Place of the user's own configuration in the lists.
  static constexpr int kMine = -1;

  /// `mine` is offered if there is one. `a` and `b` are places in the answer, or kMine.
  PlanComparisonDialog(Session& session, std::shared_ptr<const PlannerAnswer> found,
                       std::optional<PlannedConfiguration> mine, int a, int b, QWidget* parent = nullptr);

 private:
  QComboBox* makeSide(const QString& name, const QString& accessible, int place);
  [[nodiscard]] const PlannedConfiguration& at(int place) const;
  [[nodiscard]] static QString nameOf(int place);
  void present();
  void copy() const;

  Session& m_session;
  std::shared_ptr<const PlannerAnswer> m_found;
  std::optional<PlannedConfiguration> m_mine;
  ComparedLinesModel* m_lines;
  QLabel* m_finding;
  QLabel* m_intervals;
  QComboBox* m_a = nullptr;
  QComboBox* m_b = nullptr;
};

}  // namespace p2::views
