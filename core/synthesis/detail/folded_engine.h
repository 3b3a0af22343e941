// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <variant>

#include "synthesis/detail/folded_holdings.h"
#include "synthesis/execution.h"
#include "synthesis/folded_state.h"

namespace p2::inline synthesis {

/// Largest reduction group that is followed device by device when a program turns out to be wrong.
inline constexpr std::int64_t kMostFoldedMembers = std::int64_t{1} << 18;

/// A member with its digits on some levels, the others 0: members equal on these levels hold the same if nothing they
/// hold depends on the other levels.
[[nodiscard]] MemberId keepingDigits(MemberId member, const std::vector<std::int64_t>& sizes, LevelSet kept);

/// Applies instructions to the members of one reduction group whose bit matrices are too large, with the answers that
/// ExplicitEngine would give. Unlike compact states it also follows programs that no longer lead to the goal, in which
/// devices of one class may come to hold different things. Hierarchies of the kind ReductionAxes.
class FoldedEngine {
 public:
  /// Holdings of every member, as numbers that partsOf() resolves.
  using States = std::vector<int>;

  FoldedEngine(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules,
               const Goal& goal = kAllReduceGoal);

  /// This state, device by device. O(k) ranges.
  [[nodiscard]] States statesOf(const CompactState& state);
  /// The members' data after the step, or the reason why the step cannot run. None if the data is too irregular to
  /// be followed in bounded time and memory.
  [[nodiscard]] std::optional<std::variant<States, StepFailure>> apply(const States& states,
                                                                       const Instruction& instruction);
  /// The reason why the step cannot run, or an empty optional within if it can, without its result. `isUniform`, equal:
  /// all members of one class hold the same (statesOf() a compact state), and the first groups of every kind are
  /// checked before the others: they nearly always decide. Nothing at all in the case described at apply().
  [[nodiscard]] std::optional<std::optional<StepFailure>> failureOf(const States& states,
                                                                    const Instruction& instruction, bool isUniform);
  /// Data of a member: states with disjoint rows. Empty if it holds nothing.
  [[nodiscard]] std::vector<FoldedState> partsOf(int holding) const;

 private:
  [[nodiscard]] std::optional<StepFailure> refusalOf(const States& states, const Instruction& instruction,
                                                     const std::vector<MemberGroup>& groups) const;
  /// Data of the members of a group after the step, or the premise that fails.
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

}  // namespace p2::inline synthesis
