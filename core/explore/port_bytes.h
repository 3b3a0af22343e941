// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "cost/cost_options.h"
#include "synthesis/program_trace.h"
#include "system/topology.h"

namespace p2::inline explore {

/// Bytes through one link up to a step of a program.
struct PortBytes {
  std::size_t interconnect = 0;  ///< see Topology::interconnectOf()
  LinkId link;
  std::string name;           ///< "node 0 ↑"
  std::vector<double> bytes;  ///< after 0, 1, … steps, in one run; never falls

  /// Bytes in the middle of step `steps`, as if it went at an even pace: 0 … 1 of it are over.
  [[nodiscard]] double at(int steps, double progress) const;
  [[nodiscard]] double total() const { return bytes.back(); }
};

/// The link with the largest total traffic of every interconnect that the executable steps use, the lowest number among
/// equals; outermost first. The bytes are the ones that simulateStep() prices. Empty for more than kMostListedDevices
/// devices, whose links are not listed. Errors: cancelled. O(steps · flows · route length).
[[nodiscard]] Result<std::vector<PortBytes>> portBytes(const Topology& topology, const ProgramTrace& trace,
                                                       const CostOptions& options, std::stop_token stop = {});

/// "a node", "the spine": the owner of a port, in words.
[[nodiscard]] std::string ownerText(const System& system, std::size_t interconnect);

}  // namespace p2::inline explore
