// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "system/system.h"

namespace p2::inline cost {

/// One-way seconds between two devices, from published measurements of networks of a kind.
struct PublishedLatencies {
  double inside = 0;  ///< in one node
  double across = 0;  ///< from one node to another
  friend bool operator==(const PublishedLatencies&, const PublishedLatencies&) = default;
};

/// From resources/nccl/latencies.json, for a system that gives no latency at all and whose nodes are joined by a
/// network listed there; empty for others. O(levels + networks).
[[nodiscard]] std::optional<PublishedLatencies> publishedLatenciesOf(const System& system);

}  // namespace p2::inline cost
