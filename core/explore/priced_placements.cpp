// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/detail/priced_placements.h"

#include "base/near.h"
#include "placement/containment.h"

namespace p2::inline explore {

Result<PricedPlacements> PricedPlacements::of(const Workspace& workspace, Syntheses& syntheses, bool onlyMatrix,
                                              std::stop_token stop) {
  P2_TRY(checkWorkspace(workspace));
  P2_TRY_ASSIGN(auto system, validated(workspace.system).about("/system"));
  PricedPlacements made(workspace, std::make_shared<const Topology>(std::move(system)));
  if (onlyMatrix) {
    P2_TRY(made.add(workspace.matrix, syntheses, stop));
    return made;
  }
  const Count count = countMatricesOf(workspace.system, workspace.axes);
  if (count > ExploreScope{}.mostPlacements) {
    return Error{"these axes have " + count.toString() + " placements on this system, more than " +
                     std::to_string(ExploreScope{}.mostPlacements) +
                     "; use fewer axes, or choose one placement by its matrix",
                 {},
                 ErrorKind::TooLarge};
  }
  MatrixEnumerator enumerator = matricesOf(workspace.system, workspace.axes);
  while (enumerator.next()) P2_TRY(made.add(enumerator.matrix(), syntheses, stop));
  return made;
}

Result<void> PricedPlacements::add(const ParallelismMatrix& matrix, Syntheses& syntheses, const std::stop_token& stop) {
  if (stop.stop_requested()) return cancelledError();
  const ExploreOptions& options = m_workspace.options;
  Priced placement;
  placement.matrix = matrix;
  placement.hierarchy = std::make_shared<SynthesisHierarchy>(m_workspace.system, Placement(m_workspace.axes, matrix));
  const SynthesisShape shape = synthesisShape(*placement.hierarchy, options.rules);
  auto known = syntheses.find(shape);
  if (known == syntheses.end()) {
    P2_TRY_ASSIGN(const auto graph, StateGraph::build(shape.sizes, options.rules, options.sizeLimit, stop,
                                                      goalOn(*placement.hierarchy, options.goal)));
    known = syntheses.emplace(shape, std::make_unique<CheapestProgram>(graph, options.sizeLimit)).first;
  }
  placement.cheapest = known->second.get();
  placement.pricer = std::make_unique<PatternPricer>(*m_topology, *placement.hierarchy, options.cost, stop);
  placement.single = singleSteps(*placement.hierarchy, options.goal);
  m_placements.push_back(std::move(placement));
  return {};
}

Result<SweepPoint> PricedPlacements::bestAt(double value, Bytes bytes, const std::stop_token& stop) {
  struct Least {
    double seconds = 0;
    std::size_t steps = 0;
    double singleSeconds = 0;
  };
  std::vector<Least> all;
  for (Priced& placement : m_placements) {
    if (stop.stop_requested()) return cancelledError();
    placement.pricer->setBytes(bytes);
    Least least;
    for (const StateEdge& step : placement.single) least.singleSeconds += placement.pricer->price(step).seconds;
    // Without a program of that few steps, the single collective remains.
    const CheapestProgram::Found single{least.singleSeconds, placement.single.size()};
    const auto found = placement.cheapest->find(*placement.pricer).value_or(single);
    // After a stop request prices are meaningless.
    if (stop.stop_requested()) return cancelledError();
    least.seconds = found.seconds;
    least.steps = found.steps;
    all.push_back(least);
  }
  const auto placementOf = [&](const auto& least) -> Priced& {
    return m_placements[static_cast<std::size_t>(least - all.begin())];
  };
  SweepPoint point;
  point.value = value;
  point.best = bestOf(placementOf(cheapestOf(
      all.begin(), all.end(), [](const Least& each) { return each.seconds; },
      [](const Least& a, const Least& b) { return a.steps < b.steps; })));
  point.single =
      singleOf(placementOf(cheapestOf(all.begin(), all.end(), [](const Least& each) { return each.singleSeconds; })));
  point.gain = gainOver(point.single.seconds, point.best.seconds);
  return point;
}

PricedPlacements::OfPlacement PricedPlacements::bestOf(std::size_t placement, Bytes bytes) {
  Priced& priced = m_placements[placement];
  priced.pricer->setBytes(bytes);
  SweepChoice best = bestOf(priced);
  const double gain = gainOver(singleOf(priced).seconds, best.seconds);
  return {std::move(best), gain};
}

SweepChoice PricedPlacements::bestOf(Priced& placement) {
  if (!placement.cheapest->find(*placement.pricer)) return singleOf(placement);
  SweepChoice choice{placement.matrix, placement.hierarchy, {}, 0, {}};
  for (const StateEdge* edge : placement.cheapest->edges()) addStep(choice, placement, *edge);
  return choice;
}

SweepChoice PricedPlacements::singleOf(Priced& placement) {
  SweepChoice choice{placement.matrix, placement.hierarchy, {}, 0, {}};
  for (const StateEdge& step : placement.single) addStep(choice, placement, step);
  return choice;
}

void PricedPlacements::addStep(SweepChoice& choice, Priced& placement, const StateEdge& step) {
  choice.program.push_back(step.instruction);
  choice.steps.push_back(placement.pricer->price(step));
  choice.seconds += choice.steps.back().seconds;
}

}  // namespace p2::inline explore
