// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>
#include <string>

#include "explore/explore.h"
#include "step/other_axes.h"
#include "text/json_writer.h"

namespace p2::cli {

/// Most placements or programs that are listed one by one.
inline constexpr std::uint64_t kMostListed = 1'000'000;

/// How an exploration is shown.
struct ListingStyle {
  bool json = false;
  bool programs = true;                          ///< list the programs, not only their number
  bool simulated = false;                        ///< where the time of every step goes, and what it is compared with
  bool ranked = false;                           ///< one list over all placements, cheapest first
  bool goal = false;                             ///< in JSON: the goal, which texts always say
  bool bound = false;                            ///< in JSON: the limit of every placement; texts always say it
  std::shared_ptr<const OtherAxes> others = {};  ///< what placements cost the other axes; null to say nothing of it
};

void writeListing(std::ostream& out, const Exploration& exploration, const ListingStyle& style);

/// What every placement costs the axes that are not reduced over. Null where there are too many placements to price
/// them all, which is then told on stderr. Errors: as otherAxes().
[[nodiscard]] Result<std::shared_ptr<const OtherAxes>> pricedOtherAxes(const Workspace& workspace);
/// [{"axis": "tensor", "crosses": "node", …}].
void writeOtherAxes(JsonWriter& json, const OtherAxes& others, const ParallelismMatrix& matrix);
/// "tensor crosses nodes: 37.6 ms/GiB, 9.0× its best; …"; empty where nothing is known.
[[nodiscard]] std::string otherAxesText(const std::shared_ptr<const OtherAxes>& others,
                                        const ParallelismMatrix& matrix);

void writeMatrix(JsonWriter& json, const ParallelismMatrix& matrix);
/// "scatter", the names of the axes that a sum is scattered over; nothing where it is not replicated along others.
void writeScatter(JsonWriter& json, const Workspace& workspace);
/// "1 program", "47 programs".
[[nodiscard]] std::string counted(const Count& count, const std::string& noun);

}  // namespace p2::cli
