// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "synthesis/state_graph.h"

namespace p2::inline synthesis {

/// A program of a graph, and the seconds of its edges together.
struct RankedProgram {
  double seconds = 0;
  Program program;
  std::vector<std::size_t> edges;  ///< edge numbers in the graph
};

/// Programs of a graph in order of cost, one at a time: k shortest paths by recursive enumeration (Jiménez and
/// Marzal 1999), so asking for the first never lists the others. Ties: fewer steps first, then instruction order.
/// Each edge's cost counts with forty significant bits and sums are exact, so that ties are ties.
class ProgramRanking {
 public:
  /// `edgeSeconds[i]` ≥ 0 is the cost of graph->edges()[i]; programs have at most `limit` steps.
  ProgramRanking(std::shared_ptr<const StateGraph> graph, const std::vector<double>& edgeSeconds, int limit);
  ~ProgramRanking();
  ProgramRanking(ProgramRanking&&) noexcept;
  ProgramRanking& operator=(ProgramRanking&&) noexcept;

  /// The cost of the next program without fetching it; nothing when there is none left.
  [[nodiscard]] std::optional<double> peekSeconds();
  /// Its steps.
  [[nodiscard]] std::optional<std::size_t> peekSteps();
  [[nodiscard]] std::optional<RankedProgram> next();

 private:
  struct Search;
  std::unique_ptr<Search> m_search;
};

}  // namespace p2::inline synthesis
