// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/dispatch.h"

#include <algorithm>

namespace p2 {

double expectedNodes(const ExpertRouting& routing, std::int64_t nodes) {
  const auto all = static_cast<double>(nodes);
  const bool limited = routing.mostNodes > 0 && routing.mostNodes < nodes;
  const double among = limited ? static_cast<double>(routing.mostNodes) : all;
  const double ofNode = static_cast<double>(routing.experts) / all;
  const double experts = ofNode * among;
  // That none of the experts is on a given node: they are drawn one after the other from those elsewhere.
  double nobody = 1;
  for (std::int64_t drawn = 0; drawn < routing.expertsPerToken && nobody > 0; ++drawn) {
    const auto gone = static_cast<double>(drawn);
    const double elsewhere = experts - ofNode - gone;
    nobody = elsewhere > 0 ? nobody * elsewhere / (experts - gone) : 0;
  }
  return among * (1 - nobody);
}

double deduplicatedBytes(double bytes, const ExpertRouting& routing, std::int64_t nodes) {
  return bytes / static_cast<double>(routing.expertsPerToken) * expectedNodes(routing, nodes);
}

}  // namespace p2
