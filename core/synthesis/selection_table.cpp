// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/selection_table.h"

#include <algorithm>

namespace p2::inline synthesis {
namespace {

/// The chunks that the level's digit alone selects: later splits do not matter, and the other levels are gathered.
/// Levels gathered before the scatter over this level stay gathered, since its blocks are parts of that data.
ClassState selectionOf(const ClassState& state, int level) {
  ClassState selection;
  selection.present = true;
  std::uint8_t segment = 0;
  for (std::size_t i = 0; i == 0 || state.splits[i - 1].level != level; ++i) {
    if (i == 0 || state.splits[i].barrier) ++segment;
    selection.splits[i] = state.splits[i];
    ++selection.splitCount;
  }
  for (std::size_t i = 0; i + 1 < selection.splitCount; ++i) {
    ClassState::Split& split = selection.splits[i];
    if (split.gatheredAfter == 0 || split.gatheredAfter > segment) split.gatheredAfter = segment;
  }
  selection.splits[selection.splitCount - 1].gatheredAfter = 0;
  return selection;
}

}  // namespace

int SelectionTable::numberOf(const ClassState& state, int level) {
  const auto [known, isNew] = m_known.try_emplace(selectionOf(state, level));
  if (!isNew) return known->second;
  const ClassState& selection = known->first;
  std::vector<Numbered>& candidates = m_byFirstDigit[{level, chunksAt(selection, level, 0)}];
  const auto same = std::find_if(candidates.begin(), candidates.end(), [&](const Numbered& candidate) {
    return selectSame(candidate.selection, selection, level);
  });
  if (same != candidates.end()) return known->second = same->number;
  candidates.push_back({selection, m_count});
  return known->second = m_count++;
}

bool SelectionTable::within(const ClassState& inner, const ClassState& outer) {
  if (inner.splits == outer.splits) return true;
  const LevelSet levels = outer.splitLevels();
  if ((levels & ~inner.splitLevels()) != 0) return false;
  for (int level = 1; level <= static_cast<int>(m_sizes.size()); ++level) {
    if ((levels >> (level - 1) & 1) != 0 && numberOf(inner, level) != numberOf(outer, level)) return false;
  }
  return true;
}

bool SelectionTable::equal(const ClassState& a, const ClassState& b) {
  if (a == b) return true;
  return a.present == b.present && a.summed == b.summed && a.splitLevels() == b.splitLevels() && within(a, b);
}

ChunkSet SelectionTable::chunksAt(const ClassState& selection, int level, std::int64_t digit) const {
  std::vector<std::int64_t> digits(m_sizes.size(), 0);
  digits[static_cast<std::size_t>(level) - 1] = digit;
  return chunksOf(selection, m_sizes, digits);
}

bool SelectionTable::selectSame(const ClassState& a, const ClassState& b, int level) const {
  for (std::int64_t digit = 1; digit < m_sizes[static_cast<std::size_t>(level) - 1]; ++digit) {
    if (chunksAt(a, level, digit) != chunksAt(b, level, digit)) return false;
  }
  return true;
}

}  // namespace p2::inline synthesis
