// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "views/stage/replay.h"
#include "views/stage/stage_emphasis.h"

namespace p2::views {

/// The values of one group that go with a sentence of a rule.
struct RuleValues {
  QString text;            ///< "{0…7} each"
  StageEmphasis emphasis;  ///< the devices and chunks it is about
};

/// The values that a premise is about in one group after `steps` steps: of the first members, and "…".
[[nodiscard]] RuleValues premiseValues(const ProgramTrace& trace, const Placement& placement, const DeviceGroup& group,
                                       Premise premise, int steps);
/// "d0: chunks 0,1 = Σ d0…d3": contents of the first members of a group after `steps` steps.
[[nodiscard]] RuleValues holdingValues(const ProgramTrace& trace, const Placement& placement, const DeviceGroup& group,
                                       int steps);

/// The group of a step whose premises are shown: the failing one, or the first.
[[nodiscard]] DeviceGroup shownGroup(const Replay& replay, StepId step);

/// "¾ · 2.15 GB", "3/16 · 2.15 GB": an amount as a share of the whole vector; empty for all of it, and if it is no
/// simple share.
[[nodiscard]] QString shareText(Bytes amount, Bytes whole);

}  // namespace p2::views
