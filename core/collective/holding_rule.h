// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "collective/collective_traits.h"

namespace p2::inline collective {

/// A representation of the data of a group's members. The rule of a collective (CollectiveTraits) is written once and
/// works on every algebra: bit matrices, folded holdings of large groups, buffers of a plan. The first member of a
/// group is its root. A member function per premise reports the failure: a Failure converts to bool and is false if the
/// premise holds.
template <class Algebra>
concept HoldingAlgebra = requires(const Algebra& check, Algebra& algebra, const typename Algebra::Holding& whole) {
  { check.memberCount() } -> std::convertible_to<std::size_t>;
  { check.membersNonEmpty() } -> std::same_as<typename Algebra::Failure>;
  { check.rowsEqual() } -> std::same_as<typename Algebra::Failure>;
  { check.columnsDisjoint() } -> std::same_as<typename Algebra::Failure>;
  { check.sizeDividesRows() } -> std::same_as<typename Algebra::Failure>;
  { check.rowCountsEqual() } -> std::same_as<typename Algebra::Failure>;
  { check.rowsDisjoint() } -> std::same_as<typename Algebra::Failure>;
  { check.rootNonEmpty() } -> std::same_as<typename Algebra::Failure>;
  { check.membersWithinRoot() } -> std::same_as<typename Algebra::Failure>;
  { check.rootTellsSomething() } -> std::same_as<typename Algebra::Failure>;
  { check.othersEmpty() } -> std::same_as<typename Algebra::Failure>;
  { algebra.sum() } -> std::convertible_to<typename Algebra::Holding>;
  { algebra.pieces() } -> std::convertible_to<typename Algebra::Holding>;
  { algebra.root() } -> std::convertible_to<typename Algebra::Holding>;
  { algebra.nothing() } -> std::convertible_to<typename Algebra::Holding>;
  { algebra.blocksOf(whole) } -> std::convertible_to<std::vector<typename Algebra::Holding>>;
};

/// The failure of one premise; false if it holds.
template <HoldingAlgebra Algebra>
[[nodiscard]] typename Algebra::Failure failureOf(Premise premise, const Algebra& members) {
  switch (premise) {
    case Premise::MembersNonEmpty:
      return members.membersNonEmpty();
    case Premise::RowsEqual:
      return members.rowsEqual();
    case Premise::ColumnsDisjoint:
      return members.columnsDisjoint();
    case Premise::SizeDividesRows:
      return members.sizeDividesRows();
    case Premise::RowCountsEqual:
      return members.rowCountsEqual();
    case Premise::RowsDisjoint:
      return members.rowsDisjoint();
    case Premise::RootNonEmpty:
      return members.rootNonEmpty();
    case Premise::MembersWithinRoot:
      return members.membersWithinRoot();
    case Premise::RootTellsSomething:
      return members.rootTellsSomething();
    case Premise::OthersEmpty:
      return members.othersEmpty();
  }
  return {};
}

/// The failure of the first premise that does not hold, in the order of the rule; false if all hold.
template <HoldingAlgebra Algebra>
[[nodiscard]] typename Algebra::Failure firstFailure(const CollectiveTraits& rule, const Algebra& members) {
  for (const Premise premise : rule.premises) {
    if (auto failure = failureOf(premise, members)) return failure;
  }
  return {};
}

/// Holdings of every member after the collective, in group order. Precondition: all premises hold.
template <HoldingAlgebra Algebra>
[[nodiscard]] std::vector<typename Algebra::Holding> effectOf(const CollectiveTraits& rule, Algebra& members) {
  using Held = typename Algebra::Holding;
  const Held whole = rule.makes == Makes::Sum      ? members.sum()
                     : rule.makes == Makes::Pieces ? members.pieces()
                                                   : members.root();
  switch (rule.leaves) {
    case Leaves::Everywhere:
      break;
    case Leaves::AtRoot: {
      std::vector<Held> after(members.memberCount(), members.nothing());
      after[0] = whole;
      return after;
    }
    case Leaves::Scattered:
      return members.blocksOf(whole);
  }
  return std::vector<Held>(members.memberCount(), whole);
}

}  // namespace p2::inline collective
