// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// Equal parts of a graph that follow each other, as the layers of a transformer are.
struct Repeat {
  /// Two or more; per copy its vertices; the k-th ones of all copies are equal.
  std::vector<std::vector<std::size_t>> copies;
  /// If names count the copies, the word before the number, as "layer" in layer3_query, and the number of each copy;
  /// else empty.
  std::string stem;
  std::vector<std::string> numbers;
  /// The last number in each copy: 4 for layers 3 and 4 if only one of them has experts.
  std::vector<std::string> lastNumbers;

  /// Whether a copy has several numbers, so that only whole names tell its operators apart.
  [[nodiscard]] bool countsWithinCopies() const { return numbers != lastNumbers; }
  /// "layer 1–24", "layer 3": copies one after the other; empty where names do not count them.
  [[nodiscard]] std::string nameOf(std::size_t first, std::size_t last) const;
  [[nodiscard]] std::string name() const { return nameOf(0, copies.size() - 1); }
  friend bool operator==(const Repeat&, const Repeat&) = default;
};

/// Copies of fewer vertices are not worth folding.
inline constexpr std::size_t kLeastRepeatedVertices = 3;

/// All repeats of a graph, none overlapping another, those that fold most first. Kinds and wiring of
/// operators decide whether parts are equal, never names: in one topological order the k-th operators of two
/// copies differ in nothing but their name, and read the same outputs of operators as many places before, or of one
/// operator before all copies. The first copy may be fed by other operators than its successors are. Without a graph,
/// vertices and edges that share their tables count as equal. Names only say where a copy begins when several places
/// would do. Copies have at most 512 vertices. O(512 · vertices) for every repeat found, 16 at most.
[[nodiscard]] std::vector<Repeat> repeatsOf(const StrategyProblem& problem, const ComputationGraph* graph);

/// The text behind the one number in which two names differ: "query" for layer1_query and layer24_query. The first
/// name where they differ in anything else.
[[nodiscard]] std::string sharedName(const std::string& first, const std::string& last);

}  // namespace p2::inline strategy
