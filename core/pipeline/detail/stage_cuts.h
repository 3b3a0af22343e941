// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/pipeline.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace p2::inline pipeline {

/// Cuts of a chain whose most expensive stage is cheapest.
struct StageCuts {
  std::vector<std::size_t> at;                            ///< stages + 1 numbers of pieces; empty without cuts
  double cost = std::numeric_limits<double>::infinity();  ///< cost of the most expensive stage; infinite without cuts
};

/// The best cuts, by dynamic programming over the number of stages and the last piece. Calls `costOf` with (first
/// piece, end, stage) and skips everything that costs `wanted` or more. O(stages · pieces²).
template <class CostOf>
[[nodiscard]] StageCuts cheapestCuts(std::size_t pieces, std::size_t stages, double wanted, CostOf costOf) {
  constexpr double kImpossible = std::numeric_limits<double>::infinity();
  if (pieces < stages) return {};
  std::vector<std::vector<std::size_t>> from(stages, std::vector<std::size_t>(pieces + 1, 0));
  std::vector<double> least(pieces + 1, kImpossible);
  least[0] = 0;
  for (std::size_t stage = 0; stage < stages; ++stage) {
    std::vector<double> next(pieces + 1, kImpossible);
    const bool last = stage + 1 == stages;
    for (std::size_t end = last ? pieces : stage + 1; end <= pieces - (stages - 1 - stage); ++end) {
      for (std::size_t first = end; first-- > stage;) {
        if (least[first] >= std::min(next[end], wanted)) continue;
        const double cost = std::max(least[first], costOf(first, end, stage));
        if (cost >= std::min(next[end], wanted)) continue;
        next[end] = cost;
        from[stage][end] = first;
      }
    }
    least = std::move(next);
  }
  if (least[pieces] == kImpossible) return {};
  StageCuts cuts{{pieces}, least[pieces]};
  for (std::size_t stage = stages; stage-- > 0;) cuts.at.push_back(from[stage][cuts.at.back()]);
  std::reverse(cuts.at.begin(), cuts.at.end());
  return cuts;
}

}  // namespace p2::inline pipeline
