// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "support/fixtures.h"
#include "views/view_desk.h"
#include "views/whatif/step_bars.h"
#include "views/whatif/what_if_perspective.h"

namespace p2::test {

/// The page What if for Llama 3 8B on four nodes of eight H100.
class WhatIfDesk : public ViewDesk<views::WhatIfPerspective> {
 public:
  WhatIfDesk() : ViewDesk({1280, 800}) {}

  void setUpPage() {
    setUp();
    Workspace workspace;
    workspace.system = valueOf(systemFromArgument("dgx-h100:4"));
    workspace.axes = {{"data", 32, true}};
    workspace.training.model = "llama3-8b";
    workspace.training.batch = 256;
    m_session->reset(std::move(workspace));
    QTRY_VERIFY_WITH_TIMEOUT(m_session->planner().isCurrent() && m_session->planner().answer()->isComplete, 120000);
    QTRY_COMPARE_WITH_TIMEOUT(find<views::StepBars>("whatIfBars")->steps().size(), std::size_t{3}, 60000);
  }
  /// Of a bar, by its place; 0 without a step.
  [[nodiscard]] double secondsOf(int step) {
    const auto& steps = find<views::StepBars>("whatIfBars")->steps();
    if (int(steps.size()) <= step || steps[std::size_t(step)].parts.empty()) return 0;
    return steps[std::size_t(step)].parts.back().to;
  }
};

}  // namespace p2::test
