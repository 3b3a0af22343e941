// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "explore/explore.h"
#include "explore/port_bytes.h"

namespace p2::inline explore {

/// The program that another one of the same placement is compared with unless the user says otherwise: the goal's one
/// collective, or the best of the others if it is that one itself.
[[nodiscard]] Program defaultRival(const PlacementResult& placement, const Goal& goal, const Program& program);

/// One side of a comparison on one system: a program, or a placement with its program.
struct Contestant {
  std::string name;          ///< "A"
  double seconds = 0;        ///< all repeats; if not all steps can run, the executable ones
  std::string problem = {};  ///< why it does not reach its goal, as a sentence without a full stop; empty if it does
  std::vector<PortBytes> ports = {};  ///< see portBytes()
  double latencySeconds = 0;          ///< part of `seconds`
};

/// The faster of two and the price of the other: "A is 1.84× as fast as B: 2.83 s against 5.20 s; through
/// the busiest port of a node A sends 805 MB, B 3.22 GB". Times within half a percent count as equal.
/// A reason follows where there is one: the bytes of the outermost interconnect whose ratio is within 10 % of the ratio
/// of the times and at least half as far above 1, in one of the `runs` runs whose times are given;
/// else the latencies, where they make at least half of the difference. Otherwise the bytes of the outermost
/// interconnect that both use are given, with the rates at which either moves them; where they share none, the bytes of
/// the outermost interconnect that either uses, "which is not the reason".
[[nodiscard]] std::string comparisonText(const System& system, const Contestant& a, const Contestant& b,
                                         std::int64_t runs = 1);

}  // namespace p2::inline explore
