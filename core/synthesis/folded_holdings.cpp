// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/folded_holdings.h"

#include <algorithm>
#include <unordered_set>

namespace p2::inline synthesis {
namespace {

std::size_t hashOf(const ChunkSet& set) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const ChunkRange& range : set) {
    for (const std::int64_t end : {range.from, range.to}) {
      hash = (hash ^ static_cast<std::uint64_t>(end)) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
  }
  return static_cast<std::size_t>(hash);
}

}  // namespace

FoldedHoldings::FoldedHoldings() {
  (void)numberOf({});
  m_holdings.emplace_back();
  m_holdingNumbers.emplace(std::vector<FoldedBlock>{}, 0);
}

int FoldedHoldings::numberOf(ChunkSet set) {
  const std::size_t hash = hashOf(set);
  const auto [first, last] = m_setNumbers.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (this->set(known->second) == set) return known->second;
  }
  const int number = static_cast<int>(m_sets.size());
  m_ranges += set.size() + 1;
  m_counts.push_back(countOf(set));
  m_sets.push_back(std::move(set));
  m_setNumbers.emplace(hash, number);
  return number;
}

int FoldedHoldings::unionOf(const std::vector<int>& sets) {
  ChunkSet all;
  for (const int number : sets) all.insert(all.end(), set(number).begin(), set(number).end());
  return numberOf(merged(std::move(all)));
}

bool FoldedHoldings::areDisjoint(const std::vector<int>& sets) const {
  std::int64_t sum = 0;
  ChunkSet all;
  for (const int number : sets) {
    sum += count(number);
    all.insert(all.end(), set(number).begin(), set(number).end());
  }
  return countOf(merged(std::move(all))) == sum;
}

int FoldedHoldings::firstOverlapping(const std::vector<int>& sets) const {
  // A set that comes twice overlaps with itself; before the first such one all are different.
  std::unordered_set<int> seen;
  std::size_t different = 0;
  while (different < sets.size() && (sets[different] == 0 || seen.insert(sets[different]).second)) ++different;
  const auto prefix = [&](std::size_t length) {
    return std::vector<int>(sets.begin(), sets.begin() + static_cast<std::ptrdiff_t>(length));
  };
  if (areDisjoint(prefix(different))) return different == sets.size() ? -1 : static_cast<int>(different);
  std::size_t disjoint = 1;
  std::size_t overlapping = different;
  while (overlapping - disjoint > 1) {
    const std::size_t middle = (disjoint + overlapping) / 2;
    (areDisjoint(prefix(middle)) ? disjoint : overlapping) = middle;
  }
  return static_cast<int>(disjoint);
}

int FoldedHoldings::holdingOf(const std::vector<FoldedBlock>& blocks) {
  std::map<int, std::vector<int>> rowsOf;  // by columns
  std::vector<int> all;
  for (const FoldedBlock& block : blocks) {
    if (block.rows == 0) continue;
    rowsOf[block.columns].push_back(block.rows);
    all.push_back(block.rows);
  }
  std::vector<FoldedBlock> canonical;
  for (const auto& [columns, rows] : rowsOf) {
    canonical.push_back({rows.size() == 1 ? rows[0] : unionOf(rows), columns});
  }
  const auto [known, isNew] = m_holdingNumbers.try_emplace(canonical, static_cast<int>(m_holdings.size()));
  if (isNew) m_holdings.push_back({std::move(canonical), all.size() == 1 ? all[0] : unionOf(all)});
  return known->second;
}

}  // namespace p2::inline synthesis
