// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/rules.h"

#include <array>
#include <optional>

#include "collective/holding_rule.h"

namespace p2::inline collective {
namespace {

constexpr std::array<std::string_view, 10> kPremiseNames{
    "every member holds data",  "every member holds the same chunks",         "no contribution is counted twice",
    "the chunks divide evenly", "all members hold the same number of chunks", "no chunk is held by two members",
    "the root holds data",      "the root has everything the members have",   "at least one member gains data",
    "only the root holds data",
};

/// The members' bit matrices as a HoldingAlgebra.
class MatrixAlgebra {
 public:
  using Holding = DeviceState;
  using Failure = std::optional<PremiseFailure>;

  MatrixAlgebra(Collective rule, const MemberStates& members, const GroupNames& names)
      : m_members(members), m_failures(rule, names) {}

  [[nodiscard]] std::size_t memberCount() const { return m_members.size(); }

  [[nodiscard]] Failure membersNonEmpty() const {
    for (std::size_t i = 0; i < m_members.size(); ++i) {
      if (state(i).empty()) return m_failures.memberIsEmpty(i);
    }
    return std::nullopt;
  }

  [[nodiscard]] Failure rowsEqual() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      for (int row = 0; row < state(0).size(); ++row) {
        if (state(0).rowEmpty(row) == state(i).rowEmpty(row)) continue;
        const bool here = !state(0).rowEmpty(row);
        return m_failures.chunkOfOne(row, here ? 0 : i, here ? i : 0);
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Failure columnsDisjoint() const {
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

  [[nodiscard]] Failure sizeDividesRows() const {
    if (state(0).rowCount() % static_cast<int>(m_members.size()) == 0) return std::nullopt;
    return m_failures.cannotBeScattered(state(0).rows());
  }

  [[nodiscard]] Failure rowCountsEqual() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (state(i).rowCount() == state(0).rowCount()) continue;
      return m_failures.countsDiffer(state(0).rowCount(), i, state(i).rowCount());
    }
    return std::nullopt;
  }

  [[nodiscard]] Failure rowsDisjoint() const {
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

  [[nodiscard]] Failure rootNonEmpty() const {
    if (!state(0).empty()) return std::nullopt;
    return m_failures.rootIsEmpty();
  }

  [[nodiscard]] Failure membersWithinRoot() const {
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

  [[nodiscard]] Failure rootTellsSomething() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (state(i) != state(0)) return std::nullopt;
    }
    return m_failures.nothingToTell();
  }

  [[nodiscard]] Failure othersEmpty() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (!state(i).empty()) return m_failures.memberIsNotEmpty(i);
    }
    return std::nullopt;
  }

  [[nodiscard]] DeviceState sum() const {
    DeviceState all = state(0);
    for (const DeviceState* member : m_members) all.unite(*member);
    return all;
  }
  /// Rows of different members are disjoint, so that their union is their concatenation.
  [[nodiscard]] DeviceState pieces() const { return sum(); }
  [[nodiscard]] DeviceState root() const { return state(0); }
  [[nodiscard]] DeviceState nothing() const { return DeviceState(state(0).size()); }

  [[nodiscard]] std::vector<DeviceState> blocksOf(const DeviceState& whole) const {
    const std::vector<int> rows = whole.rows();
    const std::size_t share = rows.size() / m_members.size();
    std::vector<DeviceState> after;
    for (std::size_t i = 0; i < m_members.size(); ++i) after.push_back(whole.keepingRows(rows, i * share, share));
    return after;
  }

 private:
  [[nodiscard]] const DeviceState& state(std::size_t i) const { return *m_members[i]; }

  const MemberStates& m_members;
  PremiseFailures m_failures;
};

}  // namespace

std::string_view nameOf(Premise premise) { return kPremiseNames[static_cast<std::size_t>(premise)]; }

std::variant<std::vector<DeviceState>, PremiseFailure> applyRule(Collective collective, const MemberStates& members,
                                                                 const GroupNames& names) {
  MatrixAlgebra algebra(collective, members, names);
  const CollectiveTraits& rule = traitsOf(collective);
  if (auto failure = firstFailure(rule, algebra)) return *failure;
  return effectOf(rule, algebra);
}

}  // namespace p2::inline collective
