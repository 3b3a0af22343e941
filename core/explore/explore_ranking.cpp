// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "base/near.h"
#include "explore/explore.h"

namespace p2::inline explore {

void rank(PlacementResult& result) {
  std::vector<std::size_t> order(result.programs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sortByCost(
      order.begin(), order.end(), [&](std::size_t i) { return result.programs[i].rankedSeconds(); },
      [&](auto first, auto last) {
        std::sort(first, last, [&](std::size_t a, std::size_t b) {
          return ProgramTie{result.programs[a].program.size(), 0, a} <
                 ProgramTie{result.programs[b].program.size(), 0, b};
        });
      });
  std::vector<ProgramResult> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(result.programs[i]));
  result.programs = std::move(sorted);
  if (result.programs.empty()) return;
  result.bestOverlapped = result.programs[0].overlapped;
  result.bestSteps = result.programs[0].program.size();
}

std::vector<std::size_t> rankedPlacements(const Exploration& exploration) {
  const std::vector<PlacementResult>& placements = exploration.placements;
  std::vector<std::size_t> order(placements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto tieOf = [&](std::size_t i) { return ProgramTie{placements[i].bestSteps, i, 0}; };
  sortByCost(
      order.begin(), order.end(), [&](std::size_t i) { return placements[i].rankedBestSeconds(); },
      [&](auto first, auto last) {
        std::sort(first, last, [&](std::size_t a, std::size_t b) { return tieOf(a) < tieOf(b); });
      });
  return order;
}

std::vector<std::pair<std::size_t, std::size_t>> rankedPrograms(const Exploration& exploration) {
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < exploration.placements.size(); ++i) {
    for (std::size_t j = 0; j < exploration.placements[i].programs.size(); ++j) order.emplace_back(i, j);
  }
  const auto programAt = [&](const auto& at) -> const ProgramResult& {
    return exploration.placements[at.first].programs[at.second];
  };
  const auto tieOf = [&](const auto& at) { return ProgramTie{programAt(at).program.size(), at.first, at.second}; };
  sortByCost(
      order.begin(), order.end(), [&](const auto& at) { return programAt(at).rankedSeconds(); },
      [&](auto first, auto last) {
        std::sort(first, last, [&](const auto& a, const auto& b) { return tieOf(a) < tieOf(b); });
      });
  return order;
}

}  // namespace p2::inline explore
