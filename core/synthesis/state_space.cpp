// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/state_space.h"

#include <algorithm>
#include <bit>

#include "base/counted.h"

namespace p2::inline synthesis {
namespace {

void append(std::string& bytes, unsigned value) {
  bytes.push_back(static_cast<char>(value & 0xff));
  bytes.push_back(static_cast<char>(value >> 8));
}

unsigned allLevels(int levels) { return (1u << levels) - 1; }

void appendOrder(std::string& content, const ClassState& entry) {
  content.push_back(static_cast<char>(entry.splitCount));
  for (std::size_t i = 0; i < entry.splitCount; ++i) {
    const ClassState::Split& split = entry.splits[i];
    append(content, static_cast<unsigned>(split.level | (split.barrier ? 0x80 : 0) | split.gatheredAfter << 8));
  }
}

}  // namespace

StateSpace::StateSpace(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit, const Goal& goal)
    : m_levels(static_cast<int>(sizes.size())),
      m_rules(rules),
      m_limit(limit),
      m_goal(goal),
      m_first(CompactState::of(goal.before, m_levels)),
      m_wanted(CompactState::of(goal.after, m_levels).classes[0]),
      m_selections(sizes) {
  for (const GroupPattern& pattern : groupPatterns(m_levels, goal.after.replicated)) {
    for (const Collective collective : kCollectives) {
      if (goal.collectives.contains(collective)) m_instructions.push_back({pattern, collective});
    }
    if (pattern.along != Along::All) m_along.push_back(pattern.levels());
  }
}

std::vector<StateSpace::Step> StateSpace::stepsFrom(const CompactState& state, int depth) {
  std::vector<Step> steps;
  if (depth >= m_limit || isGoal(state)) return steps;
  for (const Instruction& instruction : m_instructions) {
    if (!isAllowed(state, instruction, m_levels, m_rules)) continue;
    auto after = applyCompact(state, instruction, m_selections);
    if (after && mayEnd(*after, depth + 1)) steps.push_back({instruction, std::move(*after)});
  }
  return steps;
}

bool StateSpace::mayEnd(const CompactState& state, int depth) {
  return depth + stepsNeeded(state) <= m_limit && !isDeadEnd(state);
}

// The devices that are first everywhere are a root in each of their groups, so they must take part in summing every run
// of levels that is not summed yet, one instruction covering one run or the levels of Shards or Replicas, and gather if
// more is split than is wanted.
int StateSpace::stepsNeeded(const CompactState& state) {
  const ClassState& first = state.classes[0];
  const unsigned unsummed = m_wanted.summed & ~unsigned{first.summed};
  const int reducing = fewestSums(unsummed);
  if ((first.splitLevels() & ~unsigned{m_wanted.splitLevels()}) != 0) return reducing + 1;
  return reducing == 0 && !isGoal(state) ? 1 : reducing;
}

int StateSpace::fewestSums(unsigned unsummed) const {
  const int runs = std::popcount(unsummed & ~(unsummed << 1));
  if (runs < 2 || m_along.empty()) return runs;
  return std::find(m_along.begin(), m_along.end(), unsummed) != m_along.end() ? 1 : 2;
}

// The devices that are first on every level take part in every instruction. The levels they still have to sum or gather
// over must vary within some group, whose members must then hold the same as they do. Until then the devices that are
// first in all other levels are roots in their groups and receive no broadcast: they cannot make up for steps that the
// first devices did without them. Nor can a level be scattered once it is summed, except by a Scatter.
bool StateSpace::isDeadEnd(const CompactState& state) const {
  const ClassState& first = state.classes[0];
  const unsigned whole = first.summed & ~unsigned{first.splitLevels()};
  if (!m_goal.collectives.contains(Collective::Scatter) && (whole & m_wanted.splitLevels()) != 0) return true;
  const unsigned open =
      (m_wanted.summed & ~unsigned{first.summed}) | (first.splitLevels() & ~unsigned{m_wanted.splitLevels()});
  for (unsigned entry = open; entry != 0; entry = (entry - 1) & open) {
    if (state.classes[entry] != first) return true;
  }
  return false;
}

// Classes hold few different things, so each thing is written once, and for every class which one it holds.
std::string StateSpace::keyOf(const CompactState& state) {
  const bool cutsRemain =
      state.classes[0].summed != allLevels(m_levels) || m_goal.collectives.contains(Collective::Scatter);
  std::string key;
  std::vector<std::pair<const ClassState*, std::size_t>> met;
  std::vector<std::string> contents;
  std::vector<int> selections;
  for (const ClassState& entry : state.classes) {
    const auto known = std::find_if(met.begin(), met.end(), [&](const auto& other) { return *other.first == entry; });
    if (known != met.end()) {
      key.push_back(static_cast<char>(known->second));
      continue;
    }
    const std::string content = contentOf(entry, cutsRemain, selections);
    const auto same = static_cast<std::size_t>(std::find(contents.begin(), contents.end(), content) - contents.begin());
    if (same == contents.size()) contents.push_back(content);
    met.emplace_back(&entry, same);
    key.push_back(static_cast<char>(same));
  }
  for (const std::string& content : contents) key += content;
  return key;
}

std::string StateSpace::contentOf(const ClassState& entry, bool cutsRemain, std::vector<int>& selections) {
  std::string content;
  content.push_back(entry.present ? 1 : 0);
  if (!entry.present) return content;
  append(content, entry.summed);
  append(content, entry.splitLevels());
  if (m_rules == RuleSet::All && cutsRemain) {
    appendOrder(content, entry);
  } else if (m_rules == RuleSet::All) {
    appendSelections(content, entry, selections);
  }
  return content;
}

// Only which selections are the same is written, not which they are.
void StateSpace::appendSelections(std::string& content, const ClassState& entry, std::vector<int>& met) {
  for (int level = 1; level <= m_levels; ++level) {
    if ((entry.splitLevels() >> (level - 1) & 1) == 0) continue;
    const int number = m_selections.numberOf(entry, level);
    const auto known = std::find(met.begin(), met.end(), number);
    content.push_back(static_cast<char>(known - met.begin()));
    if (known == met.end()) met.push_back(number);
  }
}

Result<void> checkSynthesisLevels(std::size_t levels) {
  if (levels <= static_cast<std::size_t>(kMostSynthesisLevels)) return {};
  return Error{"the reduction spans " + countedText(levels, "level") + "; programs are synthesized for at most " +
                   std::to_string(kMostSynthesisLevels),
               {},
               ErrorKind::TooLarge};
}

}  // namespace p2::inline synthesis
