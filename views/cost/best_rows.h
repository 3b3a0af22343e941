// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "views/cost/cost_colours.h"

namespace p2::views {

/// The best program of one placement next to the single collective over its whole group.
struct BestRow {
  int placement = 0;  ///< index into Exploration::placements
  double best = 0;    ///< seconds, as programs are ranked
  double single = 0;  ///< seconds of the single collective
  double limit = 0;   ///< no program is faster; 0 where none is known
  int category = 0;   ///< category of its colour
  bool isBest = false;
  bool isDefault = false;  ///< the placement that frameworks use unasked
  friend bool operator==(const BestRow&, const BestRow&) = default;
};

/// One for every placement, the fastest first, equal ones as they come. O(n log n).
[[nodiscard]] std::vector<BestRow> bestRows(const Exploration& exploration);
/// The sum of the longest bar, in seconds.
[[nodiscard]] double longestOf(const std::vector<BestRow>& rows);

/// "★ B", "◇ E": the letter of the placement with its mark.
[[nodiscard]] QString markedLetter(const BestRow& row);
/// "ReduceScatter·node → AllReduce·node∥root → …": the best program, written out.
[[nodiscard]] QString programOf(const Exploration& exploration, const BestRow& row);
/// "AllReduce 5.20 s (1.84×)": the label of the single collective's bar, with ◇ if it is the
/// frameworks' default.
[[nodiscard]] QString singleText(const Exploration& exploration, const BestRow& row);
/// The finding: "★ B is best: RS·AR·AG takes 2.83 s. ≈ By the intervals C may be as fast. ◇ The default of JAX/PyTorch,
/// E with one AllReduce, takes 10.4 s, 3.67× slower. ┊ No program takes less than 2.68 s."
[[nodiscard]] QString bestFinding(const Exploration& exploration, const std::vector<BestRow>& rows);
/// "10 runs of 2 GiB per device, paper model, ring".
[[nodiscard]] QString pricedHow(const CostOptions& cost);
/// The rows as CSV (RFC 4180): matrix, program, seconds, allreduce_seconds, limit_seconds.
[[nodiscard]] std::string bestCsv(const Exploration& exploration, const std::vector<BestRow>& rows);

}  // namespace p2::views
