// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <vector>

#include "training_answer/configuration_comparison.h"

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
  /// `extras` are offered before the rows of the answer: the user's own configuration, or others that are not listed.
  /// `a` and `b` are places in the answer, or placeOfExtra().
  PlanComparisonDialog(Session& session, std::shared_ptr<const PlannerAnswer> found,
                       std::vector<NamedConfiguration> extras, int a, int b, QWidget* parent = nullptr);
  [[nodiscard]] static constexpr int placeOfExtra(int number) { return -1 - number; }

 private:
  QComboBox* makeSide(const QString& name, const QString& accessible, int place);
  [[nodiscard]] const PlannedConfiguration& at(int place) const;
  [[nodiscard]] QString nameOf(int place) const;
  void present();
  void copy() const;

  Session& m_session;
  std::shared_ptr<const PlannerAnswer> m_found;
  std::vector<NamedConfiguration> m_extras;
  ComparedLinesModel* m_lines;
  QLabel* m_finding;
  QLabel* m_intervals;
  QComboBox* m_a = nullptr;
  QComboBox* m_b = nullptr;
};

}  // namespace p2::views
