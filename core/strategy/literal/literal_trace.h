// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "strategy/literal/literal_table.h"

namespace p2::inline strategy {

/// Theorem 1's invariant at one moment: some valid strategy still costs no more than the optimum.
struct LiteralInvariant {
  std::uint64_t valid = 0;         ///< strategies all of whose rows are still there
  std::optional<double> cheapest;  ///< cost of the cheapest of them; empty when none is left
  bool holds = false;
  friend bool operator==(const LiteralInvariant&, const LiteralInvariant&) = default;
};

/// The fate of a row of a table: kept to the end, or removed at some moment.
struct RowFate {
  enum class Cause {
    None,
    MoreExpensive,  ///< a row of its set costs less (line 25)
    Tied,           ///< a row of its set costs as much and was preferred (line 25)
    Unmatched,      ///< no row of the chosen vertex's table agrees with it (line 30)
  };
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  std::size_t moment = kNever;  ///< the one that took it away
  Cause cause = Cause::None;
  std::uint64_t kept = 0;  ///< MoreExpensive, Tied: the row that stayed instead
  friend bool operator==(const RowFate&, const RowFate&) = default;
};

/// One turn of the loop of lines 16–34.
struct LiteralIteration {
  std::size_t vertex = 0;                               ///< v_min
  std::vector<std::optional<std::size_t>> unprocessed;  ///< |v.un| of every vertex in U when it was chosen
};

/// One step of the algorithm, the smallest unit of a trace.
struct LiteralMoment {
  enum class Kind {
    Tables,     ///< lines 5–14: every table is filled
    Choose,     ///< line 18: the vertex with the fewest unprocessed neighbours
    Partition,  ///< lines 19–20: its rows by their neighbours' configurations
    Best,       ///< lines 22–26: of every set only the best row stays
    Restrict,   ///< lines 27–32, for one neighbour: rows that match no best row go
    Join,       ///< Algorithm 3, lines 3–19, for one vertex
    Result,     ///< line 37
  };
  Kind kind = Kind::Tables;
  std::size_t iteration = 0;  ///< index into iterations; their number once all vertices are processed
  std::size_t vertex = 0;     ///< Choose to Restrict: v_min; Join: whose table is joined
  std::size_t neighbour = 0;  ///< Restrict: whose table loses rows
  std::uint64_t sets = 0;     ///< Partition, Best
  std::uint64_t before = 0;   ///< rows of the table that changes (of all tables, of the strategies joined so far)
  std::uint64_t after = 0;
  std::optional<LiteralInvariant> invariant;  ///< empty where the graph is too large to check it
};

/// Every step of a run of the literal algorithm. Nothing is copied from step to step: a row's fate says when it went.
struct LiteralTrace {
  std::vector<LiteralTable> tables;         ///< one per vertex
  std::vector<std::vector<RowFate>> fates;  ///< [vertex][row]
  std::vector<LiteralIteration> iterations;
  std::vector<LiteralMoment> moments;
  std::vector<PartialStrategies> joins;  ///< [i]: Algorithm 3's S after the table of vertex i
  std::optional<std::size_t> best;       ///< row of joins.back() that line 37 picks
  std::optional<double> optimum;         ///< over all strategies; empty where the invariant is not checked

  /// Whether a row is still there once `moment` is done.
  [[nodiscard]] bool isAlive(std::size_t vertex, std::uint64_t row, std::size_t moment) const {
    return fates[vertex][row].moment > moment;
  }
  /// Whether a vertex has left U once `moment` is done.
  [[nodiscard]] bool isProcessed(std::size_t vertex, std::size_t moment) const;
};

}  // namespace p2::inline strategy
