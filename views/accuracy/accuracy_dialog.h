// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "views/accuracy/accuracy_model.h"
#include "views/shell/derived.h"
#include "views/shell/step_planner.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QTableView;

namespace p2::views {

class InlineMessage;

/// "How good is this here?": published training steps on similar machines next to their predictions, whether each was
/// used for fitting, and where it was published. A table of the user's own runs takes their place.
class AccuracyDialog : public QDialog {
  Q_OBJECT
 public:
  AccuracyDialog(JobQueue& jobs, const PlannerAnswer& found, QWidget* parent = nullptr);

 private:
  [[nodiscard]] QWidget* makeChoices();
  void askForFile();
  void showOpened();
  /// Whether the table shows the opened runs instead of the published ones.
  [[nodiscard]] bool showsOpened() const;
  void fill();
  [[nodiscard]] QString publishedText() const;
  [[nodiscard]] QString openedText(const OpenedRuns& opened) const;
  /// Number of shown steps of frameworks like the document's.
  [[nodiscard]] std::int64_t ownSteps() const;
  [[nodiscard]] AccuracyFilter filter() const;

  std::string m_generation;
  bool m_mixture;
  FrameworkFamily m_family;
  QString m_widerInterval;  // why the best configuration's interval is wider; else empty
  AccuracyModel m_model;
  bool m_hasSteps = false;
  QLabel* m_finding;
  QCheckBox* m_sameMachine;
  QCheckBox* m_sameKind;
  QCheckBox* m_sameFamily;
  QComboBox* m_runs;  ///< published or opened; hidden until a table is open
  InlineMessage* m_problem;
  QTableView* m_table;
  Derived<int, std::vector<ComparedStep>> m_steps;
  Derived<QString, OpenedRuns> m_opened;  ///< by the path of the file
};

}  // namespace p2::views
