// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/synthesis.
#pragma once

#include <optional>
#include <variant>

#include "collective/rules.h"
#include "synthesis/detail/folded_holdings.h"

namespace p2::inline synthesis {

/// The rule of a collective on folded holdings, for groups whose bit matrices would be too large: a HoldingAlgebra with
/// the same premises in the same order, which names the same devices, chunks and contributions as applyRule().
class FoldedRule {
 public:
  /// The number of a holding in FoldedHoldings; 0 is the empty one.
  using Holding = int;
  using Failure = std::optional<PremiseFailure>;

  /// `members` lists the holdings in group order, the root's first.
  FoldedRule(Collective collective, FoldedHoldings& holdings, const std::vector<int>& members, const GroupNames& names);

  /// Either every member's holding afterwards or the first premise that fails. Nothing when the members' chunks are cut
  /// so differently that the comparison would take too long.
  [[nodiscard]] std::optional<std::variant<std::vector<int>, PremiseFailure>> apply();

  [[nodiscard]] std::size_t memberCount() const { return m_members.size(); }
  [[nodiscard]] Failure membersNonEmpty() const;
  [[nodiscard]] Failure rowsEqual() const;
  [[nodiscard]] Failure columnsDisjoint() const;
  [[nodiscard]] Failure sizeDividesRows() const;
  [[nodiscard]] Failure rowCountsEqual() const;
  [[nodiscard]] Failure rowsDisjoint() const;
  [[nodiscard]] Failure rootNonEmpty() const;
  [[nodiscard]] Failure membersWithinRoot() const;
  [[nodiscard]] Failure rootTellsSomething() const;
  [[nodiscard]] Failure othersEmpty() const;

  [[nodiscard]] int sum();
  [[nodiscard]] int pieces();
  [[nodiscard]] int root() const { return m_members[0]; }
  [[nodiscard]] int nothing() const { return 0; }
  [[nodiscard]] std::vector<int> blocksOf(int whole);

 private:
  /// Chunks that no member's blocks distinguish, and the columns of each member's block there.
  struct Atom {
    int rows = 0;
    std::vector<int> columns;
  };

  [[nodiscard]] const FoldedHolding& holding(std::size_t i) const { return m_holdings.holding(m_members[i]); }
  [[nodiscard]] const ChunkSet& rows(std::size_t i) const { return m_holdings.set(holding(i).rows); }
  [[nodiscard]] std::vector<int> rowsOfAll() const;
  [[nodiscard]] Failure beyondRoot(std::size_t member) const;

  /// Requires equal rows. False if there are too many.
  bool findAtoms();
  bool cutAtBoundaries();
  [[nodiscard]] int columnsAt(std::size_t member, std::int64_t row) const;

  Collective m_rule;
  FoldedHoldings& m_holdings;
  const std::vector<int>& m_members;
  PremiseFailures m_failures;
  std::vector<Atom> m_atoms;
};

}  // namespace p2::inline synthesis
