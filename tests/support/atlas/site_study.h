// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cost/calibration/calibration.h"
#include "support/atlas/validation.h"

namespace p2 {

/// What a calibration on few nodes of a site is worth for many: AllReduce on some numbers of at most 8 nodes is fitted,
/// that on the largest is predicted. Constants were fitted to all other machines before.
struct SiteStudy {
  std::string machine;
  std::string settings;       ///< "nvls off, sharp on": what tables of one study have in common
  std::vector<int> measured;  ///< nodes
  int nodes = 0;              ///< that are predicted, 16 or more
  std::size_t times = 0;
  double without = 0;  ///< median |ln(predicted / measured)|, from 1 MiB
  double with = 0;
  double insideWithout = 0;  ///< share of the times in their 80 % intervals
  double insideWith = 0;
  double widthWithout = 0;  ///< median ln(high / low)
  double widthWith = 0;
  std::vector<FittedSite> site;
};

/// Of every machine with AllReduce on at most 8 and on at least 16 nodes, for each of these fitted: the fewest nodes
/// alone, with the most up to 8, and all up to 8. `heldOut` is of validateOnAtlas() with steps.
[[nodiscard]] std::vector<SiteStudy> siteStudies(const AtlasValidation& heldOut);
void printSiteStudies(const std::vector<SiteStudy>& studies);

}  // namespace p2
