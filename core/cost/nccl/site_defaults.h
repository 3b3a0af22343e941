// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cost/detail/library_view.h"

namespace p2::inline cost {

/// A figure of a site's network: its default, and the range of some 80 % of such sites.
struct SiteFigure {
  double low = 0;
  double typical = 0;
  double high = 0;

  /// By how much its logarithm may well differ on another site.
  [[nodiscard]] double spread() const;
  /// By how much itself may well differ there.
  [[nodiscard]] double deviation() const;
};

/// What networks of one kind do where a system says nothing of its own (Library::nicShare, congestion and hop).
struct SiteDefaults {
  NetworkKind network = NetworkKind::Other;
  SiteFigure share;       ///< share of the NICs' nominal bandwidth
  SiteFigure congestion;  ///< k of (nodes/2)^−k
  SiteFigure hop;         ///< seconds from a device to one of the next node
  std::string sites;      ///< which sites say so
};

/// resources/nccl/sites.json, which is compiled in: one for each kind of network, in the order of NetworkKind.
[[nodiscard]] std::span<const SiteDefaults> siteDefaults();
[[nodiscard]] const SiteDefaults& siteDefaultsOf(NetworkKind network);

/// "Default of InfiniBand: 0.945, on most sites 0.86 to 0.98", for a key of Library that is a site's; empty for other
/// keys and on one node. O(levels + networks).
[[nodiscard]] std::string siteDefaultText(const System& system, std::string_view key);

}  // namespace p2::inline cost
