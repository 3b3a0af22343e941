// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline training {

/// How the copies of tokens spread over the experts of a layer.
struct ExpertLoad {
  std::vector<double> shares;  ///< share of each expert, in their order on the devices; sum 1; empty for even ones
  double capacity = 0;         ///< copies that an expert takes over its even part, above which they are dropped; 0: all
  friend bool operator==(const ExpertLoad&, const ExpertLoad&) = default;
};

/// "uniform", "power:1" (the i-th most loaded of the experts gets a share of i^−1, in an order without a pattern), or
/// the text of a file: one load for each expert, in any unit, split by blanks, commas or lines. Errors: no experts, a
/// number of loads other than `experts`, a load below 0 or no number, loads that are all 0.
[[nodiscard]] Result<ExpertLoad> expertLoadFrom(std::string_view text, std::int64_t experts);

/// Copies of tokens at the fullest of `ranks` devices, which divide the experts in their order, over the even part;
/// 1 for even loads, at most `ranks`.
[[nodiscard]] double fullestLoad(const ExpertLoad& load, std::int64_t experts, std::int64_t ranks);
/// Share of all copies that is dropped.
[[nodiscard]] double droppedShare(const ExpertLoad& load, std::int64_t experts);

}  // namespace p2::inline training
