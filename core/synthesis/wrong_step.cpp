// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/wrong_step.h"

#include <algorithm>
#include <map>

#include "base/counted.h"

namespace p2::inline synthesis {
namespace {

/// Up to this number of devices, matrices are assembled one by one.
constexpr std::int64_t kMostUnfolded = 2048;

/// Whether no digit of a member is above `most`.
bool digitsUpTo(MemberId member, const std::vector<std::int64_t>& sizes, std::int64_t most) {
  std::int64_t rest = member.value();
  for (std::size_t level = sizes.size(); level-- > 0; rest /= sizes[level]) {
    if (rest % sizes[level] > most) return false;
  }
  return true;
}

DeviceState unfolded(const std::vector<FoldedState>& parts, std::int64_t k) {
  DeviceState state(static_cast<int>(k));
  for (const FoldedState& part : parts) {
    for (const ChunkRange& rows : part.rows) {
      for (std::int64_t row = rows.from; row < rows.to; ++row) {
        for (const ChunkRange& columns : part.columns) {
          for (std::int64_t column = columns.from; column < columns.to; ++column) {
            state.set(static_cast<int>(row), static_cast<int>(column));
          }
        }
      }
    }
  }
  return state;
}

bool isAboutWholeGroup(Premise premise) {
  return premise == Premise::SizeDividesRows || premise == Premise::RootNonEmpty ||
         premise == Premise::RootTellsSomething;
}

/// The groups of a wrong step, each with the states of the members that are looked at.
class WrongStep {
 public:
  WrongStep(const Placement& placement, const ProgramTrace& trace, std::size_t most)
      : m_trace(trace),
        m_sizes(trace.hierarchy().sizes()),
        m_devices(placement.groupMembers(0)),
        m_most(most),
        m_step(trace.validSteps()) {
    m_pairs.representatives = !trace.isExplicit();
  }

  FailingPairs list() {
    const Instruction& instruction = m_trace.program()[static_cast<std::size_t>(m_step)];
    for (const MemberGroup& group : m_trace.hierarchy().memberGroups(instruction.pattern)) {
      if (m_pairs.representatives && !digitsUpTo(group[0], m_sizes, 1)) continue;
      addGroup(group, instruction.collective);
    }
    return std::move(m_pairs);
  }

 private:
  void addGroup(const MemberGroup& group, Collective collective) {
    GroupNames names{{}, m_devices};
    std::vector<DeviceState> states;
    for (const MemberId member : group) {
      if (m_pairs.representatives && !digitsUpTo(member, m_sizes, 2)) continue;
      names.devices.push_back(m_devices[member.index()]);
      states.push_back(stateOf(names.devices.back()));
    }
    MemberStates members;
    for (const DeviceState& state : states) members.push_back(&state);
    const auto outcome = applyRule(collective, members, names);
    const auto* failure = std::get_if<PremiseFailure>(&outcome);
    // Divisibility depends on the number of members, and this list omits some.
    if (failure == nullptr || (m_pairs.representatives && isAboutWholeGroup(failure->premise))) return;
    addFailingPairs(m_pairs, collective, failure->premise, members, names, m_most);
  }

  [[nodiscard]] DeviceState stateOf(Device device) const {
    if (m_trace.isExplicit()) return m_trace.matrixOf(device, m_step);
    return unfolded(m_trace.partsOf(device, m_step), m_trace.chunks());
  }

  const ProgramTrace& m_trace;
  std::vector<std::int64_t> m_sizes;
  DeviceGroup m_devices;
  std::size_t m_most;
  int m_step;
  FailingPairs m_pairs;
};

std::string listed(const DeviceGroup& devices) {
  constexpr std::size_t kMostNamed = 3;
  if (devices.size() == 1) return "device " + std::to_string(devices[0].value()) + "'s part";
  std::string text = "the parts of devices ";
  const std::size_t named = devices.size() <= kMostNamed + 1 ? devices.size() : kMostNamed;
  for (std::size_t i = 0; i < named; ++i) {
    const bool last = i + 1 == devices.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + std::to_string(devices[i].value());
  }
  return named == devices.size() ? text : text + " and " + std::to_string(devices.size() - named) + " more";
}

/// Missing and superfluous parts of one device at the end.
class Shortfall {
 public:
  Shortfall(const Placement& placement, const ProgramTrace& trace, const DeviceGroup& devices, std::size_t most)
      : m_placement(placement), m_goal(trace.goal()), m_devices(devices), m_most(most) {}

  void look(int member, const DeviceState& state) {
    const auto k = static_cast<int>(m_devices.size());
    m_device = m_devices[static_cast<std::size_t>(member)];
    const Shard shard{m_placement.shardOf(m_device), m_placement.shardCount()};
    const DeviceState wanted = m_goal.after.stateOf(k, member, shard);
    if (m_goal.after.allows(state, wanted)) return compareShard(state, shard.number);
    if (m_goal.after.chunks == Distribution::Chunks::OneEach && !wanted.empty()) {
      return lookAtShard(state, wanted.rowCount(), k);
    }
    for (int row = 0; row < k; ++row) compareRow(state, wanted, row);
  }
  MissingParts parts;

 private:
  // Which chunks a device ends with is open, but not how many.
  void lookAtShard(const DeviceState& state, int wanted, int k) {
    const std::vector<int> rows = state.rows();
    if (std::ssize(rows) == wanted) {
      for (const int row : rows) compareRow(state, DeviceState::complete(k), row);
      return;
    }
    const std::string holds = rows.empty()       ? "nothing"
                              : rows.size() == 1 ? "1 chunk"
                                                 : countedText(rows.size(), "chunk");
    const std::string should = wanted == 1 ? "one chunk" : std::to_string(wanted);
    add({m_device, -1, {}, name() + " holds " + holds + ", where it should hold " + should});
  }

  // Replicas end with the same shard, others with chunks of their own.
  void compareShard(const DeviceState& state, std::int64_t shard) {
    if (m_goal.after.chunks != Distribution::Chunks::OneEach) return;
    for (const auto& [other, held] : m_shards) {
      const int shared = state.firstOverlap(held.second);
      const std::string both = name() + " and device " + std::to_string(held.first.value());
      if (other == shard && held.second != state) {
        return add({m_device, -1, {}, both + " hold different chunks, and are replicas of one shard"});
      }
      if (other != shard && shared >= 0) {
        return add({m_device,
                    shared,
                    {},
                    both + " both hold chunk " + std::to_string(shared) + ", and are to end with different ones"});
      }
    }
    m_shards.try_emplace(shard, m_device, state);
  }

  void compareRow(const DeviceState& state, const DeviceState& wanted, int row) {
    DeviceGroup lacking;
    for (const int column : wanted.columns(row)) {
      if (!state.test(row, column)) lacking.push_back(m_devices[static_cast<std::size_t>(column)]);
    }
    const std::string chunk = "chunk " + std::to_string(row);
    if (wanted.rowEmpty(row) && !state.rowEmpty(row)) {
      return add({m_device, row, {}, name() + " still holds " + chunk + ", which only the root should"});
    }
    if (lacking.empty()) return;
    std::string sentence = state.rowEmpty(row) ? name() + " holds nothing of " + chunk
                                               : name() + " lacks " + listed(lacking) + " in " + chunk;
    add({m_device, row, std::move(lacking), std::move(sentence)});
  }

  [[nodiscard]] std::string name() const { return "device " + std::to_string(m_device.value()); }

  void add(MissingPart part) {
    ++parts.count;
    if (parts.parts.size() < m_most) parts.parts.push_back(std::move(part));
  }

  const Placement& m_placement;
  Goal m_goal;
  const DeviceGroup& m_devices;
  std::size_t m_most;
  Device m_device;
  std::map<std::int64_t, std::pair<Device, DeviceState>> m_shards;  // of members that hold enough, the first
};

}  // namespace

FailingPairs failingPairs(const Placement& placement, const ProgramTrace& trace, std::size_t most) {
  if (!trace.failure() || !trace.failure()->premise) return {};
  FailingPairs pairs;
  if (trace.isExplicit() || trace.chunks() <= kMostUnfolded) pairs = WrongStep(placement, trace, most).list();
  if (!pairs.pairs.empty()) return pairs;
  return {{*trace.failure()->premise}, 1, !trace.isExplicit()};
}

MissingParts missingParts(const Placement& placement, const ProgramTrace& trace, std::size_t most) {
  const bool stopsEarly = !trace.complete() && !trace.failure();
  if (!stopsEarly || (!trace.isExplicit() && trace.chunks() > kMostUnfolded)) return {};
  const DeviceGroup devices = placement.groupMembers(0);
  const std::vector<std::int64_t> sizes = trace.hierarchy().sizes();
  Shortfall shortfall(placement, trace, devices, most);
  shortfall.parts.representatives = !trace.isExplicit();
  for (int member = 0; member < static_cast<int>(devices.size()); ++member) {
    const Device device = devices[static_cast<std::size_t>(member)];
    if (trace.isExplicit()) {
      shortfall.look(member, trace.matrixOf(device, trace.validSteps()));
    } else if (digitsUpTo(MemberId(member), sizes, 1)) {
      shortfall.look(member, unfolded(trace.partsOf(device, trace.validSteps()), trace.chunks()));
    }
  }
  return std::move(shortfall.parts);
}

}  // namespace p2::inline synthesis
