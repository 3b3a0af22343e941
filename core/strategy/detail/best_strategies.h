// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "base/result.h"
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

/// Lists the strategies of an elimination one after the other: cheapest first, and the lexicographically smallest first
/// among ones of equal cost. It derives them lazily over the elimination's tree (Huang and Chiang, "Better k-best
/// Parsing", 2005), and compares strategies of equal cost vertex by vertex. A state, which is a vertex whose neighbours
/// have been chosen, is opened only once an optimal or next best strategy needs it.
class BestStrategies {
 public:
  /// `tables` come from eliminationTables(). All three must outlive this. `mostBytes` bounds the memory.
  BestStrategies(const CostNetwork& network, const EliminationPlan& plan, const std::vector<CostTable>& tables,
                 std::uint64_t mostBytes);

  /// The next one as positions in network.values, nothing when there are no more. Errors: cancelled, too many states.
  [[nodiscard]] Result<std::optional<std::vector<std::size_t>>> next(std::stop_token stop);

 private:
  /// The parts of a state's strategy: the vertex takes a value, and every child step contributes one of its own
  /// strategies, given by its rank among them.
  struct Derivation {
    double cost = 0;
    std::uint32_t value = 0;
    SubtreeChoices::Id choices = 0;    ///< its cost, once it is one of best
    std::vector<std::uint32_t> ranks;  ///< empty: the best of each
  };
  /// A vertex with its separator chosen, and the known part of its strategies.
  struct State {
    std::size_t step = 0;
    std::size_t cell = 0;  ///< index in the step's table
    std::vector<Derivation> best;
    std::vector<Derivation> candidates;  ///< each is more expensive than, or after, all of best
    bool opened = false;                 ///< candidates hold every value
    bool advanced = false;               ///< and the successors of the last of best
  };
  struct Child {
    std::size_t step = 0;
    std::vector<std::size_t>
        strides;  ///< in its table: along the axes of the parent's separator, then along the vertex
  };
  /// An input's cells along the separator's axes and the vertex.
  struct Input {
    const double* cells = nullptr;
    std::vector<std::size_t> strides;
    std::size_t own = 0;
  };
  struct Node {
    std::vector<std::size_t> sizes;  ///< sizes of the separator
    std::vector<Input> inputs;
    std::vector<Child> children;
    std::size_t values = 1;
    std::unordered_map<std::size_t, std::size_t> states;  ///< by cell
  };
  /// A request to find the strategies of a state up to this rank.
  struct Demand {
    std::size_t state = 0;
    std::size_t rank = 0;
  };

  void linkChildren();
  [[nodiscard]] std::size_t stateAt(std::size_t step, std::size_t cell);
  [[nodiscard]] std::size_t childState(const State& state, std::uint32_t value, std::size_t child);
  [[nodiscard]] static std::size_t rankOf(const Derivation& derivation, std::size_t child) {
    return derivation.ranks.empty() ? 0 : derivation.ranks[child];
  }
  [[nodiscard]] bool known(const Demand& demand) const;
  void open(State& state);
  /// Adds the candidates that follow the last of best, or returns the demand to meet first.
  void addSuccessors(std::size_t state, std::vector<Demand>& missing);
  /// Moves the next best of the candidates to best, or returns the demand to meet first.
  void choose(std::size_t state, std::vector<Demand>& missing);
  /// Cost of a derivation of a state whose children's strategies are known.
  [[nodiscard]] SubtreeChoices::Choice choiceOf(const State& state, const Derivation& derivation);
  [[nodiscard]] Result<void> satisfy(Demand demand, const std::stop_token& stop);

  const CostNetwork& m_network;
  const EliminationPlan& m_plan;
  std::uint64_t m_mostBytes;
  std::uint64_t m_bytes = 0;
  std::vector<Node> m_nodes;          ///< one per step
  std::vector<std::size_t> m_firsts;  ///< per step the smallest vertex of its subtree
  SubtreeChoices m_choices;           ///< no more than there are derivations, which m_bytes counts
  std::deque<State> m_states;         ///< references stay good while it grows
  std::size_t m_found = 0;
};

}  // namespace p2::inline strategy
