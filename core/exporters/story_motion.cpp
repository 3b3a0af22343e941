// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "cost/step_manner.h"
#include "exporters/detail/program_story.h"
#include "synthesis/lowering.h"
#include "system/topology.h"

namespace p2::inline exporters {
namespace {

constexpr int kMostStoryRounds = 8;
constexpr std::size_t kMostStoryFlows = 1200;

/// Chunks that the price counts from every member: through the switch, or on all of its flows together.
double throughMiddleOf(const StepManner& manner, const DeviceGroup& group, double working) {
  const auto members = static_cast<std::int64_t>(group.size());
  if (manner.of(group) == Manner::Switch) return working * manner.switchShare(members);
  double sum = 0;
  for (const Flow& flow : manner.flows(group)) sum += flow.weight;
  return working * manner.factor(members) * sum / static_cast<double>(members);
}

void addFlows(StoryStep& step, const StepManner& manner, const DeviceGroup& group, double working) {
  const double factor = working * manner.factor(static_cast<std::int64_t>(group.size()));
  for (const Flow& flow : manner.flows(group)) {
    if (flow.weight > 0) step.flows.push_back({flow.from, flow.to, factor * flow.weight});
  }
}

}  // namespace

Result<void> addMotion(ProgramStory& story, const Plan& plan) {
  P2_TRY_ASSIGN(const ValidSystem system, validated(plan.workspace().system));
  const Topology topology(system);
  const double chunks = static_cast<double>(story.trace.chunks());
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    StoryStep& step = story.steps[i];
    const LoweredStep lowered =
        loweredStep(story.trace, StepId(static_cast<std::int64_t>(i)), story.placement.devices());
    const StepManner manner(topology, plan.workspace().options.cost, lowered.collective,
                            plan.predicted().steps[i].algorithm);
    const auto first =
        std::find_if(step.groups.begin(), step.groups.end(), [](const DeviceGroup& group) { return group.size() > 1; });
    if (first == step.groups.end() || lowered.groups.empty()) continue;
    const double working = workingShare(lowered.collective, lowered.groups.front()) * chunks;
    const std::size_t flows = manner.of(*first) == Manner::Switch ? 0 : manner.flows(*first).size();
    const bool single = flows > 0 && flows * step.groups.size() <= kMostStoryFlows;
    const bool inRounds = manner.of(*first) != Manner::Pairs;
    step.rounds = inRounds ? std::min(roundsOf(manner, *first), kMostStoryRounds) * passesOf(manner, *first) : 1;
    step.manner = mannerText(manner, *first, kMostStoryRounds);
    if (!single && manner.of(*first) != Manner::Switch) step.manner += " (simplified: by way of the middle)";
    step.throughMiddle = single ? 0 : throughMiddleOf(manner, *first, working);
    for (const DeviceGroup& group : step.groups) {
      if (single && group.size() > 1) addFlows(step, manner, group, working);
    }
  }
  return {};
}

}  // namespace p2::inline exporters
