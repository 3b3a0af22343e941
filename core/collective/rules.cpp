// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/rules.h"

#include <algorithm>
#include <array>
#include <optional>

namespace p2 {
namespace {

constexpr std::array<std::string_view, 9> kPremiseNames{
    "every member holds something",      "every member holds the same chunks",
    "no contribution is counted twice",  "the chunks can be dealt out evenly",
    "every member holds as many chunks", "no chunk is held by two members",
    "the root holds something",          "the root knows at least what each member knows",
    "some member learns something",
};

std::string number(std::int64_t value) { return std::to_string(value); }

/// Looks for the first failing premise of one rule in one group.
class PremiseCheck {
 public:
  PremiseCheck(Collective rule, const MemberStates& members, const GroupNames& names)
      : m_rule(rule), m_members(members), m_names(names) {}

  std::optional<PremiseFailure> firstFailure() {
    for (const Premise premise : traitsOf(m_rule).premises) {
      if (auto failure = check(premise)) return failure;
    }
    return std::nullopt;
  }

 private:
  const DeviceState& state(std::size_t i) const { return *m_members[i]; }
  std::string device(std::size_t i) const { return "device " + number(m_names.devices[i].value()); }

  PremiseFailure failure(Premise premise, const std::vector<std::size_t>& members, std::string sentence,
                         std::vector<int> rows = {}, std::vector<int> columns = {}) const {
    PremiseFailure result{
        m_rule, premise, m_names.devices, {}, std::move(rows), std::move(columns), std::move(sentence)};
    for (const std::size_t member : members) result.members.push_back(m_names.devices[member]);
    return result;
  }

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
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> membersNonEmpty() const {
    for (std::size_t i = 0; i < m_members.size(); ++i) {
      if (state(i).empty()) return failure(Premise::MembersNonEmpty, {i}, device(i) + " holds nothing");
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> rowsEqual() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      for (int row = 0; row < state(0).size(); ++row) {
        if (state(0).rowEmpty(row) == state(i).rowEmpty(row)) continue;
        const bool here = !state(0).rowEmpty(row);
        return failure(
            Premise::RowsEqual, {0, i},
            device(here ? 0 : i) + " holds chunk " + number(row) + " but " + device(here ? i : 0) + " does not", {row});
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
          return failure(Premise::ColumnsDisjoint, {earlier, i},
                         "chunk " + number(row) + " already contains device " +
                             number(m_names.contributors[std::size_t(column)].value()) + "'s contribution on both " +
                             device(earlier) + " and " + device(i),
                         {row}, {column});
        }
      }
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> sizeDividesRows() const {
    const int rows = state(0).rowCount();
    const int size = static_cast<int>(m_members.size());
    if (rows % size == 0) return std::nullopt;
    return failure(Premise::SizeDividesRows, {},
                   number(rows) + " chunks cannot be dealt out evenly to " + number(size) + " devices",
                   state(0).rows());
  }

  std::optional<PremiseFailure> rowCountsEqual() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (state(i).rowCount() == state(0).rowCount()) continue;
      return failure(Premise::RowCountsEqual, {0, i},
                     device(0) + " holds " + number(state(0).rowCount()) + " chunks but " + device(i) + " holds " +
                         number(state(i).rowCount()));
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> rowsDisjoint() const {
    std::vector<std::optional<std::size_t>> holder(std::size_t(state(0).size()));
    for (std::size_t i = 0; i < m_members.size(); ++i) {
      for (const int row : state(i).rows()) {
        auto& first = holder[std::size_t(row)];
        if (first) {
          return failure(Premise::RowsDisjoint, {*first, i},
                         "chunk " + number(row) + " is held by both " + device(*first) + " and " + device(i), {row});
        }
        first = i;
      }
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> rootNonEmpty() const {
    if (!state(0).empty()) return std::nullopt;
    return failure(Premise::RootNonEmpty, {0}, "the root, " + device(0) + ", holds nothing");
  }

  std::optional<PremiseFailure> membersWithinRoot() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (state(i).subsetOf(state(0))) continue;
      for (int row = 0; row < state(i).size(); ++row) {
        for (const int column : state(i).columns(row)) {
          if (state(0).test(row, column)) continue;
          return failure(Premise::MembersWithinRoot, {0, i},
                         device(i) + " has device " + number(m_names.contributors[std::size_t(column)].value()) +
                             "'s contribution to chunk " + number(row) + ", which the root, " + device(0) +
                             ", would overwrite without it",
                         {row}, {column});
        }
      }
    }
    return std::nullopt;
  }

  std::optional<PremiseFailure> rootTellsSomething() const {
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      if (state(i) != state(0)) return std::nullopt;
    }
    return failure(Premise::RootTellsSomething, {0},
                   "every member already holds what the root, " + device(0) + ", would send");
  }

  Collective m_rule;
  const MemberStates& m_members;
  const GroupNames& m_names;
};

}  // namespace

std::string_view nameOf(Premise premise) { return kPremiseNames[static_cast<std::size_t>(premise)]; }

std::variant<std::vector<DeviceState>, PremiseFailure> applyRule(Collective collective, const MemberStates& members,
                                                                 const GroupNames& names) {
  if (auto failure = PremiseCheck(collective, members, names).firstFailure()) return *failure;
  return traitsOf(collective).after(members);
}

}  // namespace p2
