// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/failing_pairs.h"

#include <algorithm>

namespace p2::inline collective {
namespace {

std::vector<int> sharedColumns(const DeviceState& a, const DeviceState& b, int row) {
  std::vector<int> shared;
  for (const int column : a.columns(row)) {
    if (b.test(row, column)) shared.push_back(column);
  }
  return shared;
}

std::vector<int> columnsBeyond(const DeviceState& a, const DeviceState& b, int row) {
  std::vector<int> beyond;
  for (const int column : a.columns(row)) {
    if (!b.test(row, column)) beyond.push_back(column);
  }
  return beyond;
}

/// Lists the breaches of one premise in one group, in the order in which applyRule() would come upon them.
class PairListing {
 public:
  PairListing(FailingPairs& all, Collective rule, const MemberStates& members, const GroupNames& names,
              std::size_t most)
      : m_all(all), m_members(members), m_failures(rule, names), m_most(most) {}

  void list(Premise premise) {
    switch (premise) {
      case Premise::MembersNonEmpty:
        return forMembers(0, [&](std::size_t i) {
          if (state(i).empty()) add([&] { return m_failures.memberIsEmpty(i); });
        });
      case Premise::RowsEqual:
        return forMembers(1, [&](std::size_t i) { rowsUnlikeRoot(i); });
      case Premise::ColumnsDisjoint:
        return forMembers(1, [&](std::size_t i) { countedTwice(i); });
      case Premise::SizeDividesRows:
        if (state(0).rowCount() % static_cast<int>(m_members.size()) != 0) {
          add([&] { return m_failures.cannotBeScattered(state(0).rows()); });
        }
        return;
      case Premise::RowCountsEqual:
        return forMembers(1, [&](std::size_t i) {
          if (state(i).rowCount() == state(0).rowCount()) return;
          add([&] { return m_failures.countsDiffer(state(0).rowCount(), i, state(i).rowCount()); });
        });
      case Premise::RowsDisjoint:
        return forMembers(1, [&](std::size_t i) { heldTwice(i); });
      case Premise::RootNonEmpty:
        if (state(0).empty()) add([&] { return m_failures.rootIsEmpty(); });
        return;
      case Premise::MembersWithinRoot:
        return forMembers(1, [&](std::size_t i) { beyondRoot(i); });
      case Premise::RootTellsSomething:
        if (std::all_of(m_members.begin(), m_members.end(), [&](const auto* own) { return *own == state(0); })) {
          add([&] { return m_failures.nothingToTell(); });
        }
        return;
      case Premise::OthersEmpty:
        return forMembers(1, [&](std::size_t i) {
          if (!state(i).empty()) add([&] { return m_failures.memberIsNotEmpty(i); });
        });
    }
  }

 private:
  const DeviceState& state(std::size_t i) const { return *m_members[i]; }

  template <class Look>
  void forMembers(std::size_t first, const Look& look) {
    for (std::size_t i = first; i < m_members.size(); ++i) look(i);
  }

  // Sentences are worth making only for pairs that are kept.
  template <class Make>
  void add(const Make& make) {
    ++m_all.count;
    if (m_all.pairs.size() < m_most) m_all.pairs.push_back(make());
  }

  void rowsUnlikeRoot(std::size_t i) {
    for (int row = 0; row < state(0).size(); ++row) {
      const bool here = !state(0).rowEmpty(row);
      if (here == !state(i).rowEmpty(row)) continue;
      add([&] { return m_failures.chunkOfOne(row, here ? 0 : i, here ? i : 0); });
    }
  }

  void countedTwice(std::size_t later) {
    for (int row = 0; row < state(later).size(); ++row) {
      if (state(later).rowEmpty(row)) continue;
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        std::vector<int> shared = sharedColumns(state(later), state(earlier), row);
        if (shared.empty()) continue;
        add([&] {
          PremiseFailure pair = m_failures.countedTwice(row, shared[0], earlier, later);
          pair.columns = std::move(shared);
          return pair;
        });
      }
    }
  }

  void heldTwice(std::size_t later) {
    for (const int row : state(later).rows()) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        if (!state(earlier).rowEmpty(row)) add([&] { return m_failures.heldTwice(row, earlier, later); });
      }
    }
  }

  void beyondRoot(std::size_t i) {
    for (const int row : state(i).rows()) {
      std::vector<int> beyond = columnsBeyond(state(i), state(0), row);
      if (beyond.empty()) continue;
      add([&] {
        PremiseFailure pair = m_failures.beyondRoot(i, row, beyond[0]);
        pair.columns = std::move(beyond);
        return pair;
      });
    }
  }

  FailingPairs& m_all;
  const MemberStates& m_members;
  PremiseFailures m_failures;
  std::size_t m_most;
};

}  // namespace

void addFailingPairs(FailingPairs& all, Collective collective, Premise premise, const MemberStates& members,
                     const GroupNames& names, std::size_t most) {
  PairListing(all, collective, members, names, most).list(premise);
}

}  // namespace p2::inline collective
