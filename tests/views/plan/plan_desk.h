// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plan/plan_perspective.h"
#include "views/shell/session_questions.h"
#include "views/shell/step_planner.h"
#include "views/view_desk.h"
#include "workspace/presets.h"

namespace p2::test {

/// Llama 3 8B on nodes of eight H100.
inline Workspace trainedWorkspace(std::int64_t nodes) {
  Workspace workspace = withoutChoice("teaching-2x4");
  workspace = withSystem(workspace, presetSystem("dgx-h100", nodes).value());
  workspace.axes = {{"data", nodes * 8, true}};
  workspace.training.model = "llama3-8b";
  workspace.training.batch = 64;
  return workspace;
}

/// A page of the way to a training job on that document.
template <class View>
class TrainingDesk : public ViewDesk<View> {
 public:
  using ViewDesk<View>::ViewDesk;

  void open(Workspace workspace) {
    this->m_session->reset(std::move(workspace));
    settle();
  }
  void settle() const {
    QTRY_VERIFY_WITH_TIMEOUT(planner().isCurrent() && planner().answer()->isComplete, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(this->m_session->jobs().running().empty(), 20000);
  }
  [[nodiscard]] views::StepPlanner& planner() const { return this->m_session->planner(); }
};

}  // namespace p2::test
