// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "views/program/rule_values.h"

namespace p2::views {

/// The rule of one step in words: premises, effect, cost.
struct RuleText {
  enum class Mark { Holds, Broken, Unknown };
  struct Premise {
    Mark mark;
    QString text;
    RuleValues values = {};  ///< of one group, where the premise has been looked at
  };
  QString title;   ///< "Step 2 of 3: AllReduce·node∥root"
  QString groups;  ///< "8 groups of 2 devices each"
  std::vector<Premise> premises;
  QString effect;      ///< what follows when all premises hold
  RuleValues outcome;  ///< what members of one group then hold
  QString problem;     ///< one sentence on why the step or the whole program does not do; empty if it does
  QStringList facts;
  StageEmphasis group;  ///< the devices whose values are shown
};

/// The rule of step `step`, or after the last one whether the reduction is complete and what all steps took.
[[nodiscard]] RuleText ruleText(const Replay& replay, StepId step);
/// "step 2: …", the problem of the first step that cannot run, or of the whole program; empty if there is none, and for
/// a program without steps, which is only begun.
[[nodiscard]] QString firstProblem(const Replay& replay);
/// All of it as plain lines, for screen readers.
[[nodiscard]] QString toPlainText(const RuleText& rule);
/// "✓ every member holds data: 8, 8": one premise in one line.
[[nodiscard]] QString lineOf(const RuleText::Premise& premise);

}  // namespace p2::views
