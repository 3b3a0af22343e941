// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/program_story.h"

#include <algorithm>

#include "base/counted.h"
#include "base/units.h"
#include "cost/cost_model.h"
#include "synthesis/achieved.h"
#include "synthesis/lowering.h"
#include "synthesis/step_words.h"
#include "system/level_names.h"

namespace p2::inline exporters {
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

/// Whether bytes and times follow from the rule that a handout states.
bool isByHand(const CostOptions& cost) { return modelOf(cost).isPapers() && cost.algorithm == Algorithm::Ring; }

std::vector<std::string> givensOf(const Workspace& workspace, const ProgramTrace& trace) {
  const CostOptions& cost = workspace.options.cost;
  const Bytes chunk = (1 / static_cast<double>(trace.chunks())) * cost.bytes;
  std::vector<std::string> givens{"Vector: " + formatBytes(cost.bytes) + " per device, cut into " +
                                  countedText(trace.chunks(), "chunk") + " of " + formatBytes(chunk) + "."};
  if (cost.repeat > 1) givens.push_back("Times are for " + countedText(cost.repeat, "run") + ".");
  for (const Level& level : workspace.system.levels) {
    const double latency = latencyOf(level.interconnect, workspace.system.calibrated);
    givens.push_back("Link of each " + nounOf(level) + ": " +
                     formatBandwidth(bandwidthOf(level.interconnect, workspace.system.calibrated)) +
                     (latency > 0 ? ", latency " + formatSeconds(latency) : "") + ".");
  }
  if (!isByHand(cost)) {
    givens.push_back("Bytes and times are computed by the " + cost.model + " model.");
    return givens;
  }
  givens.push_back(
      "A ring of n members sends 2(n − 1)/n of the bytes over each link for an AllReduce, (n − 1)/n for a "
      "ReduceScatter "
      "or an AllGather; a Reduce or a Broadcast sends all of them. A step takes the bytes through its busiest link, "
      "divided by the bandwidth of the link.");
  return givens;
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
  const std::string matrix = workspace.matrix.text();
  const std::string notation = shortProgramWords(hierarchy, program);
  auto givens = givensOf(workspace, trace);
  auto achieved = achievedOn(hierarchy, workspace.options.goal);
  ProgramStory story{matrix,
                     notation,
                     notation + ": " + formatSeconds(plan.predicted().seconds) + " on placement " + matrix,
                     describe(workspace.system),
                     std::move(achieved),
                     plan.predicted().seconds,
                     std::move(givens),
                     isByHand(workspace.options.cost),
                     placement,
                     std::move(trace),
                     {}};
  for (std::size_t i = 0; i < plan.steps().size(); ++i) {
    const CollectiveTraits& traits = traitsOf(plan.steps()[i].collective);
    StoryStep step{stepWords(hierarchy, program[i]),
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

}  // namespace p2::inline exporters
