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

/// For each device, the places in its reduction group whose blocks it has: they grow with every AllToAll.
class Sources {
 public:
  explicit Sources(const Plan& plan) : m_of(static_cast<std::size_t>(plan.deviceCount())) {
    for (const DeviceGroup& group : plan.reductionGroups()) {
      for (std::size_t place = 0; place < group.size(); ++place) m_of[group[place].index()] = {place};
    }
  }

  /// Where the i-th block that reaches a member of the group belongs: they come member by member, each member's in
  /// order. Empty if they come in order altogether.
  [[nodiscard]] std::vector<std::int64_t> placesAfter(const PlanGroup& group, std::size_t member) const {
    const std::vector<std::size_t> all = unionOf(group);
    const std::int64_t rows = countOf(group.heldAfter(member));
    std::vector<std::int64_t> places;
    for (const Device from : group.devices) {
      for (std::int64_t row = 0; row < rows; ++row) {
        for (const std::size_t source : m_of[from.index()]) {
          const auto column = std::lower_bound(all.begin(), all.end(), source) - all.begin();
          places.push_back(row * std::ssize(all) + column);
        }
      }
    }
    if (std::is_sorted(places.begin(), places.end())) places.clear();
    return places;
  }

  void exchange(const PlanStep& step) {
    for (const PlanGroup& group : step.groups) {
      const std::vector<std::size_t> all = unionOf(group);
      for (const Device device : group.devices) m_of[device.index()] = all;
    }
  }

 private:
  [[nodiscard]] std::vector<std::size_t> unionOf(const PlanGroup& group) const {
    std::vector<std::size_t> all;
    for (const Device device : group.devices) {
      all.insert(all.end(), m_of[device.index()].begin(), m_of[device.index()].end());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  std::vector<std::vector<std::size_t>> m_of;  // by device, ascending
};

/// The rank's part in a step; `held` are the chunks that it holds before and then after it, of `chunks` in total.
RankStep stepOf(const PlanStep& lowered, Device rank, ChunkSet& held, std::int64_t chunks, GatherOrder order,
                const Sources& sources) {
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
    if (lowered.collective == Collective::AllToAll) {
      // Of fewer chunks it then holds the blocks of more devices.
      step.chunksBefore = chunks;
      step.chunksAfter = chunks;
      step.places = sources.placesAfter(group, member);
      held = group.heldAfter(member);
      break;
    }
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
  schedule.keepsApart = traitsOf(goal.single).keepsApart;
  Sources sources(plan);
  for (const PlanStep& step : plan.steps()) {
    schedule.steps.push_back(stepOf(step, Device(rank), schedule.last, schedule.chunks, order, sources));
    if (step.collective == Collective::AllToAll) sources.exchange(step);
  }
  const auto root = schedule.contributors.empty() ? rank : schedule.contributors.front();
  if (goal.after.holders == Distribution::Holders::AtLeastRoot && rank != root) schedule.last.clear();
  return schedule;
}

}  // namespace p2::runner
