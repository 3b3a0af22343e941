// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/schedule.h"

#include <algorithm>
#include <numeric>

namespace p2::runner {
namespace {

/// The members of a group in the order in which they are joined, and where each gathered chunk belongs.
struct Gathering {
  std::vector<std::size_t> members;
  std::vector<std::int64_t> places;
};

Gathering gatheringOf(const PlanGroup& group, GatherOrder order) {
  Gathering gathering;
  gathering.members.resize(group.devices.size());
  std::iota(gathering.members.begin(), gathering.members.end(), std::size_t{0});
  if (order == GatherOrder::Chunks) {
    std::sort(gathering.members.begin(), gathering.members.end(),
              [&](std::size_t a, std::size_t b) { return group.heldBefore(a) < group.heldBefore(b); });
  }
  std::vector<std::int64_t> gathered;
  for (const std::size_t member : gathering.members) {
    for (const ChunkRange& range : group.heldBefore(member)) {
      for (std::int64_t chunk = range.from; chunk < range.to; ++chunk) gathered.push_back(chunk);
    }
  }
  if (std::is_sorted(gathered.begin(), gathered.end())) return gathering;
  std::vector<std::int64_t> sorted = gathered;
  std::sort(sorted.begin(), sorted.end());
  for (const std::int64_t chunk : gathered) {
    gathering.places.push_back(std::lower_bound(sorted.begin(), sorted.end(), chunk) - sorted.begin());
  }
  return gathering;
}

/// The rank's part in a step; `held` are the chunks that it holds before and then after it.
RankStep stepOf(const PlanStep& lowered, Device rank, ChunkSet& held, GatherOrder order) {
  RankStep step;
  step.collective = lowered.collective;
  step.chunksBefore = countOf(held);
  step.chunksAfter = step.chunksBefore;
  for (std::size_t g = 0; g < lowered.groups.size(); ++g) {
    const PlanGroup& group = lowered.groups[g];
    const auto place = std::find(group.devices.begin(), group.devices.end(), rank);
    if (place == group.devices.end()) continue;
    const auto member = static_cast<std::size_t>(place - group.devices.begin());
    step.group = static_cast<int>(g);
    step.members = static_cast<int>(group.devices.size());
    step.key = static_cast<int>(member);
    step.chunksBefore = countOf(group.heldBefore(member));
    step.chunksAfter = countOf(group.heldAfter(member));
    held = group.heldAfter(member);
    if (lowered.collective != Collective::AllGather) break;
    Gathering gathering = gatheringOf(group, order);
    const auto joined = std::find(gathering.members.begin(), gathering.members.end(), member);
    step.key = static_cast<int>(joined - gathering.members.begin());
    step.places = std::move(gathering.places);
    break;
  }
  return step;
}

}  // namespace

Schedule scheduleOf(const Plan& plan, int rank, GatherOrder order) {
  Schedule schedule;
  schedule.chunks = plan.cut().chunks;
  const Goal& goal = plan.workspace().options.goal;
  schedule.beginsSummed = goal.before.contributions == Distribution::Contributions::Everyone;
  for (const DeviceGroup& group : plan.reductionGroups()) {
    const auto own = std::find(group.begin(), group.end(), Device(rank));
    if (own == group.end()) continue;
    for (const Device member : group) schedule.contributors.push_back(static_cast<int>(member.value()));
    schedule.first = chunksAt(goal.before, schedule.chunks, own - group.begin());
  }
  schedule.last = schedule.first;
  for (const PlanStep& step : plan.steps()) {
    schedule.steps.push_back(stepOf(step, Device(rank), schedule.last, order));
  }
  return schedule;
}

}  // namespace p2::runner
