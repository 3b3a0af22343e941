// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "strategy/detail/cost_network.h"
#include "strategy/detail/elimination_order.h"

namespace p2::inline strategy {

/// A table to be computed: over every combination of its axes, the least sum of its inputs over the values of one more
/// axis, which is eliminated.
struct TableTask {
  struct Input {
    std::size_t table = 0;
    std::vector<std::size_t> axes;  ///< per axis of the input which of the task's it is; sizes.size(): the eliminated
    friend auto operator<=>(const Input&, const Input&) = default;
  };
  std::size_t eliminated = 1;      ///< values of the axis that is minimised over
  std::vector<std::size_t> sizes;  ///< sizes of the result's axes
  std::size_t outer = 0;           ///< number of leading axes that share an input with the last one
  std::vector<Input> inputs;       ///< sorted
  friend auto operator<=>(const TableTask&, const TableTask&) = default;

  /// Sums that are compared.
  [[nodiscard]] double cells() const;
  [[nodiscard]] double resultCells() const;
};

/// The elimination of one vertex: all tables over it are joined into one over its neighbours, the separator.
struct EliminationStep {
  std::size_t vertex = 0;
  std::vector<std::size_t> separator;  ///< the axes of the result
  std::vector<Factor> inputs;
  std::size_t table = 0;  ///< the result
};

/// An elimination of all vertices, and finally of an added vertex "all" with a single value, which joins the
/// components. The tables it makes are numbered after the network's. Steps that do the same with the same tables
/// share one.
struct EliminationPlan {
  std::string order;
  std::vector<EliminationStep> steps;  ///< one per vertex in their order, then the one of "all"
  std::vector<TableTask> tasks;        ///< the tables to be computed, each from those before it
  double cells = 0;                    ///< cells of all tasks
  double largest = 0;                  ///< cells of the largest task
  double bytes = 0;                    ///< bytes of all tables held at once, the network's and the results
  bool complete = true;                ///< false where it ended early; the figures are then too small
};

[[nodiscard]] EliminationPlan eliminationPlan(const CostNetwork& network, const EliminationOrder& order,
                                              const std::stop_token& stop = {});
/// The cheapest plan of several orders, by cells; the first one that is cheap enough not to look further.
/// Deterministic. Returns early when stopped: the plan may then not be complete.
[[nodiscard]] EliminationPlan cheapestPlan(const CostNetwork& network, const std::stop_token& stop = {});

}  // namespace p2::inline strategy
