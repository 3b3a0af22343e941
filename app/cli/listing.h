// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>
#include <string>

#include "explore/explore.h"
#include "text/json_writer.h"

namespace p2::cli {

/// Most placements or programs that are listed one by one.
inline constexpr std::uint64_t kMostListed = 1'000'000;

/// How an exploration is shown.
struct ListingStyle {
  bool json = false;
  bool programs = true;    ///< list the programs, not only their number
  bool simulated = false;  ///< where the time of every step goes, and what it is compared with
  bool ranked = false;     ///< one list over all placements, cheapest first
  bool goal = false;       ///< in JSON: the goal, which texts always say
  bool bound = false;      ///< in JSON: the limit of every placement; texts always say it
};

void writeListing(std::ostream& out, const Exploration& exploration, const ListingStyle& style);

void writeMatrix(JsonWriter& json, const ParallelismMatrix& matrix);
/// "1 program", "47 programs".
[[nodiscard]] std::string counted(const Count& count, const std::string& noun);

}  // namespace p2::cli
