// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/machine_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "timeline/step_timeline.h"
#include "training_answer/document_training.h"

namespace p2::inline compare {
namespace {

using Explored = std::shared_ptr<const Exploration>;

Result<Explored> exploredOn(Workspace question, const System& system, const char* name, const std::stop_token& stop) {
  question.system = system;
  ExploreScope scope;
  scope.programsPerPlacement = 1;
  return exploreWorkspace(question, scope, false, stop).within(name);
}

PlacementSide sideOf(const Exploration& explored, const PlacementResult& placement) {
  PlacementSide side{placement.rankedBestSeconds(), "AllReduce", {}};
  std::vector<StepCost> steps = placement.singleSteps;
  if (placement.programs.empty()) {
    side.program = "one collective";
  } else {
    side.program = programTitle(placement.programs.front().program);
    steps = placement.programs.front().steps;
  }
  const auto longest = std::max_element(steps.begin(), steps.end(), [](const StepCost& one, const StepCost& other) {
    return one.seconds < other.seconds;
  });
  if (longest != steps.end() && !longest->link.isNone()) side.link = explored.topology->linkName(longest->link);
  return side;
}

/// Reports one half of the work as progress of the whole, from a share on.
Progress halfOf(const Progress& progress, double from) {
  if (!progress) return {};
  return [&progress, from](double done) { progress(from + done / 2); };
}

Result<StepSide> sideOf(const TrainingQuestion& question, PlannedConfiguration planned, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto placement, pricedPlacementOf(question.model, question.system, planned, stop));
  P2_TRY_ASSIGN(const auto collectives,
                stepCollectives(question.model, question.system, planned.configuration, placement));
  StepSide side{std::move(planned), {}};
  std::array<double, kExposedAxes.size()> most{};
  for (const StepCollective& each : collectives) {
    const auto axis = static_cast<std::size_t>(each.axis);
    const double seconds = each.seconds * static_cast<double>(each.entry.count);
    if (seconds <= most[axis] || each.link.empty()) continue;
    most[axis] = seconds;
    side.links[axis] = each.link;
  }
  return side;
}

}  // namespace

Result<PlacementComparison> comparePlacements(const Workspace& question, const System& a, const System& b,
                                              std::stop_token stop) {
  P2_TRY_ASSIGN(const auto first, exploredOn(question, a, "A", stop));
  P2_TRY_ASSIGN(const auto second, exploredOn(question, b, "B", stop));
  PlacementComparison comparison;
  std::map<ParallelismMatrix, std::size_t> places;
  for (const std::size_t i : rankedPlacements(*first)) {
    const PlacementResult& placement = first->placements[i];
    places.emplace(placement.matrix, comparison.pairs.size());
    comparison.pairs.push_back({placement.matrix, sideOf(*first, placement), {}});
  }
  std::size_t best = 0;
  for (const std::size_t i : rankedPlacements(*second)) {
    const PlacementResult& placement = second->placements[i];
    const std::size_t at = places.emplace(placement.matrix, comparison.pairs.size()).first->second;
    if (at == comparison.pairs.size()) comparison.pairs.push_back({placement.matrix, {}, {}});
    comparison.pairs[at].b = sideOf(*second, placement);
    if (best++ == 0) comparison.bestB = at;
  }
  return comparison;
}

bool StepComparison::bestChanges() const {
  if (!bestB) return false;
  if (!kept) return true;
  const PlannedConfiguration& one = kept->planned;
  const PlannedConfiguration& other = bestB->planned;
  const bool same =
      one.framework == other.framework && one.configuration == other.configuration && one.matrix == other.matrix;
  return !same && !areTied(one.estimate, other.estimate);
}

std::optional<ExposedAxis> StepComparison::decidingAxis() const {
  if (!kept) return {};
  const StepParts& before = a.planned.estimate.parts;
  const StepParts& after = kept->planned.estimate.parts;
  std::optional<ExposedAxis> axis;
  double most = 1e-3 * a.planned.estimate.seconds;
  for (std::size_t i = 0; i < kExposedAxes.size(); ++i) {
    const double difference = std::abs(after.exposed[i] - before.exposed[i]);
    if (difference <= most) continue;
    most = difference;
    axis = static_cast<ExposedAxis>(i);
  }
  if (!axis) return {};
  const auto at = static_cast<std::size_t>(*axis);
  const double change = kept->planned.estimate.seconds - a.planned.estimate.seconds;
  if (!((after.exposed[at] - before.exposed[at]) / change > 0.5)) return {};
  return axis;
}

Result<StepComparison> compareSteps(const TrainingInput& input, const System& b, std::stop_token stop,
                                    const Progress& progress) {
  TrainingInput first = input;
  first.question.best = 1;
  P2_TRY_ASSIGN(auto found, answerTraining(first, stop, halfOf(progress, 0)).within("A"));
  StepComparison comparison{{std::move(found.configurations.front()), {}}, {}, {}, {}, {}, std::move(found.assumed)};
  const ChosenConfiguration chosen = chosenFrom(comparison.a.planned);
  P2_TRY_ASSIGN(comparison.a, sideOf(first.question, std::move(comparison.a.planned), stop));
  TrainingInput second = first;
  second.question.system = b;
  if (auto planned = planChosen(second.question, chosen, stop); planned.ok()) {
    P2_TRY_ASSIGN(comparison.kept, sideOf(second.question, std::move(*planned), stop));
  } else if (planned.error().kind == ErrorKind::Cancelled) {
    return planned.error();
  } else {
    comparison.keptProblem = planned.error().message;
  }
  if (auto best = answerTraining(second, stop, halfOf(progress, 0.5)); best.ok()) {
    P2_TRY_ASSIGN(comparison.bestB, sideOf(second.question, std::move(best->configurations.front()), stop));
    for (const std::string& each : best->assumed) {
      auto& known = comparison.assumed;
      if (std::find(known.begin(), known.end(), each) == known.end()) known.push_back("on B, " + each);
    }
  } else if (best.error().kind == ErrorKind::Cancelled) {
    return best.error();
  } else {
    comparison.bestProblem = best.error().message;
  }
  return comparison;
}

}  // namespace p2::inline compare
