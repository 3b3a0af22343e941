// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/verify.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "collective/holding_rule.h"

namespace p2::inline plan {
namespace {

/// Chunks [from, to) that a device holds, all with the same value.
struct Run {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::uint64_t value = 0;
  friend bool operator==(const Run&, const Run&) = default;
};
/// Ascending and disjoint.
using Buffer = std::vector<Run>;
using SharedBuffer = std::shared_ptr<const Buffer>;

/// SplitMix64: any device's number is as good as random.
std::uint64_t valueOf(Device device) {
  std::uint64_t z = (static_cast<std::uint64_t>(device.value()) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t sumOver(const DeviceGroup& group) {
  std::uint64_t sum = 0;
  for (const Device device : group) sum += valueOf(device);
  return sum;
}

ChunkSet chunksIn(const Buffer& buffer) {
  ChunkSet chunks;
  for (const Run& run : buffer) {
    if (!chunks.empty() && chunks.back().to == run.from) {
      chunks.back().to = run.to;
    } else {
      chunks.push_back({run.from, run.to});
    }
  }
  return chunks;
}

/// Remainder of a buffer within some chunks.
Buffer within(const Buffer& buffer, const ChunkSet& chunks) {
  Buffer kept;
  for (std::size_t i = 0, j = 0; i < buffer.size() && j < chunks.size();) {
    const std::int64_t from = std::max(buffer[i].from, chunks[j].from);
    const std::int64_t to = std::min(buffer[i].to, chunks[j].to);
    if (from < to) kept.push_back({from, to, buffer[i].value});
    buffer[i].to < chunks[j].to ? ++i : ++j;
  }
  return kept;
}

/// The sum of buffers chunk by chunk.
Buffer sumOf(const std::vector<SharedBuffer>& buffers) {
  struct Change {
    std::int64_t at;
    std::uint64_t by;
    int held;  // buffers that begin (+1) or end (−1) here
  };
  std::vector<Change> changes;
  for (const SharedBuffer& buffer : buffers) {
    for (const Run& run : *buffer) {
      changes.push_back({run.from, run.value, 1});
      changes.push_back({run.to, std::uint64_t{0} - run.value, -1});
    }
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
  Buffer sum;
  std::uint64_t value = 0;
  int held = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    value += changes[i].by;
    held += changes[i].held;
    if (i + 1 == changes.size() || changes[i + 1].at == changes[i].at || held == 0) continue;
    const bool joins = !sum.empty() && sum.back().to == changes[i].at && sum.back().value == value;
    if (joins) {
      sum.back().to = changes[i + 1].at;
    } else {
      sum.push_back({changes[i].at, changes[i + 1].at, value});
    }
  }
  return sum;
}

/// One group of a lowered step as a HoldingAlgebra, so that a plan follows the rules of bit matrices on the numbers
/// that devices would add up. A contribution that is counted twice is no failure here: it makes a wrong sum, which
/// checkEnds() finds. Of blocks that an AllToAll keeps apart the sum of their numbers identifies them.
class BufferAlgebra {
 public:
  using Holding = SharedBuffer;
  using Failure = bool;

  BufferAlgebra(const PlanGroup& group, std::vector<SharedBuffer> before)
      : m_group(group), m_before(std::move(before)), m_rootChunks(countOf(group.heldBefore(0))) {}

  [[nodiscard]] std::size_t memberCount() const { return m_before.size(); }
  [[nodiscard]] bool membersNonEmpty() const {
    return any([](const ChunkSet& held) { return held.empty(); });
  }
  [[nodiscard]] bool rowsEqual() const {
    return any([&](const ChunkSet& held) { return held != m_group.heldBefore(0); });
  }
  [[nodiscard]] bool columnsDisjoint() const { return false; }
  [[nodiscard]] bool sizeDividesRows() const { return m_rootChunks % static_cast<std::int64_t>(memberCount()) != 0; }
  [[nodiscard]] bool rowCountsEqual() const {
    return any([&](const ChunkSet& held) { return countOf(held) != m_rootChunks; });
  }
  [[nodiscard]] bool rowsDisjoint() const {
    ChunkSet all;
    std::int64_t count = 0;
    for (std::size_t member = 0; member < memberCount(); ++member) {
      const ChunkSet& held = m_group.heldBefore(member);
      all.insert(all.end(), held.begin(), held.end());
      count += countOf(held);
    }
    return countOf(merged(std::move(all))) != count;
  }
  [[nodiscard]] bool rootNonEmpty() const { return m_rootChunks == 0; }
  [[nodiscard]] bool membersWithinRoot() const {
    return any([&](const ChunkSet& held) { return !withoutOf(held, m_group.heldBefore(0)).empty(); });
  }
  [[nodiscard]] bool rootTellsSomething() const {
    return std::all_of(m_before.begin(), m_before.end(),
                       [&](const SharedBuffer& buffer) { return *buffer == *m_before[0]; });
  }
  [[nodiscard]] bool othersEmpty() const {
    return std::any_of(m_before.begin() + 1, m_before.end(),
                       [](const SharedBuffer& buffer) { return !buffer->empty(); });
  }

  [[nodiscard]] SharedBuffer sum() const { return std::make_shared<const Buffer>(sumOf(m_before)); }
  [[nodiscard]] SharedBuffer pieces() const { return sum(); }
  [[nodiscard]] SharedBuffer root() const { return m_before[0]; }
  [[nodiscard]] SharedBuffer nothing() const { return std::make_shared<const Buffer>(); }
  [[nodiscard]] std::vector<SharedBuffer> blocksOf(const SharedBuffer& whole) const {
    std::vector<SharedBuffer> after;
    for (const ChunkSet& part : scatteredSets(chunksIn(*whole), static_cast<std::int64_t>(memberCount()))) {
      after.push_back(std::make_shared<const Buffer>(within(*whole, part)));
    }
    return after;
  }

 private:
  template <class Fails>
  [[nodiscard]] bool any(const Fails& fails) const {
    for (std::size_t member = 0; member < memberCount(); ++member) {
      if (fails(m_group.heldBefore(member))) return true;
    }
    return false;
  }

  const PlanGroup& m_group;
  std::vector<SharedBuffer> m_before;
  std::int64_t m_rootChunks;
};

Error wrong(const std::string& sentence, const std::string& where) {
  return Error{sentence + "; write the plan again with p2 plan", where};
}

std::string listed(const ChunkSet& chunks) { return chunks.empty() ? "no chunks" : "the chunks " + chunkText(chunks); }

/// Runs the steps of a plan on one buffer per device.
class Verification {
 public:
  explicit Verification(const Plan& plan) : m_plan(plan), m_placement(plan.workspace().axes, plan.workspace().matrix) {}

  Result<void> run() {
    P2_TRY(fillBuffers());
    for (std::size_t step = 0; step < m_plan.steps().size(); ++step) {
      const PlanStep& lowered = m_plan.steps()[step];
      for (std::size_t group = 0; group < lowered.groups.size(); ++group) {
        const std::string where = "/lowered/" + std::to_string(step) + "/groups/" + std::to_string(group);
        P2_TRY(apply(lowered.collective, lowered.groups[group], where));
      }
    }
    return checkEnds();
  }

 private:
  SharedBuffer& bufferOf(Device device) { return m_buffers[device.index()]; }

  [[nodiscard]] const Goal& goal() const { return m_plan.workspace().options.goal; }

  [[nodiscard]] Buffer startOf(const DeviceGroup& group, std::size_t member, std::int64_t chunks) const {
    const Distribution& before = goal().before;
    const bool own = before.contributions == Distribution::Contributions::Own;
    Buffer buffer;
    for (const ChunkRange& range : chunksAt(before, chunks, static_cast<std::int64_t>(member))) {
      buffer.push_back({range.from, range.to, own ? valueOf(group[member]) : sumOver(group)});
    }
    return buffer;
  }

  Result<void> fillBuffers() {
    const std::int64_t chunks = m_plan.cut().chunks;
    m_buffers.resize(static_cast<std::size_t>(m_plan.deviceCount()));
    for (const DeviceGroup& group : m_plan.reductionGroups()) {
      for (std::size_t member = 0; member < group.size(); ++member) {
        const Device device = group[member];
        if (bufferOf(device))
          return wrong("device " + std::to_string(device.value()) + " is listed twice", "/reduction_groups");
        bufferOf(device) = std::make_shared<const Buffer>(startOf(group, member, chunks));
      }
    }
    const auto missing = std::find(m_buffers.begin(), m_buffers.end(), nullptr);
    if (missing == m_buffers.end()) return {};
    return wrong("device " + std::to_string(missing - m_buffers.begin()) + " is missing", "/reduction_groups");
  }

  Result<void> checkBefore(const PlanGroup& group, const std::string& where) {
    for (std::size_t member = 0; member < group.devices.size(); ++member) {
      const ChunkSet held = chunksIn(*bufferOf(group.devices[member]));
      if (held == group.heldBefore(member)) continue;
      return wrong(
          "device " + std::to_string(group.devices[member].value()) + " holds " + listed(held) + " before this step",
          where + "/chunks_before");
    }
    return {};
  }

  Result<void> apply(Collective collective, const PlanGroup& group, const std::string& where) {
    P2_TRY(checkBefore(group, where));
    std::vector<SharedBuffer> before;
    for (const Device device : group.devices) before.push_back(bufferOf(device));
    BufferAlgebra members(group, std::move(before));
    const CollectiveTraits& rule = traitsOf(collective);
    if (firstFailure(rule, members)) {
      return wrong("the chunks of these devices do not suit " + std::string(nameOf(collective)),
                   where + "/chunks_before");
    }
    const std::vector<SharedBuffer> after = effectOf(rule, members);
    for (std::size_t member = 0; member < after.size(); ++member) {
      const ChunkSet held = chunksIn(*after[member]);
      if (held != group.heldAfter(member)) {
        return wrong(
            "device " + std::to_string(group.devices[member].value()) + " holds " + listed(held) + " after this step",
            where + "/chunks_after");
      }
      bufferOf(group.devices[member]) = after[member];
    }
    return {};
  }

  /// Chunks scattered to members of a group: altogether, and by shard.
  struct Scattered {
    ChunkSet all;
    std::map<std::int64_t, ChunkSet> shards;
  };

  /// Whether a member may end with these chunks; scattered, they may be any shard, but of this member and its replicas
  /// alone.
  bool mayEndWith(const ChunkSet& held, const DeviceGroup& group, std::size_t member, Scattered& scattered) const {
    const Distribution& after = goal().after;
    const ChunkSet wanted = chunksAt(after, m_plan.cut().chunks, static_cast<std::int64_t>(member));
    if (after.chunks == Distribution::Chunks::All || wanted.empty()) return held == wanted;
    const auto [shard, isNew] = scattered.shards.try_emplace(m_placement.shardOf(group[member]), held);
    if (!isNew) return held == shard->second;
    const std::int64_t before = countOf(scattered.all);
    scattered.all.insert(scattered.all.end(), held.begin(), held.end());
    scattered.all = merged(std::move(scattered.all));
    const std::int64_t size = m_plan.cut().chunks / m_placement.shardCount();
    return countOf(held) == size && countOf(scattered.all) == before + size;
  }

  Result<void> checkEnds() {
    for (const DeviceGroup& group : m_plan.reductionGroups()) {
      const std::uint64_t sum = sumOver(group);
      Scattered scattered;
      const bool rootCounts = goal().after.holders == Distribution::Holders::AtLeastRoot;
      for (std::size_t member = 0; member < (rootCounts ? 1 : group.size()); ++member) {
        const Buffer& buffer = *bufferOf(group[member]);
        const bool placed = mayEndWith(chunksIn(buffer), group, member, scattered);
        const auto other = std::find_if(buffer.begin(), buffer.end(), [&](const Run& run) { return run.value != sum; });
        if (placed && other == buffer.end()) continue;
        const std::string what = placed ? " ends with a wrong sum in chunk " + std::to_string(other->from)
                                        : " ends with " + listed(chunksIn(buffer)) + " alone";
        return wrong("device " + std::to_string(group[member].value()) + what, "/lowered");
      }
    }
    return {};
  }

  const Plan& m_plan;
  Placement m_placement;
  std::vector<SharedBuffer> m_buffers;
};

/// The steps say the same as the program that people read.
Result<void> checkProgram(const Plan& plan) {
  const Workspace& workspace = plan.workspace();
  const Placement placement(workspace.axes, workspace.matrix);
  const SynthesisHierarchy hierarchy(workspace.system, placement);
  P2_TRY_ASSIGN(const auto program, parseProgram(hierarchy, workspace.program).within("/program"));
  const std::vector<PlanStep>& steps = plan.steps();
  if (steps.size() != program.size()) {
    return wrong(countedText(steps.size(), "lowered step") + " for a program of " + std::to_string(program.size()),
                 "/lowered");
  }
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const std::string where = "/lowered/" + std::to_string(step);
    const Instruction& instruction = program[step];
    if (steps[step].collective != instruction.collective) {
      return Error{"the program has " + std::string(nameOf(instruction.collective)) + " here", where + "/collective"};
    }
    const Goal& goal = workspace.options.goal;
    if (!goal.collectives.contains(instruction.collective)) {
      return wrong(std::string(nameOf(instruction.collective)) + " leads to no " + std::string(goal.name),
                   where + "/collective");
    }
    const std::vector<DeviceGroup> groups = hierarchy.groups(instruction.pattern);
    if (groups.size() != steps[step].groups.size()) {
      return Error{
          countedText(steps[step].groups.size(), "group") + "; the program has " + std::to_string(groups.size()),
          where + "/groups"};
    }
    for (std::size_t group = 0; group < groups.size(); ++group) {
      if (steps[step].groups[group].devices == groups[group]) continue;
      return wrong("these devices are not the program's", where + "/groups/" + std::to_string(group) + "/devices");
    }
  }
  return {};
}

}  // namespace

Result<void> verify(const Plan& plan) {
  P2_TRY(checkProgram(plan));
  return Verification(plan).run();
}

}  // namespace p2::inline plan
