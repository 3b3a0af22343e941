// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/step_motion.h"
#include "exporters/detail/program_story.h"
#include "system/topology.h"

namespace p2::inline exporters {

Result<void> addMotion(ProgramStory& story, const Plan& plan) {
  P2_TRY_ASSIGN(const ValidSystem system, validated(plan.workspace().system));
  const Topology topology(system);
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    StoryStep& step = story.steps[i];
    const StepManner manner(topology, plan.workspace().options.cost, plan.steps()[i].collective,
                            plan.predicted().steps[i].algorithm);
    step.motion =
        stepMotion(story.trace, StepId(static_cast<std::int64_t>(i)), manner, step.groups, kMostShownMessages);
  }
  return {};
}

}  // namespace p2::inline exporters
