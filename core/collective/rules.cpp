// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/rules.h"

#include <algorithm>
#include <array>
#include <optional>

namespace p2 {
namespace {

constexpr std::array<std::string_view, 10> kPremiseNames{
    "every member holds something",      "every member holds the same chunks",
    "no contribution is counted twice",  "the chunks can be dealt out evenly",
    "every member holds as many chunks", "no chunk is held by two members",
    "the root holds something",          "the root knows at least what each member knows",
    "some member learns something",      "nobody but the root holds anything",
};

/// Looks for the first failing premise of one rule in one group.
class PremiseCheck {
 public:
  PremiseCheck(Collective rule, const MemberStates& members, const GroupNames& names)
      : m_rule(rule), m_members(members), m_failures(rule, names) {}

  std::optional<PremiseFailure> firstFailure() {
    for (const Premise premise : traitsOf(m_rule).premises) {
      if (auto failure = check(premise)) return failure;
    }
    return std::nullopt;
  }

 private:
  const DeviceState& state(std::size_t i) const { return *m_members[i]; }

  std::optional<PremiseFailure> check(Premise premise) const {
    switch (premise) {
      case Premise::MembersNonEmpty:
        return membersNonEmpty();
      case Premise::RowsEqual:
        return rowsEqual();
      case Premise::ColumnsDisjoint:
        return columnsDisjoint();
      case Premise::SizeDividesRows:
        return sizeDividesRows();
      case Premise::RowCountsEqual:
        return rowCountsEqual();
      case Premise::RowsDisjoint:
        return rowsDisjoint();
      case Premise::RootNonEmpty:
        return rootNonEmpty();
      case Premise::MembersWithinRoot:
        return membersWithinRoot();
      case Premise::RootTellsSomething:
        return rootTellsSomething();
      case Premise::OthersEmpty:
        return othersEmpty();
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> membersNonEmpty() const {
    for (std::size_t i = 0; i < m_members.size(); ++i) {
      if (state(i).empty()) return m_failures.memberIsEmpty(i);
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> rowsEqual() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      for (int row = 0; row < state(0).size(); ++row) {
        if (state(0).rowEmpty(row) == state(i).rowEmpty(row)) continue;
        const bool here = !state(0).rowEmpty(row);
        return m_failures.chunkOfOne(row, here ? 0 : i, here ? i : 0);
      }
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> columnsDisjoint() const {
    DeviceState seen = state(0);
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      const int row = state(i).firstOverlap(seen);
      if (row < 0) {
        seen.unite(state(i));
        continue;
      }
      for (std::size_t earlier = 0; earlier < i; ++earlier) {
        for (const int column : state(i).columns(row)) {
          if (!state(earlier).test(row, column)) continue;
          return m_failures.countedTwice(row, column, earlier, i);
        }
      }
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> sizeDividesRows() const {
    if (state(0).rowCount() % static_cast<int>(m_members.size()) == 0) return std::nullopt;
    return m_failures.cannotBeDealt(state(0).rows());
  }

  std::optional<PremiseFailure> rowCountsEqual() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (state(i).rowCount() == state(0).rowCount()) continue;
      return m_failures.countsDiffer(state(0).rowCount(), i, state(i).rowCount());
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> rowsDisjoint() const {
    std::vector<std::optional<std::size_t>> holder(std::size_t(state(0).size()));
    for (std::size_t i = 0; i < m_members.size(); ++i) {
      for (const int row : state(i).rows()) {
        auto& first = holder[std::size_t(row)];
        if (first) return m_failures.heldTwice(row, *first, i);
        first = i;
      }
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> rootNonEmpty() const {
    if (!state(0).empty()) return std::nullopt;
    return m_failures.rootIsEmpty();
  }

  std::optional<PremiseFailure> membersWithinRoot() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (state(i).subsetOf(state(0))) continue;
      for (int row = 0; row < state(i).size(); ++row) {
        for (const int column : state(i).columns(row)) {
          if (state(0).test(row, column)) continue;
          return m_failures.beyondRoot(i, row, column);
        }
      }
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> rootTellsSomething() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (state(i) != state(0)) return std::nullopt;
    }
    return m_failures.nothingToTell();
  }

  std::optional<PremiseFailure> othersEmpty() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (!state(i).empty()) return m_failures.memberIsNotEmpty(i);
    }
    return std::nullopt;
  }

  Collective m_rule;
  const MemberStates& m_members;
  PremiseFailures m_failures;
};

}  // namespace

std::string_view nameOf(Premise premise) { return kPremiseNames[static_cast<std::size_t>(premise)]; }

std::variant<std::vector<DeviceState>, PremiseFailure> applyRule(Collective collective, const MemberStates& members,
                                                                 const GroupNames& names) {
  if (auto failure = PremiseCheck(collective, members, names).firstFailure()) return *failure;
  return traitsOf(collective).after(members);
}

}  // namespace p2
