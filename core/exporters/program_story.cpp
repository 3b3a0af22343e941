// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/program_story.h"

#include <algorithm>

#include "base/counted.h"
#include "base/units.h"
#include "synthesis/lowering.h"
#include "synthesis/program_notation.h"

namespace p2 {
namespace {

std::string factsText(const Plan& plan, const ProgramStory& story, std::size_t step) {
  const LoweredStep lowered = loweredStep(story.trace, StepId(std::int64_t(step)), story.placement.devices());
  double share = 0;
  for (const LoweredGroup& group : lowered.groups) share = std::max(share, workingShare(lowered.collective, group));
  std::string text = formatBytes(share * plan.workspace().options.cost.bytes) + " per device";
  const StepCost& cost = plan.predicted().steps[step];
  const std::string& link = plan.predicted().links[step];
  if (!link.empty()) text += " · busiest link " + link + ": " + formatBytes(cost.linkBytes);
  const std::int64_t runs = plan.workspace().options.cost.repeat;
  return text + " · " + formatSeconds(cost.seconds) + (runs > 1 ? " for " + countedText(runs, "run") : "");
}

}  // namespace

Result<ProgramStory> storyOf(const Plan& plan) {
  const Workspace& workspace = plan.workspace();
  const std::int64_t devices = plan.deviceCount();
  if (devices > kMostStoryDevices) {
    return Error{std::to_string(devices) + " devices are too many to be shown one by one; at most " +
                 std::to_string(kMostStoryDevices) + " are, so choose a smaller system of the same shape"};
  }
  const Placement placement(workspace.axes, workspace.matrix);
  const SynthesisHierarchy hierarchy(workspace.system, placement);
  P2_TRY_ASSIGN(const Program program, parseProgram(hierarchy, workspace.program));
  P2_TRY_ASSIGN(auto trace,
                ProgramTrace::run(placement, hierarchy, program, workspace.options.rules, workspace.options.goal));
  ProgramStory story{workspace.matrix.text() + " · " + shortNotation(hierarchy, program) + " · " +
                         formatSeconds(plan.predicted().seconds),
                     describe(workspace.system),
                     std::string(workspace.options.goal.achieved),
                     plan.predicted().seconds,
                     placement,
                     std::move(trace),
                     {}};
  for (std::size_t i = 0; i < plan.steps().size(); ++i) {
    const CollectiveTraits& traits = traitsOf(plan.steps()[i].collective);
    StoryStep step{notationText(hierarchy, program[i]),
                   {},
                   std::string(traits.effect),
                   factsText(plan, story, i),
                   plan.predicted().steps[i].seconds,
                   traits.rooted(),
                   {}};
    for (const Premise premise : traits.premises) step.premises.emplace_back(nameOf(premise));
    for (const PlanGroup& group : plan.steps()[i].groups) step.groups.push_back(group.devices);
    story.steps.push_back(std::move(step));
  }
  return story;
}

std::string htmlText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace p2
