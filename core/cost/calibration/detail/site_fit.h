// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost: the site's network in a calibration.
#pragma once

#include <vector>

#include "cost/calibration/calibration.h"
#include "cost/nccl/nccl_constants.h"
#include "cost/nccl/site_defaults.h"

namespace p2::inline cost {

/// Information of measurements about other numbers of nodes.
enum class MeasuredNodes {
  Single,     ///< none were of several nodes
  OneNumber,  ///< all measurements between nodes were on one number of nodes
  Several,
};

/// Spread of the logarithm of a constant over sites: of a network's figures as sites.json has it, of the seconds before
/// anything moves, which depend on the host, as constants.json has it. Every site runs the same library, so its other
/// constants have a fifth of that: measurements on few nodes cannot separate them from hops and congestion, whose
/// effect grows with the nodes. One number of nodes does not tell its own effects from the site's, so that
/// all but the starts have half of their spread.
[[nodiscard]] double spreadOverSites(std::size_t constant, MeasuredNodes nodes);

/// The number of the constant that is the congestion of a kind of network.
[[nodiscard]] std::size_t congestionOf(const SiteDefaults& site);
/// A site's congestion, a number of deviations (SiteFigure::deviation()) above the start; at least 1e-4. Congestion is
/// an exponent, so its effect on the logarithm of a time is normally distributed over sites. With its own logarithm
/// distributed so, ten times the default would be as likely as a tenth, and a fit to two numbers of nodes would take
/// any loss between them for congestion.
[[nodiscard]] double congestionAt(const SiteDefaults& site, double start, double deviations);

/// The figures of Library::nicShare, congestion and hop that a finished calibration amounts to, starting from these
/// constants; empty for systems of one node. The share counts the narrowest network between nodes.
[[nodiscard]] std::vector<FittedSite> fittedSiteOf(const Calibration& calibration, const NcclConstants& start);

}  // namespace p2::inline cost
