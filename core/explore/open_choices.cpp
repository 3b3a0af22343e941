// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/open_choices.h"

#include <algorithm>

#include "base/counted.h"
#include "base/lists.h"
#include "base/units.h"

namespace p2::inline explore {
namespace {

constexpr std::size_t kMostNamed = 2;

}  // namespace

OpenChoices openChoices(const Exploration& exploration) {
  OpenChoices open;
  if (exploration.placements.empty() || exploration.workspace.options.cost.overlap) return open;
  const auto best = static_cast<std::size_t>(exploration.bestPlacement);
  const PlacementResult& cheapest = exploration.placements[best];
  if (cheapest.programs.empty()) return open;
  const std::vector<StepCost>& steps = cheapest.programs.front().steps;
  open.single = isOpenWhichIsFaster(steps, cheapest.singleSteps);
  if (exploration.defaultPlacement >= 0) {
    const auto row = static_cast<std::size_t>(exploration.defaultPlacement);
    open.atDefault = isOpenWhichIsFaster(steps, exploration.placements[row].singleSteps);
  }
  for (const std::size_t i : rankedPlacements(exploration)) {
    const PlacementResult& other = exploration.placements[i];
    if (i == best || other.programs.empty()) continue;
    if (isOpenWhichIsFaster(steps, other.programs.front().steps)) open.placements.push_back(i);
  }
  return open;
}

std::string openChoicesText(const Exploration& exploration, const OpenChoices& open) {
  std::vector<std::string> parts;
  if (open.single) {
    const PlacementResult& best = exploration.placements[static_cast<std::size_t>(exploration.bestPlacement)];
    parts.push_back("one " + singleNameOf(exploration.workspace) + " (" + formatSeconds(best.singleSeconds) + ")");
  }
  const std::size_t named = std::min(kMostNamed, open.placements.size());
  for (std::size_t i = 0; i < named; ++i) {
    const PlacementResult& placement = exploration.placements[open.placements[i]];
    parts.push_back(placement.matrix.text() + " (" + formatSeconds(placement.programs.front().seconds) + ")");
  }
  if (open.placements.size() > named) {
    parts.push_back(countedText(static_cast<std::int64_t>(open.placements.size() - named), "more placement"));
  }
  return andList(parts);
}

}  // namespace p2::inline explore
