// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"

namespace p2 {

/// Parts of a graph that follow each other and are alike, as the layers of a transformer are.
struct Repeat {
  /// Two or more; per copy its vertices, of which the k-th is alike in all copies.
  std::vector<std::vector<std::size_t>> copies;
  /// What names that count the copies call them, as "layer", and the number of each; empty where they do not.
  std::string stem;
  std::vector<std::string> numbers;

  /// "layer 1–24", "layer 3": copies one after the other; empty where names do not count them.
  [[nodiscard]] std::string nameOf(std::size_t first, std::size_t last) const;
  [[nodiscard]] std::string name() const { return nameOf(0, copies.size() - 1); }
  friend bool operator==(const Repeat&, const Repeat&) = default;
};

/// Vertices of a part that is worth folding, at least.
inline constexpr std::size_t kLeastRepeatedVertices = 3;

/// All of them, none overlapping another, those that fold most first. Whether parts are alike is decided by what the
/// operators are and how they are wired, never by their names: in a topological order, operators that differ in nothing
/// but their name, each reading the same outputs of operators as many places before it, or of the same operator before
/// all copies. The first copy may be fed by others than the ones before it. Without a graph, vertices and edges are
/// alike that share their tables. Names only say where a copy begins when several places would do. Parts have at most
/// 512 vertices. O(512 · vertices) for every repeat found, of which there are at most 16.
[[nodiscard]] std::vector<Repeat> repeatsOf(const StrategyProblem& problem, const ComputationGraph* graph);

/// What two names that differ in one number have behind it, as "query" for layer1_query and layer24_query; the first
/// name where they do not.
[[nodiscard]] std::string sharedName(const std::string& first, const std::string& last);

}  // namespace p2
