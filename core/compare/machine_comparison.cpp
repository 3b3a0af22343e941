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

/// Shares of a step below this are no change.
constexpr double kSmallChange = 1e-3;

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

/// The configuration that is compared: the chosen one, else the best, with the assumptions of the answer.
Result<PlannedConfiguration> firstConfiguration(const TrainingInput& input,
                                                const std::optional<ChosenConfiguration>& chosen,
                                                StepComparison& comparison, const std::stop_token& stop,
                                                const Progress& progress) {
  P2_TRY_ASSIGN(auto found, answerTraining(input, stop, progress));
  comparison.assumed = std::move(found.assumed);
  if (!chosen) return std::move(found.configurations.front());
  auto planned = planChosen(input.question, *chosen, stop);
  if (planned.ok()) {
    comparison.isChosen = true;
    return planned;
  }
  if (planned.error().kind == ErrorKind::Cancelled) return planned;
  comparison.chosenProblem = planned.error().message;
  return std::move(found.configurations.front());
}

}  // namespace

Result<PlacementComparison> comparePlacements(const Workspace& question, const System& a, const System& b,
                                              std::stop_token stop) {
  P2_TRY_ASSIGN(const auto first, exploredOn(question, a, "A", stop));
  P2_TRY_ASSIGN(const auto second, exploredOn(question, b, "B", stop));
  PlacementComparison comparison;
  comparison.model = question.options.cost.model;
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

std::vector<PartPair> StepComparison::parts() const {
  const StepParts& before = a.planned.estimate.parts;
  const StepParts after = kept ? kept->planned.estimate.parts : StepParts{};
  std::vector<PartPair> pairs;
  const auto add = [&pairs](std::string name, double one, double other, std::optional<ExposedAxis> axis = {}) {
    if (one != 0 || other != 0) pairs.push_back({std::move(name), axis, one, other});
  };
  add("computation", before.compute + before.inefficiency, after.compute + after.inefficiency);
  add("recomputation", before.recompute, after.recompute);
  for (std::size_t i = 0; i < kExposedAxes.size(); ++i) {
    const auto axis = static_cast<ExposedAxis>(i);
    add("exposed " + std::string(kExposedAxes[i]), before.exposed[i], after.exposed[i], axis);
  }
  add("bubble", before.bubble, after.bubble);
  add("imbalance", before.imbalance, after.imbalance);
  add("optimizer", before.optimizer, after.optimizer);
  add("host", before.host, after.host);
  return pairs;
}

std::optional<PartPair> StepComparison::decidingPart() const {
  if (!kept) return {};
  const double change = kept->planned.estimate.seconds - a.planned.estimate.seconds;
  if (!(std::abs(change) > kSmallChange * a.planned.estimate.seconds)) return {};
  for (PartPair& pair : parts()) {
    if ((pair.b - pair.a) / change > 0.5) return std::move(pair);
  }
  return {};
}

Result<StepComparison> compareSteps(const TrainingInput& input, const System& b,
                                    const std::optional<ChosenConfiguration>& chosen, std::stop_token stop,
                                    const Progress& progress) {
  TrainingInput first = input;
  first.question.best = 1;
  StepComparison comparison;
  P2_TRY_ASSIGN(auto found, firstConfiguration(first, chosen, comparison, stop, halfOf(progress, 0)).within("A"));
  const ChosenConfiguration same = chosenFrom(found);
  P2_TRY_ASSIGN(comparison.a, sideOf(first.question, std::move(found), stop));
  TrainingInput second = first;
  second.question.system = b;
  if (auto planned = planChosen(second.question, same, stop); planned.ok()) {
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
