// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <string>

#include "compare/machine_comparison.h"
#include "views/shell/derived.h"
#include "workspace/workspace.h"

class QComboBox;
class QLabel;

namespace p2::views {

class InlineMessage;
class Session;
class StepBars;

/// The document's training step on another machine: a preset, levels as text, or a file of a system or a document. The
/// chosen configuration, or the best, on both machines and the best one there stand below each other, with the parts
/// of the step and the busiest link of each axis.
class CompareDialog : public QDialog {
  Q_OBJECT
 public:
  explicit CompareDialog(Session& session, QWidget* parent = nullptr);

  struct Question {
    std::shared_ptr<const Workspace> document;
    std::string other;  ///< as systemFromArgument() reads it
    friend bool operator==(const Question&, const Question&) = default;
  };

 private:
  QLayout* makeField();
  void ask();
  void askForFile();
  void present();

  Session& m_session;
  Derived<Question, StepComparison> m_compared;
  QComboBox* m_other = nullptr;
  InlineMessage* m_message = nullptr;
  QLabel* m_finding = nullptr;
  QLabel* m_parts = nullptr;
  StepBars* m_bars = nullptr;
};

/// "The step of the best configuration is 1.20× slower there, mostly because of data parallelism over spine. Another
/// configuration is best there."
[[nodiscard]] QString comparisonFinding(const StepComparison& comparison);

}  // namespace p2::views
