// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/lost_part.h"

#include <algorithm>
#include <set>

#include "synthesis/detail/explicit_engine.h"

namespace p2::inline synthesis {
namespace {

constexpr int kMostSampleLevels = 3;
constexpr std::size_t kMostSampleStates = 4000;

System systemOfPairs(int levels) {
  System system;
  for (int level = 0; level < levels; ++level) {
    Level& own = system.levels.emplace_back();
    own.name = "l" + std::to_string(level + 1);
    own.count = 2;
  }
  return system;
}

/// An axis for every level.
Placement wholeOf(const System& system, LevelSet replicated) {
  const std::size_t levels = system.levels.size();
  std::vector<Axis> axes;
  ParallelismMatrix matrix(levels, levels);
  for (std::size_t level = 0; level < levels; ++level) {
    axes.push_back({system.levels[level].name, 2, true, (replicated >> level & 1) != 0});
    matrix.set(level, level, 2);
  }
  return Placement(axes, matrix);
}

/// A hierarchy of pairs, and what its devices may come to hold after a program.
class LevelSample {
 public:
  LevelSample(const SynthesisHierarchy& original, RuleSet rules, const Goal& goal)
      : m_system(systemOfPairs(original.levelCount())),
        m_placement(wholeOf(m_system, original.replicatedLevels())),
        m_hierarchy(m_system, m_placement),
        m_goal(goal),
        m_k(1 << original.levelCount()),
        m_engine(m_placement, m_hierarchy, rules, goal) {
    for (const GroupPattern& pattern : groupPatterns(m_hierarchy)) {
      for (const Collective collective : kCollectives) {
        if (goal.collectives.contains(collective)) m_instructions.push_back({pattern, collective});
      }
    }
  }

  /// Looks at everything that can follow; false if the program does not run here or there is too much to look at.
  bool follow(const Program& program, const std::stop_token& stop) {
    ExplicitEngine::States states = m_engine.initial();
    for (const Instruction& instruction : program) {
      auto outcome = m_engine.apply(states, instruction);
      auto* after = std::get_if<ExplicitEngine::States>(&outcome);
      if (after == nullptr) return false;
      states = std::move(*after);
    }
    m_held.assign(static_cast<std::size_t>(m_k), DeviceState(m_k));
    m_fewest.assign(static_cast<std::size_t>(m_k), m_k);
    meet(std::move(states));
    while (!m_open.empty() && m_seen.size() <= kMostSampleStates) {
      if (stop.stop_requested()) return false;
      const ExplicitEngine::States& next = *m_open.back();
      m_open.pop_back();
      for (const Instruction& instruction : m_instructions) {
        auto outcome = m_engine.apply(next, instruction);
        if (auto* after = std::get_if<ExplicitEngine::States>(&outcome)) meet(std::move(*after));
      }
    }
    return m_open.empty();
  }

  struct Bit {
    int member = 0;
    int chunk = 0;
    int contributor = 0;
  };
  /// The first bit that a member is to end with and never gets.
  [[nodiscard]] std::optional<Bit> missing() const {
    const bool scattered = m_goal.after.chunks == Distribution::Chunks::OneEach;
    for (int member = 0; member < m_k; ++member) {
      const Shard shard = shardOf(member);
      const DeviceState wanted = m_goal.after.stateOf(m_k, member, shard);
      // Which chunks a member ends with is open; the very first and its replicas are known to have the first.
      if (scattered && shard.number > 0) continue;
      for (const int chunk : wanted.rows()) {
        if (chunk != 0 && (scattered || chunk != m_k - 1)) continue;
        for (const int contributor : wanted.columns(chunk)) {
          if (!m_held[static_cast<std::size_t>(member)].test(chunk, contributor))
            return Bit{member, chunk, contributor};
        }
      }
    }
    return std::nullopt;
  }
  /// A member that always holds more chunks than it is to end with.
  [[nodiscard]] std::optional<int> overfull() const {
    for (int member = 0; member < m_k; ++member) {
      if (m_goal.after.holders == Distribution::Holders::AtLeastRoot && member > 0) break;
      const int wanted = m_goal.after.stateOf(m_k, member, shardOf(member)).rowCount();
      if (m_fewest[static_cast<std::size_t>(member)] > wanted) return member;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Shard shardOf(int member) const {
    return {m_placement.shardOf(Device(member)), m_placement.shardCount()};
  }

  void meet(ExplicitEngine::States states) {
    const auto [found, isNew] = m_seen.insert(std::move(states));
    if (!isNew) return;
    m_open.push_back(&*found);
    for (std::size_t member = 0; member < found->size(); ++member) {
      m_held[member].unite((*found)[member]);
      m_fewest[member] = std::min(m_fewest[member], (*found)[member].rowCount());
    }
  }

  System m_system;
  Placement m_placement;
  SynthesisHierarchy m_hierarchy;
  Goal m_goal;
  int m_k;
  ExplicitEngine m_engine;
  std::vector<Instruction> m_instructions;
  std::set<ExplicitEngine::States> m_seen;
  std::vector<const ExplicitEngine::States*> m_open;
  std::vector<DeviceState> m_held;  // by member: every bit it has in some state
  std::vector<int> m_fewest;        // by member: the fewest chunks it holds in one
};

/// The member, or chunk, that is first and last on the same levels as this one of the twin.
std::int64_t realMember(int sample, const std::vector<std::int64_t>& sizes) {
  std::int64_t member = 0;
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    member = member * sizes[level] + (sample >> (sizes.size() - 1 - level) & 1) * (sizes[level] - 1);
  }
  return member;
}

std::string deviceText(Device device) { return "device " + std::to_string(device.value()); }

LostPart notTogether(const Goal& goal) {
  LostPart lost;
  lost.sentence = "no order of further steps leads to where " + std::string(goal.achieved);
  return lost;
}

}  // namespace

LostPart lostPartAfter(const Placement& placement, const SynthesisHierarchy& hierarchy, const Program& program,
                       RuleSet rules, const Goal& wanted, const std::stop_token& stop) {
  const Goal goal = goalOn(hierarchy, wanted);
  if (hierarchy.levelCount() > kMostSampleLevels || hierarchy.levelCount() == 0) return notTogether(goal);
  LevelSample sample(hierarchy, rules, goal);
  if (!sample.follow(program, stop)) return notTogether(goal);
  const DeviceGroup devices = placement.groupMembers(0);
  const std::vector<std::int64_t> sizes = hierarchy.sizes();
  const auto deviceOf = [&](int member) { return devices[static_cast<std::size_t>(realMember(member, sizes))]; };
  if (const auto bit = sample.missing()) {
    LostPart lost{LostPart::Kind::Missing,
                  deviceOf(bit->member),
                  static_cast<int>(realMember(bit->chunk, sizes)),
                  deviceOf(bit->contributor),
                  {}};
    lost.sentence = "no further step brings " + deviceText(lost.contributor) + "'s contribution to chunk " +
                    std::to_string(lost.chunk) + " of " + deviceText(lost.device);
    return lost;
  }
  if (const auto member = sample.overfull()) {
    LostPart lost{LostPart::Kind::TooMuch, deviceOf(*member), 0, {}, {}};
    lost.sentence = "in every continuation, " + deviceText(lost.device) + " keeps more than it is to end with";
    return lost;
  }
  return notTogether(goal);
}

}  // namespace p2::inline synthesis
