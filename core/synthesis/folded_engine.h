// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <variant>

#include "synthesis/execution.h"
#include "synthesis/folded_holdings.h"
#include "synthesis/folded_state.h"

namespace p2 {

/// Largest reduction group that is followed device by device when a program turns out to be wrong.
inline constexpr std::int64_t kMostFoldedMembers = std::int64_t{1} << 18;

/// A member with its digits on some levels alone, the others 0: members alike in it hold the same if nothing that they
/// hold depends on the other levels.
[[nodiscard]] MemberId keepingDigits(MemberId member, const std::vector<std::int64_t>& sizes, LevelSet kept);

/// Applies instructions to the members of one reduction group whose bit matrices are too large, with the answers that
/// ExplicitEngine would give. Unlike compact states it also follows programs that no longer lead to the goal, in which
/// devices of one class may come to hold different things. Hierarchies of the kind ReductionAxes.
class FoldedEngine {
 public:
  /// What every member holds, as numbers that partsOf() resolves.
  using States = std::vector<int>;

  FoldedEngine(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules,
               const Goal& goal = kAllReduceGoal);

  /// The same state, device by device. O(k) ranges.
  [[nodiscard]] States statesOf(const CompactState& state);
  /// Either what the members hold afterwards or why the step cannot run. Nothing when what they hold has become too
  /// irregular to be followed in bounded time and memory.
  [[nodiscard]] std::optional<std::variant<States, StepFailure>> apply(const States& states,
                                                                       const Instruction& instruction);
  /// Why the step cannot run, or nothing within if it can, without what it leads to. With `alike`, all members of one
  /// class hold alike (statesOf() a compact state), and the first groups of every kind are tried before the others:
  /// they nearly always tell. Nothing at all as in apply().
  [[nodiscard]] std::optional<std::optional<StepFailure>> failureOf(const States& states,
                                                                    const Instruction& instruction, bool alike);
  /// What a member holds: states with disjoint rows. Empty if it holds nothing.
  [[nodiscard]] std::vector<FoldedState> partsOf(int holding) const;

 private:
  [[nodiscard]] std::optional<StepFailure> refusalOf(const States& states, const Instruction& instruction,
                                                     const std::vector<MemberGroup>& groups) const;
  /// What the members of a group hold afterwards, or the premise that fails.
  [[nodiscard]] std::optional<std::variant<std::vector<int>, PremiseFailure>> applyTo(const MemberGroup& group,
                                                                                      const States& states,
                                                                                      Collective collective);

  const SynthesisHierarchy& m_hierarchy;
  RuleSet m_rules;
  Goal m_goal;
  std::vector<std::int64_t> m_sizes;
  DeviceGroup m_devices;  // of every member
  FoldedHoldings m_holdings;
};

}  // namespace p2
