// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/explicit_engine.h"

#include <algorithm>

namespace p2 {

std::string masterSentence(Device holder) {
  return "the rule set paper uses Master only when all other devices are empty, but device " + std::to_string(holder) +
         " holds something";
}

std::string noMasterSentence(Collective collective) {
  return "the rule set paper does not use Master with " + std::string(nameOf(collective));
}

ExplicitEngine::ExplicitEngine(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules,
                               const Goal& goal)
    : m_hierarchy(hierarchy), m_rules(rules), m_goal(goal), m_k(static_cast<int>(placement.groupSize())) {
  const bool oneGroup = hierarchy.kind() == HierarchyKind::ReductionAxes;
  const Device groups = oneGroup ? 1 : placement.groupCount();
  for (Device group = 0; group < groups; ++group) m_contributors.push_back(placement.groupMembers(group));
  if (oneGroup) {
    m_devices = m_contributors[0];
  } else {
    for (Device device = 0; device < placement.deviceCount(); ++device) m_devices.push_back(device);
  }
  for (const Device device : m_devices) {
    m_reductionGroup.push_back(oneGroup ? 0 : placement.groupOf(device));
    const std::vector<Device>& group = m_contributors[std::size_t(m_reductionGroup.back())];
    m_ownColumn.push_back(static_cast<int>(std::find(group.begin(), group.end(), device) - group.begin()));
    m_wanted.push_back(m_goal.after.stateOf(m_k, m_ownColumn.back()));
  }
}

ExplicitEngine::States ExplicitEngine::initial() const {
  States states;
  for (const int column : m_ownColumn) states.push_back(m_goal.before.stateOf(m_k, column));
  return states;
}

bool ExplicitEngine::isGoal(const States& states) const {
  std::vector<DeviceState> dealt(m_contributors.size(), DeviceState(m_k));  // by reduction group, when nobody shares
  for (std::size_t member = 0; member < states.size(); ++member) {
    if (!m_goal.after.allows(states[member], m_wanted[member])) return false;
    if (m_goal.after.chunks != Distribution::Chunks::OneEach) continue;
    DeviceState& others = dealt[std::size_t(m_reductionGroup[member])];
    if (states[member].firstOverlap(others) >= 0) return false;
    others.unite(states[member]);
  }
  return true;
}

const std::vector<DeviceGroup>& ExplicitEngine::groupsOf(const GroupPattern& pattern) {
  const auto known = m_groups.find(pattern);
  if (known != m_groups.end()) return known->second;
  const bool oneGroup = m_hierarchy.kind() == HierarchyKind::ReductionAxes;
  return m_groups.emplace(pattern, oneGroup ? m_hierarchy.memberGroups(pattern) : m_hierarchy.groups(pattern))
      .first->second;
}

std::string ExplicitEngine::refusalOf(const States& states, const Instruction& instruction,
                                      const std::vector<DeviceGroup>& groups) const {
  for (const DeviceGroup& group : groups) {
    for (const Device member : group) {
      if (m_reductionGroup[std::size_t(member)] == m_reductionGroup[std::size_t(group[0])]) continue;
      return "device " + std::to_string(m_devices[std::size_t(group[0])]) + " and device " +
             std::to_string(m_devices[std::size_t(member)]) + " are not to be reduced together";
    }
  }
  if (m_rules == RuleSet::All || !instruction.pattern.master) return {};
  if (!traitsOf(instruction.collective).forMasters) return noMasterSentence(instruction.collective);
  std::vector<bool> takesPart(m_devices.size(), false);
  for (const DeviceGroup& group : groups) {
    for (const Device member : group) takesPart[std::size_t(member)] = true;
  }
  for (std::size_t member = 0; member < states.size(); ++member) {
    if (takesPart[member] || states[member].empty()) continue;
    return masterSentence(m_devices[member]);
  }
  return {};
}

const std::vector<Device>& ExplicitEngine::contributorsOf(Device member) const {
  return m_contributors[std::size_t(m_reductionGroup[std::size_t(member)])];
}

std::variant<ExplicitEngine::States, PremiseFailure, ExplicitEngine::Refusal> ExplicitEngine::apply(
    const States& states, const Instruction& instruction) {
  const std::vector<DeviceGroup>& groups = groupsOf(instruction.pattern);
  if (std::string refusal = refusalOf(states, instruction, groups); !refusal.empty()) {
    return Refusal{std::move(refusal)};
  }
  States after = states;
  std::vector<const DeviceState*> members;
  GroupNames names;
  for (const DeviceGroup& group : groups) {
    members.clear();
    names.devices.clear();
    names.contributors = contributorsOf(group[0]);
    for (const Device member : group) {
      members.push_back(&states[std::size_t(member)]);
      names.devices.push_back(m_devices[std::size_t(member)]);
    }
    auto outcome = applyRule(instruction.collective, members, names);
    if (auto* failure = std::get_if<PremiseFailure>(&outcome)) return std::move(*failure);
    auto& result = std::get<std::vector<DeviceState>>(outcome);
    for (std::size_t i = 0; i < group.size(); ++i) after[std::size_t(group[i])] = std::move(result[i]);
  }
  return after;
}

}  // namespace p2
