// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_series.h"

#include <algorithm>
#include <tuple>

namespace p2::views {
namespace {

/// The placements asked for; of more than `most`, those whose best programs are fastest, in their own order.
std::vector<int> placementsOf(const Exploration& exploration, const CostChoice& choice) {
  const int count = static_cast<int>(exploration.placements.size());
  if (choice.onlyPlacement >= count) return {};
  if (choice.onlyPlacement >= 0) return {choice.onlyPlacement};
  std::vector<int> indices;
  for (const std::size_t i : rankedPlacements(exploration)) indices.push_back(int(i));
  indices.resize(std::min(indices.size(), choice.mostBars));
  std::sort(indices.begin(), indices.end());
  return indices;
}

void addBars(std::vector<CostBar>& bars, const Exploration& exploration, int index, std::size_t most) {
  const PlacementResult& placement = exploration.placements[std::size_t(index)];
  const Program reference = singleProgram(*placement.hierarchy, exploration.workspace.options.goal);
  bool hasReference = false;
  for (std::size_t i = 0; i < placement.programs.size(); ++i) {
    const ProgramResult& result = placement.programs[i];
    const bool isReference = result.program == reference;
    if (i >= most && !isReference) continue;
    const double speedup = gainOver(placement.singleSeconds, result.rankedSeconds());
    bars.push_back(
        {index, int(i), result.seconds, speedup, isReference, result.overlapped ? result.overlapped->seconds : 0});
    hasReference = hasReference || isReference;
  }
  if (!hasReference) bars.push_back({index, -1, placement.singleSeconds, 1, true});
}

void sortBars(std::vector<CostBar>& bars, CostOrder order) {
  const auto sortBy = [&bars](auto key) {
    std::stable_sort(bars.begin(), bars.end(), [key](const CostBar& a, const CostBar& b) { return key(a) < key(b); });
  };
  switch (order) {
    case CostOrder::Time:
      return sortBy([](const CostBar& bar) { return bar.rankedSeconds(); });
    case CostOrder::Placement:
      return sortBy([](const CostBar& bar) { return std::tuple(bar.placement, bar.rankedSeconds()); });
    case CostOrder::Speedup:
      return sortBy([](const CostBar& bar) { return std::tuple(-bar.speedup, bar.rankedSeconds()); });
  }
}

std::string csvQuoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

}  // namespace

CostSeries costSeries(const Exploration& exploration, const CostChoice& choice) {
  const std::vector<int> placements = placementsOf(exploration, choice);
  CostSeries series;
  if (placements.empty()) return series;
  const std::size_t each = std::max<std::size_t>(1, choice.mostBars / placements.size());
  for (const int index : placements) addBars(series.bars, exploration, index, each);
  sortBars(series.bars, choice.order);
  const Count all = choice.onlyPlacement >= 0 ? exploration.placements[std::size_t(choice.onlyPlacement)].programCount
                                              : exploration.programCount;
  const std::uint64_t total = all.clamped64();
  series.leftOut = all.fits64() ? Count(total - std::min<std::uint64_t>(series.bars.size(), total)) : all;
  return series;
}

std::vector<LowerBoundLine> lowerBoundLines(const Exploration& exploration, const std::vector<CostBar>& bars,
                                            bool grouped) {
  std::vector<LowerBoundLine> lines;
  int lastPlacement = -1;
  for (int bar = 0; bar < static_cast<int>(bars.size()); ++bar) {
    const int placement = bars[static_cast<std::size_t>(bar)].placement;
    const double seconds = exploration.placements[static_cast<std::size_t>(placement)].limit.seconds;
    if (lines.empty() || (grouped && placement != lastPlacement)) lines.push_back({bar, bar, seconds});
    lines.back().last = bar;
    lines.back().seconds = std::min(lines.back().seconds, seconds);
    lastPlacement = placement;
  }
  std::erase_if(lines, [](const LowerBoundLine& line) { return line.seconds <= 0; });
  return lines;
}

const std::vector<StepCost>& stepsOf(const Exploration& exploration, const CostBar& bar) {
  const PlacementResult& placement = exploration.placements[std::size_t(bar.placement)];
  return bar.program < 0 ? placement.singleSteps : placement.programs[std::size_t(bar.program)].steps;
}

Program programOf(const Exploration& exploration, const CostBar& bar) {
  const PlacementResult& placement = exploration.placements[std::size_t(bar.placement)];
  return bar.program < 0 ? singleProgram(*placement.hierarchy, exploration.workspace.options.goal)
                         : placement.programs[std::size_t(bar.program)].program;
}

std::string costCsv(const Exploration& exploration, const std::vector<CostBar>& bars) {
  const bool overlaps = exploration.workspace.options.cost.overlap;
  std::string csv = exploration.workspace.options.goal == kAllReduceGoal ? "matrix,program,seconds,allreduce_seconds"
                                                                         : "matrix,program,seconds,flat_seconds";
  csv += overlaps ? ",overlapped_seconds\r\n" : "\r\n";
  for (const CostBar& bar : bars) {
    const PlacementResult& placement = exploration.placements[std::size_t(bar.placement)];
    const std::string program = programText(*placement.hierarchy, programOf(exploration, bar));
    csv += csvQuoted(placement.matrix.text()) + "," + csvQuoted(program) + "," + exactNumber(bar.seconds) + "," +
           exactNumber(placement.singleSeconds) + (overlaps ? "," + exactNumber(bar.rankedSeconds()) : std::string()) +
           "\r\n";
  }
  return csv;
}

}  // namespace p2::views
