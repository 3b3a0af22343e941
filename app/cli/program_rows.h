// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/listing.h"

namespace p2::cli {

/// A program of a placement, as a row of a list. The references must outlive it.
struct ProgramRow {
  const Exploration& exploration;
  const ListingStyle& style;
  const PlacementResult& placement;
  const ProgramResult& program;
  std::size_t number;  ///< in its list, from 1
};

/// Whether the cost model has protocols.
[[nodiscard]] bool hasProtocols(const CostOptions& cost);
/// Whether every step has the algorithm and protocol that are cheapest for it, so that they have to be shown.
[[nodiscard]] bool choosesAlgorithm(const CostOptions& cost);
/// Whether the cheapest program is known: there is one, and they were not too many to rank.
[[nodiscard]] inline bool hasBest(const PlacementResult& placement) {
  return placement.ranked && placement.programCount > Count(0);
}
/// "ring, LL · tree, Simple": the choices of steps.
[[nodiscard]] std::string choicesOf(const std::vector<StepCost>& steps);
/// Adds the way a collective is carried out: algorithm, protocol, channels, latency, and a faster choice if there is
/// one.
void addChoice(Document& answer, const StepCost& step);

/// A program, for JSON.
[[nodiscard]] Document programAnswer(const ProgramRow& row);
/// A table of programs for people; `row` makes the one of a number. `ranked`: programs of several placements.
[[nodiscard]] Table programTable(const Exploration& exploration, const ListingStyle& style, std::size_t count,
                                 bool ranked, const std::function<ProgramRow(std::size_t)>& row);

}  // namespace p2::cli
