// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "system/system.h"

namespace p2::inline cost {

/// One-way seconds between two devices, from published measurements of networks of a kind; 0 where the system says
/// its own.
struct PublishedLatencies {
  double inside = 0;  ///< in one node
  double across = 0;  ///< from one node to another
  std::string of;     ///< the kind of network: "InfiniBand", "networks of its kind"
  friend bool operator==(const PublishedLatencies&, const PublishedLatencies&) = default;
};

/// Stand-ins for latencies that the system does not give, inside nodes or between them: where it says its GPUs'
/// generation, as imported systems do, SiteDefaults::hop; elsewhere an entry of resources/nccl/latencies.json, if the
/// system gives no latency at all and its nodes are joined by that network. O(levels + networks).
[[nodiscard]] std::optional<PublishedLatencies> publishedLatenciesOf(const System& system);

}  // namespace p2::inline cost
