// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "views/stage/replay.h"

namespace p2::views {

/// The rule of one step in words: why it applies or does not, what it does, what it costs.
struct RuleText {
  enum class Mark { Holds, Broken, Unknown };
  struct Premise {
    Mark mark;
    QString text;
  };
  QString title;   ///< "Step 2 of 3: AllReduce·node∥root"
  QString groups;  ///< "8 groups of 2 devices each"
  std::vector<Premise> premises;
  QString effect;   ///< what follows when all premises hold
  QString problem;  ///< one sentence on why the step or the whole program does not do; empty if it does
  QStringList facts;
};

/// The rule of step `step`, or after the last one whether the reduction is complete and what all steps took.
[[nodiscard]] RuleText ruleText(const Replay& replay, StepId step);
/// The same as rich text in the colours of the theme.
[[nodiscard]] QString toHtml(const RuleText& rule);

}  // namespace p2::views
