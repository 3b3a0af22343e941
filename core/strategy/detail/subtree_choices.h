// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "strategy/detail/elimination_plan.h"

namespace p2::inline strategy {

/// Choices of the vertices of an elimination's subtrees, every different combination once and by a number, so
/// that equal ones have equal numbers.
class SubtreeChoices {
 public:
  using Id = std::uint32_t;
  /// A step, the value of its vertex, and the combination of every child in a fixed order.
  using Choice = std::vector<Id>;

  /// Per step the smallest vertex of its subtree. Both must outlive this.
  SubtreeChoices(const EliminationPlan& plan, const std::vector<std::size_t>& firsts)
      : m_plan(plan), m_firsts(firsts) {}

  /// The number of a combination.
  [[nodiscard]] Id idOf(Choice choice);
  /// Whether the first of two combinations of one step is lexicographically smaller: at the smallest vertex where they
  /// differ it has the smaller value. Looks at no part that both have, nor beyond the difference, nor beyond pairs that
  /// it remembers.
  [[nodiscard]] bool before(const Choice& first, const Choice& second);

 private:
  /// The first difference of two combinations.
  struct Difference {
    std::size_t vertex = std::numeric_limits<std::size_t>::max();
    bool smaller = false;  ///< in the first of them
  };
  /// The result for a pair, whose first number is the smaller one.
  struct Known {
    Id first = 0;
    Id second = 0;
    Difference difference;
  };
  struct Hash {
    std::size_t operator()(const Choice& choice) const;
  };

  /// One of few places, where the pair last put there stands.
  [[nodiscard]] Known& placeOf(Id first, Id second);
  [[nodiscard]] std::optional<Difference> find(Id first, Id second);
  void remember(Id first, Id second, Difference difference);

  const EliminationPlan& m_plan;
  const std::vector<std::size_t>& m_firsts;
  std::unordered_map<Choice, Id, Hash> m_ids;
  std::vector<const Choice*> m_choices;  ///< by number: the keys of m_ids
  std::vector<Known> m_known;
};

}  // namespace p2::inline strategy
