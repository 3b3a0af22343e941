// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "collective/goal.h"
#include "collective/rules.h"
#include "synthesis/instruction.h"
#include "synthesis/state_graph.h"

namespace p2::inline synthesis {

/// Why the rule set `paper` forbids a Master instruction: it would leave out a device that holds something, or its
/// collective is not for masters.
[[nodiscard]] std::string masterSentence(Device holder);
[[nodiscard]] std::string noMasterSentence(Collective collective);
/// Why a program for that goal has no such step.
[[nodiscard]] std::string foreignSentence(Collective collective, const Goal& goal);

/// Applies instructions to bit matrices, one per member of a hierarchy (paper §3.2, §3.3).
class ExplicitEngine {
 public:
  using States = std::vector<DeviceState>;
  /// Why the rule set or the reduction forbids an instruction whose premises were not even tried.
  struct Refusal {
    std::string sentence;
  };

  ExplicitEngine(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules,
                 const Goal& goal = kAllReduceGoal);

  [[nodiscard]] States initial() const;
  [[nodiscard]] bool isGoal(const States& states) const;
  [[nodiscard]] std::variant<States, PremiseFailure, Refusal> apply(const States& states,
                                                                    const Instruction& instruction);
  [[nodiscard]] std::size_t memberCount() const { return m_devices.size(); }

 private:
  const std::vector<MemberGroup>& groupsOf(const GroupPattern& pattern);
  [[nodiscard]] std::string refusalOf(const States& states, const Instruction& instruction,
                                      const std::vector<MemberGroup>& groups) const;
  [[nodiscard]] const DeviceGroup& contributorsOf(MemberId member) const;

  const SynthesisHierarchy& m_hierarchy;
  RuleSet m_rules;
  Goal m_goal;
  States m_wanted;                            // final data of every member, chunks scattered in the members' order
  std::vector<std::size_t> m_shard;           // by member; reduction groups one after another
  DeviceGroup m_devices;                      // of every member
  std::vector<std::size_t> m_reductionGroup;  // of every member
  std::vector<int> m_ownColumn;               // of every member in its reduction group
  std::vector<DeviceGroup> m_contributors;    // devices behind the columns, per reduction group
  int m_k = 0;
  std::map<GroupPattern, std::vector<MemberGroup>> m_groups;
};

}  // namespace p2::inline synthesis
