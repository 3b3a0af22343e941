// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/other_axes.h"

#include <algorithm>
#include <limits>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"

namespace p2::inline step {
namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;

OtherAxisCost spreadOf(const System& system, const ParallelismMatrix& matrix, std::size_t axis) {
  std::size_t level = 0;
  while (matrix.at(axis, level) == 1) ++level;
  OtherAxisCost cost;
  cost.crosses = system.levels[level].name;
  cost.innermost = level + 1 == system.levels.size();
  cost.within = level == 0 ? std::string(kRootName) : system.levels[level - 1].name;
  return cost;
}

/// The question of one AllReduce over each of the other axes.
StepQuestion questionFor(const Workspace& workspace) {
  StepQuestion question;
  question.system = workspace.system;
  question.axes = workspace.axes;
  question.options = workspace.options;
  for (const Axis& axis : workspace.axes) {
    if (axis.reduce || axis.size == 1) continue;
    WorkloadEntry entry;
    entry.name = axis.name;
    entry.axes = {axis.name};
    entry.bytes = kGib;
    question.workload.collectives.push_back(std::move(entry));
  }
  return question;
}

}  // namespace

Result<std::shared_ptr<const OtherAxes>> otherAxes(const Workspace& workspace, std::stop_token stop,
                                                   const Progress& progress) {
  auto answer = std::make_shared<OtherAxes>();
  const StepQuestion question = questionFor(workspace);
  if (question.workload.collectives.empty()) return std::shared_ptr<const OtherAxes>(answer);
  P2_TRY_ASSIGN(const auto ranking, rankSteps(question, std::move(stop), progress));
  for (std::size_t entry = 0; entry < ranking->entries().size(); ++entry) {
    const std::string& name = ranking->entries()[entry].name;
    const auto axis = static_cast<std::size_t>(
        std::find_if(workspace.axes.begin(), workspace.axes.end(), [&](const Axis& a) { return a.name == name; }) -
        workspace.axes.begin());
    double best = std::numeric_limits<double>::infinity();
    for (const PlacementStep& placement : ranking->placements) {
      best = std::min(best, ranking->cost(placement, entry).seconds);
    }
    for (const PlacementStep& placement : ranking->placements) {
      OtherAxisCost cost = spreadOf(workspace.system, placement.matrix, axis);
      cost.axis = name;
      cost.secondsPerGib = ranking->cost(placement, entry).seconds;
      cost.timesBest = cost.secondsPerGib / best;
      (*answer)[placement.matrix].push_back(std::move(cost));
    }
  }
  return std::shared_ptr<const OtherAxes>(answer);
}

std::string otherAxisText(const OtherAxisCost& cost) {
  const bool inside = cost.innermost && cost.within != kRootName;
  const std::string where = inside ? " within a " + cost.within : " crosses " + pluralOf(cost.crosses);
  const std::string price = formatSeconds(cost.secondsPerGib) + "/GiB";
  return cost.axis + where + ": " + price +
         (nearlyEqual(cost.timesBest, 1, kDisplayTolerance) ? "" : ", " + formatFactor(cost.timesBest) + " its best");
}

}  // namespace p2::inline step
