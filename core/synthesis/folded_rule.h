// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/synthesis.
#pragma once

#include <optional>
#include <variant>

#include "collective/rules.h"
#include "synthesis/folded_holdings.h"

namespace p2 {

/// applyRule() for groups whose bit matrices are too large, on folded holdings: the same premises in the same order,
/// the same devices, chunks and contributions named, the same sentence.
class FoldedRule {
 public:
  /// What the members hold, in group order, the first being the root.
  FoldedRule(Collective collective, FoldedHoldings& holdings, const std::vector<int>& members, const GroupNames& names);

  /// Either what every member holds afterwards or the first premise that fails. Nothing when the chunks of the members
  /// are cut so differently that it would take too long to tell.
  [[nodiscard]] std::optional<std::variant<std::vector<int>, PremiseFailure>> apply();

 private:
  /// Chunks that no member's blocks tell apart, and the columns of each member's block there.
  struct Atom {
    int rows = 0;
    std::vector<int> columns;
  };

  [[nodiscard]] const FoldedHolding& holding(std::size_t i) const { return m_holdings.holding(m_members[i]); }
  [[nodiscard]] const ChunkSet& rows(std::size_t i) const { return m_holdings.set(holding(i).rows); }
  [[nodiscard]] std::vector<int> rowsOfAll() const;
  [[nodiscard]] std::optional<PremiseFailure> check(Premise premise) const;
  [[nodiscard]] std::optional<PremiseFailure> membersNonEmpty() const;
  [[nodiscard]] std::optional<PremiseFailure> rowsEqual() const;
  [[nodiscard]] std::optional<PremiseFailure> columnsDisjoint() const;
  [[nodiscard]] std::optional<PremiseFailure> sizeDividesRows() const;
  [[nodiscard]] std::optional<PremiseFailure> rowCountsEqual() const;
  [[nodiscard]] std::optional<PremiseFailure> rowsDisjoint() const;
  [[nodiscard]] std::optional<PremiseFailure> rootNonEmpty() const;
  [[nodiscard]] std::optional<PremiseFailure> membersWithinRoot() const;
  [[nodiscard]] std::optional<PremiseFailure> rootTellsSomething() const;
  [[nodiscard]] std::optional<PremiseFailure> othersEmpty() const;
  [[nodiscard]] std::optional<PremiseFailure> beyondRoot(std::size_t member) const;

  /// Needs equal rows. False if there are too many.
  bool findAtoms();
  bool cutAtBoundaries();
  [[nodiscard]] int columnsAt(std::size_t member, std::int64_t row) const;
  [[nodiscard]] std::vector<int> effect();
  [[nodiscard]] int sumOfMembers();
  [[nodiscard]] int piecesOfMembers();
  [[nodiscard]] std::vector<int> dealt(int whole);

  Collective m_rule;
  FoldedHoldings& m_holdings;
  const std::vector<int>& m_members;
  PremiseFailures m_failures;
  std::vector<Atom> m_atoms;
};

}  // namespace p2
