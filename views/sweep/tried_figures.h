// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "system/system.h"

namespace p2::views {

/// Figures of a link that are tried out, next to the document's.
struct TriedFigures {
  std::optional<double> bandwidth;  ///< bytes/s
  std::optional<double> latency;    ///< seconds
  friend bool operator==(const TriedFigures&, const TriedFigures&) = default;
};
/// Tried figures by the place of a link in interconnects().
using TriedLinks = std::map<std::size_t, TriedFigures>;

/// The system with those figures instead of its own, fitted ones included.
[[nodiscard]] System withTried(System system, const TriedLinks& tried);

/// A link with figures that can be tried out.
struct TriableLink {
  std::size_t index = 0;  ///< into interconnects()
  std::string name;       ///< as carryingLinks() calls it
  double bandwidth = 0;   ///< bytes/s that counts now
  double latency = 0;     ///< seconds, likewise
  friend bool operator==(const TriableLink&, const TriableLink&) = default;
};
/// The links that join something and have a bandwidth.
[[nodiscard]] std::vector<TriableLink> triableLinks(const System& system);

}  // namespace p2::views
