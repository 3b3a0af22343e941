// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/schedule.h"

#include <algorithm>
#include <numeric>

#include "synthesis/chunk_selection.h"

namespace p2::runner {
namespace {

/// Which chunks the devices hold at one moment.
class Holdings {
 public:
  Holdings(const SynthesisHierarchy& hierarchy, const CompactState& state)
      : m_hierarchy(hierarchy), m_state(state), m_sizes(hierarchy.sizes()) {}

  [[nodiscard]] ChunkSet of(Device device) const {
    std::vector<std::int64_t> digits;
    unsigned entry = 0;
    Device member = m_hierarchy.memberOf(device);
    for (std::size_t level = m_sizes.size(); level-- > 0;) {
      digits.insert(digits.begin(), member % m_sizes[level]);
      member /= m_sizes[level];
      if (digits.front() != 0) entry |= 1u << level;
    }
    const ClassState& own = m_state.classes[entry];
    return own.present ? chunksOf(own, m_sizes, digits) : ChunkSet{};
  }

 private:
  const SynthesisHierarchy& m_hierarchy;
  const CompactState& m_state;
  std::vector<std::int64_t> m_sizes;
};

std::int64_t countOf(const ChunkSet& chunks) {
  return std::accumulate(chunks.begin(), chunks.end(), std::int64_t{0},
                         [](std::int64_t sum, const ChunkRange& range) { return sum + range.to - range.from; });
}

/// The members of a group in the order in which they are joined, and where each gathered chunk belongs.
struct Gathering {
  std::vector<std::size_t> members;
  std::vector<std::int64_t> places;
};

Gathering gatheringOf(const DeviceGroup& group, const Holdings& before, GatherOrder order) {
  std::vector<ChunkSet> held;
  for (const Device device : group) held.push_back(before.of(device));
  Gathering gathering;
  gathering.members.resize(group.size());
  std::iota(gathering.members.begin(), gathering.members.end(), std::size_t{0});
  if (order == GatherOrder::Chunks) {
    std::sort(gathering.members.begin(), gathering.members.end(),
              [&](std::size_t a, std::size_t b) { return held[a] < held[b]; });
  }
  std::vector<std::int64_t> gathered;
  for (const std::size_t member : gathering.members) {
    for (const ChunkRange& range : held[member]) {
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

RankStep stepOf(const SynthesisHierarchy& hierarchy, const Instruction& instruction, Device device,
                const Holdings& before, const Holdings& after, GatherOrder order) {
  RankStep step;
  step.collective = instruction.collective;
  step.chunksBefore = countOf(before.of(device));
  step.chunksAfter = countOf(after.of(device));
  const std::vector<DeviceGroup> groups = hierarchy.groups(instruction.pattern);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto place = std::find(groups[g].begin(), groups[g].end(), device);
    if (place == groups[g].end()) continue;
    step.group = static_cast<int>(g);
    step.members = static_cast<int>(groups[g].size());
    const auto member = static_cast<std::size_t>(place - groups[g].begin());
    step.key = static_cast<int>(member);
    if (instruction.collective != Collective::AllGather) break;
    Gathering gathering = gatheringOf(groups[g], before, order);
    const auto joined = std::find(gathering.members.begin(), gathering.members.end(), member);
    step.key = static_cast<int>(joined - gathering.members.begin());
    step.places = std::move(gathering.places);
    break;
  }
  return step;
}

}  // namespace

Result<Schedule> scheduleOf(const Plan& plan, int rank, GatherOrder order) {
  const Workspace& workspace = plan.workspace;
  const Placement placement(workspace.axes, workspace.matrix);
  const SynthesisHierarchy hierarchy(workspace.system, placement);
  const auto program = parseProgram(hierarchy, workspace.program);
  if (!program.ok()) return program.error();
  const auto execution = executeCompactly(hierarchy, *program, workspace.options.rules);
  if (!execution.ok()) return execution.error();
  if (!execution->complete) return Error{"the plan's program does not reduce everything; write it again with p2 plan"};
  Schedule schedule;
  schedule.chunks = hierarchy.deviceCount();
  for (const Device member : placement.groupMembers(placement.groupOf(rank))) {
    schedule.contributors.push_back(static_cast<int>(member));
  }
  for (std::size_t i = 0; i < program->size(); ++i) {
    schedule.steps.push_back(stepOf(hierarchy, (*program)[i], rank, Holdings(hierarchy, execution->states[i]),
                                    Holdings(hierarchy, execution->states[i + 1]), order));
  }
  return schedule;
}

}  // namespace p2::runner
