// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_model.h"
#include "step/step_ranking.h"
#include "system/interconnects.h"

namespace p2::inline step {

std::vector<BusiestLink> busiestLinks(const StepRanking& ranking, const PlacementStep& placement) {
  std::vector<BusiestLink> links;
  const LibraryView machine = libraryViewOf(*ranking.topology);
  const auto all = interconnects(ranking.question.system);
  const std::vector<double>& most = placement.linkBytes;
  for (std::size_t i = 0; i < most.size(); ++i) {
    if (most[i] <= 0) continue;
    const double bandwidth = bandwidthOf(all[i].link, ranking.question.system.calibrated);
    links.push_back({all[i].name, most[i], most[i] / bandwidth, machine.across[i]});
  }
  return links;
}

std::optional<BusiestLink> busiestBetweenNodes(const StepRanking& ranking, const PlacementStep& placement) {
  std::optional<BusiestLink> busiest;
  for (BusiestLink& link : busiestLinks(ranking, placement)) {
    if (link.betweenNodes && (!busiest || link.seconds > busiest->seconds)) busiest = std::move(link);
  }
  return busiest;
}

}  // namespace p2::inline step
