// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/explicit_engine.h"

#include <algorithm>

namespace p2::inline synthesis {
namespace {

/// Of hierarchies whose members are all devices, each under its own number.
std::vector<MemberGroup> membersIn(const std::vector<DeviceGroup>& groups) {
  std::vector<MemberGroup> result;
  result.reserve(groups.size());
  for (const DeviceGroup& group : groups) {
    MemberGroup& members = result.emplace_back();
    for (const Device device : group) members.emplace_back(device.value());
  }
  return result;
}

}  // namespace

std::string masterSentence(Device holder) {
  return "the rule set paper uses Master only when all other devices are empty, but device " +
         std::to_string(holder.value()) + " holds something";
}

std::string noMasterSentence(Collective collective) {
  return "the rule set paper does not use Master with " + std::string(nameOf(collective));
}

std::string foreignSentence(Collective collective, const Goal& goal) {
  return std::string(nameOf(collective)) + " is not a step towards " + std::string(goal.name) + "; use " +
         namesOf(goal.collectives);
}

ExplicitEngine::ExplicitEngine(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules,
                               const Goal& goal)
    : m_hierarchy(hierarchy),
      m_rules(rules),
      m_goal(goalOn(hierarchy, goal)),
      m_k(static_cast<int>(placement.groupSize())) {
  const bool oneGroup = hierarchy.kind() == HierarchyKind::ReductionAxes;
  const std::int64_t groups = oneGroup ? 1 : placement.groupCount();
  for (std::int64_t group = 0; group < groups; ++group) m_contributors.push_back(placement.groupMembers(group));
  if (oneGroup) {
    m_devices = m_contributors[0];
  } else {
    for (const Device device : placement.devices()) m_devices.push_back(device);
  }
  for (const Device device : m_devices) {
    m_reductionGroup.push_back(oneGroup ? 0 : static_cast<std::size_t>(placement.groupOf(device)));
    const DeviceGroup& group = m_contributors[m_reductionGroup.back()];
    m_ownColumn.push_back(static_cast<int>(std::find(group.begin(), group.end(), device) - group.begin()));
    const Shard shard{placement.shardOf(device), placement.shardCount()};
    m_shard.push_back(m_reductionGroup.back() * static_cast<std::size_t>(shard.count) +
                      static_cast<std::size_t>(shard.number));
    m_wanted.push_back(m_goal.after.stateOf(m_k, m_ownColumn.back(), shard));
  }
}

ExplicitEngine::States ExplicitEngine::initial() const {
  States states;
  for (const int column : m_ownColumn) states.push_back(m_goal.before.stateOf(m_k, column));
  return states;
}

bool ExplicitEngine::isGoal(const States& states) const {
  std::vector<DeviceState> scattered(m_contributors.size(),
                                     DeviceState(m_k));  // by reduction group, of different shards
  std::vector<const DeviceState*> shards(m_wanted.size(), nullptr);
  for (std::size_t member = 0; member < states.size(); ++member) {
    if (!m_goal.after.allows(states[member], m_wanted[member])) return false;
    if (m_goal.after.chunks != Distribution::Chunks::OneEach) continue;
    const DeviceState*& shard = shards[m_shard[member]];
    if (shard != nullptr) {
      if (states[member] != *shard) return false;
      continue;
    }
    shard = &states[member];
    DeviceState& others = scattered[m_reductionGroup[member]];
    if (states[member].firstOverlap(others) >= 0) return false;
    others.unite(states[member]);
  }
  return true;
}

const std::vector<MemberGroup>& ExplicitEngine::groupsOf(const GroupPattern& pattern) {
  const auto known = m_groups.find(pattern);
  if (known != m_groups.end()) return known->second;
  const bool oneGroup = m_hierarchy.kind() == HierarchyKind::ReductionAxes;
  return m_groups
      .emplace(pattern, oneGroup ? m_hierarchy.memberGroups(pattern) : membersIn(m_hierarchy.groups(pattern)))
      .first->second;
}

std::string ExplicitEngine::refusalOf(const States& states, const Instruction& instruction,
                                      const std::vector<MemberGroup>& groups) const {
  if (!m_goal.collectives.contains(instruction.collective)) return foreignSentence(instruction.collective, m_goal);
  for (const MemberGroup& group : groups) {
    for (const MemberId member : group) {
      if (m_reductionGroup[member.index()] == m_reductionGroup[group[0].index()]) continue;
      return "device " + std::to_string(m_devices[group[0].index()].value()) + " and device " +
             std::to_string(m_devices[member.index()].value()) + " are not to be reduced together";
    }
  }
  if (m_rules == RuleSet::All || !instruction.pattern.master) return {};
  if (!traitsOf(instruction.collective).forMasters) return noMasterSentence(instruction.collective);
  std::vector<bool> takesPart(m_devices.size(), false);
  for (const MemberGroup& group : groups) {
    for (const MemberId member : group) takesPart[member.index()] = true;
  }
  for (std::size_t member = 0; member < states.size(); ++member) {
    if (takesPart[member] || states[member].empty()) continue;
    return masterSentence(m_devices[member]);
  }
  return {};
}

const DeviceGroup& ExplicitEngine::contributorsOf(MemberId member) const {
  return m_contributors[m_reductionGroup[member.index()]];
}

std::variant<ExplicitEngine::States, PremiseFailure, ExplicitEngine::Refusal> ExplicitEngine::apply(
    const States& states, const Instruction& instruction) {
  const std::vector<MemberGroup>& groups = groupsOf(instruction.pattern);
  if (std::string refusal = refusalOf(states, instruction, groups); !refusal.empty()) {
    return Refusal{std::move(refusal)};
  }
  States after = states;
  std::vector<const DeviceState*> members;
  GroupNames names;
  for (const MemberGroup& group : groups) {
    members.clear();
    names.devices.clear();
    names.contributors = contributorsOf(group[0]);
    for (const MemberId member : group) {
      members.push_back(&states[member.index()]);
      names.devices.push_back(m_devices[member.index()]);
    }
    auto outcome = applyRule(instruction.collective, members, names);
    if (auto* failure = std::get_if<PremiseFailure>(&outcome)) return std::move(*failure);
    auto& result = std::get<std::vector<DeviceState>>(outcome);
    for (std::size_t i = 0; i < group.size(); ++i) after[group[i].index()] = std::move(result[i]);
  }
  return after;
}

}  // namespace p2::inline synthesis
