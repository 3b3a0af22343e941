// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/folded_engine.h"

#include <algorithm>

#include "collective/collective_traits.h"
#include "synthesis/detail/explicit_engine.h"
#include "synthesis/detail/folded_rule.h"

namespace p2::inline synthesis {
namespace {

constexpr std::size_t kMostRanges = std::size_t{1} << 22;

/// Whether no digit is above 1: no member of its class has a lower number.
bool isFirstOfItsClass(MemberId member, const std::vector<std::int64_t>& sizes) {
  std::int64_t rest = member.value();
  for (std::size_t level = sizes.size(); level-- > 0; rest /= sizes[level]) {
    if (rest % sizes[level] > 1) return false;
  }
  return true;
}

}  // namespace

MemberId keepingDigits(MemberId member, const std::vector<std::int64_t>& sizes, LevelSet kept) {
  std::int64_t rest = member.value();
  std::int64_t result = 0;
  std::int64_t stride = 1;
  for (std::size_t level = sizes.size(); level-- > 0; rest /= sizes[level], stride *= sizes[level]) {
    if ((kept >> level & 1) != 0) result += rest % sizes[level] * stride;
  }
  return MemberId(result);
}

FoldedEngine::FoldedEngine(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules,
                           const Goal& goal)
    : m_hierarchy(hierarchy),
      m_rules(rules),
      m_goal(goal),
      m_sizes(hierarchy.sizes()),
      m_devices(placement.groupMembers(0)) {}

FoldedEngine::States FoldedEngine::statesOf(const CompactState& state) {
  // Devices that agree in the digits a set depends on have the same set; each is worked out once.
  std::map<std::pair<std::size_t, MemberId>, int> rowsOf;
  std::map<std::pair<LevelSet, MemberId>, int> columnsOf;
  States states;
  for (const MemberId member : IdRange<MemberId>(std::ssize(m_devices))) {
    const std::size_t entry = classOf(member, m_sizes);
    const ClassState& own = state.classes[entry];
    if (!own.present) {
      states.push_back(0);
      continue;
    }
    const auto rest = static_cast<LevelSet>(~unsigned{own.summed});
    const auto rows = rowsOf.try_emplace({entry, keepingDigits(member, m_sizes, own.splitLevels())}, -1).first;
    const auto columns = columnsOf.try_emplace({own.summed, keepingDigits(member, m_sizes, rest)}, -1).first;
    if (rows->second < 0) rows->second = m_holdings.numberOf(foldedRows(state, m_sizes, member));
    if (columns->second < 0) columns->second = m_holdings.numberOf(foldedColumns(state, m_sizes, member));
    states.push_back(m_holdings.holdingOf({{rows->second, columns->second}}));
  }
  return states;
}

std::optional<StepFailure> FoldedEngine::refusalOf(const States& states, const Instruction& instruction,
                                                   const std::vector<MemberGroup>& groups) const {
  if (!m_goal.collectives.contains(instruction.collective)) {
    return StepFailure{{}, foreignSentence(instruction.collective, m_goal)};
  }
  if (m_rules == RuleSet::All || !instruction.pattern.master) return std::nullopt;
  if (!traitsOf(instruction.collective).forMasters) return StepFailure{{}, noMasterSentence(instruction.collective)};
  std::vector<bool> takesPart(states.size(), false);
  for (const MemberGroup& group : groups) {
    for (const MemberId member : group) takesPart[member.index()] = true;
  }
  for (std::size_t member = 0; member < states.size(); ++member) {
    if (!takesPart[member] && states[member] != 0) return StepFailure{{}, masterSentence(m_devices[member])};
  }
  return std::nullopt;
}

std::optional<std::variant<FoldedEngine::States, StepFailure>> FoldedEngine::apply(const States& states,
                                                                                   const Instruction& instruction) {
  using Outcome = std::variant<States, StepFailure>;
  const std::vector<MemberGroup> groups = m_hierarchy.memberGroups(instruction.pattern);
  if (auto refusal = refusalOf(states, instruction, groups)) return Outcome(std::move(*refusal));
  States after = states;
  for (const MemberGroup& group : groups) {
    auto outcome = applyTo(group, states, instruction.collective);
    if (!outcome) return std::nullopt;
    if (auto* failure = std::get_if<PremiseFailure>(&*outcome)) {
      std::string sentence = failure->sentence;
      return Outcome(StepFailure{std::move(*failure), std::move(sentence)});
    }
    const auto& result = std::get<std::vector<int>>(*outcome);
    for (std::size_t i = 0; i < group.size(); ++i) after[group[i].index()] = result[i];
  }
  return Outcome(std::move(after));
}

std::optional<std::variant<std::vector<int>, PremiseFailure>> FoldedEngine::applyTo(const MemberGroup& group,
                                                                                    const States& states,
                                                                                    Collective collective) {
  GroupNames names{{}, m_devices};
  std::vector<int> members;
  for (const MemberId member : group) {
    members.push_back(states[member.index()]);
    names.devices.push_back(m_devices[member.index()]);
  }
  auto outcome = FoldedRule(collective, m_holdings, members, names).apply();
  if (m_holdings.rangeCount() > kMostRanges) return std::nullopt;
  return outcome;
}

std::optional<std::optional<StepFailure>> FoldedEngine::failureOf(const States& states, const Instruction& instruction,
                                                                  bool isUniform) {
  std::vector<MemberGroup> groups = m_hierarchy.memberGroups(instruction.pattern);
  if (auto refusal = refusalOf(states, instruction, groups)) return refusal;
  // By an accident of sizes a premise can hold in the first group of a kind and not in its others.
  if (isUniform) {
    std::stable_partition(groups.begin(), groups.end(),
                          [&](const MemberGroup& group) { return isFirstOfItsClass(group[0], m_sizes); });
  }
  for (const MemberGroup& group : groups) {
    auto outcome = applyTo(group, states, instruction.collective);
    if (!outcome) return std::nullopt;
    if (auto* failure = std::get_if<PremiseFailure>(&*outcome)) {
      std::string sentence = failure->sentence;
      return StepFailure{std::move(*failure), std::move(sentence)};
    }
  }
  return std::optional<StepFailure>{};
}

std::vector<FoldedState> FoldedEngine::partsOf(int holding) const {
  std::vector<FoldedState> parts;
  for (const FoldedBlock& block : m_holdings.holding(holding).blocks) {
    parts.push_back(
        {static_cast<std::int64_t>(m_devices.size()), m_holdings.set(block.rows), m_holdings.set(block.columns)});
  }
  return parts;
}

}  // namespace p2::inline synthesis
