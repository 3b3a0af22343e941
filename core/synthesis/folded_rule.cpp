// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/folded_rule.h"

#include <algorithm>
#include <set>

#include "collective/holding_rule.h"

namespace p2::inline synthesis {
namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 24;  // entries of a table of atoms by members

bool contains(const ChunkSet& set, std::int64_t chunk) {
  const auto after = std::upper_bound(set.begin(), set.end(), chunk,
                                      [](std::int64_t value, const ChunkRange& range) { return value < range.from; });
  return after != set.begin() && chunk < std::prev(after)->to;
}

}  // namespace

FoldedRule::FoldedRule(Collective collective, FoldedHoldings& holdings, const std::vector<int>& members,
                       const GroupNames& names)
    : m_rule(collective), m_holdings(holdings), m_members(members), m_failures(collective, names) {}

std::optional<std::variant<std::vector<int>, PremiseFailure>> FoldedRule::apply() {
  using Outcome = std::variant<std::vector<int>, PremiseFailure>;
  const CollectiveTraits& rule = traitsOf(m_rule);
  for (const Premise premise : rule.premises) {
    if (premise == Premise::ColumnsDisjoint && !findAtoms()) return std::nullopt;
    if (auto failure = failureOf(premise, *this)) return Outcome(std::move(*failure));
  }
  return Outcome(effectOf(rule, *this));
}

std::vector<int> FoldedRule::rowsOfAll() const {
  std::vector<int> all;
  for (std::size_t i = 0; i < m_members.size(); ++i) all.push_back(holding(i).rows);
  return all;
}

std::optional<PremiseFailure> FoldedRule::membersNonEmpty() const {
  const auto empty = std::find(m_members.begin(), m_members.end(), 0);
  if (empty == m_members.end()) return std::nullopt;
  return m_failures.memberIsEmpty(static_cast<std::size_t>(empty - m_members.begin()));
}

std::optional<PremiseFailure> FoldedRule::rowsEqual() const {
  for (std::size_t i = 1; i < m_members.size(); ++i) {
    if (holding(i).rows == holding(0).rows) continue;
    const ChunkSet onlyRoot = withoutOf(rows(0), rows(i));
    const ChunkSet onlyOther = withoutOf(rows(i), rows(0));
    const bool here = onlyOther.empty() || (!onlyRoot.empty() && onlyRoot[0].from < onlyOther[0].from);
    const auto row = static_cast<int>(here ? onlyRoot[0].from : onlyOther[0].from);
    return m_failures.chunkOfOne(row, here ? 0 : i, here ? i : 0);
  }
  return std::nullopt;
}

std::optional<PremiseFailure> FoldedRule::columnsDisjoint() const {
  int second = -1;
  std::int64_t row = 0;
  const Atom* where = nullptr;
  for (const Atom& atom : m_atoms) {
    const int overlapping = m_holdings.firstOverlapping(atom.columns);
    if (overlapping < 0 || (where != nullptr && overlapping > second)) continue;
    const std::int64_t first = m_holdings.set(atom.rows)[0].from;
    if (where != nullptr && overlapping == second && first > row) continue;
    second = overlapping;
    row = first;
    where = &atom;
  }
  if (where == nullptr) return std::nullopt;
  const auto later = static_cast<std::size_t>(second);
  for (std::size_t earlier = 0;; ++earlier) {
    const ChunkSet common = commonOf(m_holdings.set(where->columns[earlier]), m_holdings.set(where->columns[later]));
    if (common.empty()) continue;
    return m_failures.countedTwice(static_cast<int>(row), static_cast<int>(common[0].from), earlier, later);
  }
}

std::optional<PremiseFailure> FoldedRule::sizeDividesRows() const {
  const std::int64_t count = m_holdings.count(holding(0).rows);
  const auto size = static_cast<std::int64_t>(m_members.size());
  if (count % size == 0) return std::nullopt;
  std::vector<int> listed;
  for (const ChunkRange& range : rows(0)) {
    for (std::int64_t row = range.from; row < range.to; ++row) listed.push_back(static_cast<int>(row));
  }
  return m_failures.cannotBeScattered(std::move(listed));
}

std::optional<PremiseFailure> FoldedRule::rowCountsEqual() const {
  const std::int64_t count = m_holdings.count(holding(0).rows);
  for (std::size_t i = 1; i < m_members.size(); ++i) {
    const std::int64_t other = m_holdings.count(holding(i).rows);
    if (other == count) continue;
    return m_failures.countsDiffer(count, i, other);
  }
  return std::nullopt;
}

std::optional<PremiseFailure> FoldedRule::rowsDisjoint() const {
  const int second = m_holdings.firstOverlapping(rowsOfAll());
  if (second < 0) return std::nullopt;
  const auto later = static_cast<std::size_t>(second);
  std::size_t holder = later;
  std::int64_t row = 0;
  for (std::size_t earlier = 0; earlier < later; ++earlier) {
    const ChunkSet common = commonOf(rows(earlier), rows(later));
    if (common.empty() || (holder != later && common[0].from >= row)) continue;
    holder = earlier;
    row = common[0].from;
  }
  return m_failures.heldTwice(static_cast<int>(row), holder, later);
}

std::optional<PremiseFailure> FoldedRule::rootNonEmpty() const {
  if (m_members[0] != 0) return std::nullopt;
  return m_failures.rootIsEmpty();
}

std::optional<PremiseFailure> FoldedRule::membersWithinRoot() const {
  std::set<int> within{m_members[0], 0};
  for (std::size_t i = 1; i < m_members.size(); ++i) {
    if (!within.insert(m_members[i]).second) continue;
    if (auto failure = beyondRoot(i)) return failure;
  }
  return std::nullopt;
}

std::optional<PremiseFailure> FoldedRule::beyondRoot(std::size_t member) const {
  std::int64_t row = -1;
  std::int64_t column = 0;
  const auto found = [&](const ChunkSet& rows, const ChunkSet& columns) {
    if (rows.empty() || columns.empty() || (row >= 0 && rows[0].from >= row)) return;
    row = rows[0].from;
    column = columns[0].from;
  };
  for (const FoldedBlock& block : holding(member).blocks) {
    const ChunkSet& blockRows = m_holdings.set(block.rows);
    const ChunkSet& columns = m_holdings.set(block.columns);
    found(withoutOf(blockRows, rows(0)), columns);
    for (const FoldedBlock& root : holding(0).blocks) {
      found(commonOf(blockRows, m_holdings.set(root.rows)), withoutOf(columns, m_holdings.set(root.columns)));
    }
  }
  if (row < 0) return std::nullopt;
  return m_failures.beyondRoot(member, static_cast<int>(row), static_cast<int>(column));
}

std::optional<PremiseFailure> FoldedRule::rootTellsSomething() const {
  const auto other =
      std::find_if(m_members.begin(), m_members.end(), [&](int member) { return member != m_members[0]; });
  if (other != m_members.end()) return std::nullopt;
  return m_failures.nothingToTell();
}

std::optional<PremiseFailure> FoldedRule::othersEmpty() const {
  const auto other = std::find_if(m_members.begin() + 1, m_members.end(), [](int member) { return member != 0; });
  if (other == m_members.end()) return std::nullopt;
  return m_failures.memberIsNotEmpty(static_cast<std::size_t>(other - m_members.begin()));
}

int FoldedRule::columnsAt(std::size_t member, std::int64_t row) const {
  for (const FoldedBlock& block : holding(member).blocks) {
    if (contains(m_holdings.set(block.rows), row)) return block.columns;
  }
  return 0;
}

bool FoldedRule::findAtoms() {
  std::set<int> cuts;
  for (const int member : m_members) {
    for (const FoldedBlock& block : m_holdings.holding(member).blocks) cuts.insert(block.rows);
  }
  const std::vector<int> pieces(cuts.begin(), cuts.end());
  if (!m_holdings.areDisjoint(pieces)) return cutAtBoundaries();
  if (pieces.size() * m_members.size() > kMostCells) return false;
  for (const int rows : pieces) m_atoms.push_back({rows, {}});
  for (Atom& atom : m_atoms) {
    const std::int64_t row = m_holdings.set(atom.rows)[0].from;
    for (std::size_t i = 0; i < m_members.size(); ++i) atom.columns.push_back(columnsAt(i, row));
  }
  return true;
}

bool FoldedRule::cutAtBoundaries() {
  std::set<std::int64_t> boundaries;
  for (const int member : std::set<int>(m_members.begin(), m_members.end())) {
    for (const FoldedBlock& block : m_holdings.holding(member).blocks) {
      for (const ChunkRange& range : m_holdings.set(block.rows)) boundaries.insert({range.from, range.to});
    }
  }
  if (boundaries.size() * m_members.size() > kMostCells) return false;
  for (auto from = boundaries.begin(), to = std::next(from); to != boundaries.end(); ++from, ++to) {
    if (!contains(rows(0), *from)) continue;
    Atom atom{m_holdings.numberOf({{*from, *to}}), {}};
    for (std::size_t i = 0; i < m_members.size(); ++i) atom.columns.push_back(columnsAt(i, *from));
    m_atoms.push_back(std::move(atom));
  }
  return true;
}

int FoldedRule::sum() {
  std::vector<FoldedBlock> blocks;
  for (const Atom& atom : m_atoms) blocks.push_back({atom.rows, m_holdings.unionOf(atom.columns)});
  return m_holdings.holdingOf(blocks);
}

int FoldedRule::pieces() {
  std::vector<FoldedBlock> blocks;
  for (const int member : m_members) {
    const std::vector<FoldedBlock>& some = m_holdings.holding(member).blocks;
    blocks.insert(blocks.end(), some.begin(), some.end());
  }
  return m_holdings.holdingOf(blocks);
}

std::vector<int> FoldedRule::blocksOf(int whole) {
  const FoldedHolding all = m_holdings.holding(whole);
  std::vector<int> after;
  for (const ChunkSet& part : scatteredSets(m_holdings.set(all.rows), static_cast<std::int64_t>(m_members.size()))) {
    std::vector<FoldedBlock> blocks;
    for (const FoldedBlock& block : all.blocks) {
      const ChunkSet rows = all.blocks.size() == 1 ? part : commonOf(part, m_holdings.set(block.rows));
      blocks.push_back({m_holdings.numberOf(rows), block.columns});
    }
    after.push_back(m_holdings.holdingOf(blocks));
  }
  return after;
}

}  // namespace p2::inline synthesis
