// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/priced_placements.h"

#include "placement/containment.h"

namespace p2 {

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
  placement.flat = flatSteps(*placement.hierarchy, options.goal);
  m_placements.push_back(std::move(placement));
  return {};
}

// Without a program of so few steps what is flat is all there is.
CheapestProgram::Found PricedPlacements::cheapestOf(Priced& placement, double flatSeconds) {
  return placement.cheapest->find(*placement.pricer).value_or(CheapestProgram::Found{flatSeconds, 1});
}

Result<SweepPoint> PricedPlacements::bestAt(double value, Bytes bytes, const std::stop_token& stop) {
  std::size_t bestAt = 0;
  std::size_t flatAt = 0;
  CheapestProgram::Found best;
  double flatSeconds = 0;
  constexpr double kSameTime = 1e-9;
  for (std::size_t i = 0; i < m_placements.size(); ++i) {
    if (stop.stop_requested()) return cancelledError();
    Priced& placement = m_placements[i];
    placement.pricer->setBytes(bytes);
    double single = 0;
    for (const StateEdge& step : placement.flat) single += placement.pricer->price(step).seconds;
    if (i == 0 || single < flatSeconds * (1 - kSameTime)) {
      flatSeconds = single;
      flatAt = i;
    }
    const auto found = cheapestOf(placement, single);
    // What was priced meanwhile is worth nothing.
    if (stop.stop_requested()) return cancelledError();
    if (i == 0 || found.seconds < best.seconds * (1 - kSameTime)) {
      best = found;
      bestAt = i;
    }
  }
  SweepPoint point;
  point.value = value;
  point.flat = flatOf(m_placements[flatAt]);
  point.gain = gainOver(point.flat.seconds, best.seconds, best.steps, m_workspace.options.cost);
  point.best = point.flat;
  if (point.gain > 1) {
    // Placements share what finds; its last answer is another's.
    cheapestOf(m_placements[bestAt], point.flat.seconds);
    point.best = foundLast(m_placements[bestAt]);
  }
  return point;
}

PricedPlacements::OfPlacement PricedPlacements::bestOf(std::size_t placement, Bytes bytes) {
  Priced& priced = m_placements[placement];
  priced.pricer->setBytes(bytes);
  SweepChoice single = flatOf(priced);
  const auto found = cheapestOf(priced, single.seconds);
  const double gain = gainOver(single.seconds, found.seconds, found.steps, m_workspace.options.cost);
  return {gain > 1 ? foundLast(priced) : std::move(single), gain};
}

SweepChoice PricedPlacements::flatOf(Priced& placement) {
  SweepChoice choice{placement.matrix, placement.hierarchy, {}, 0, {}};
  for (const StateEdge& step : placement.flat) addStep(choice, placement, step);
  return choice;
}

void PricedPlacements::addStep(SweepChoice& choice, Priced& placement, const StateEdge& step) {
  choice.program.push_back(step.instruction);
  choice.steps.push_back(placement.pricer->price(step));
  choice.seconds += choice.steps.back().seconds;
}

SweepChoice PricedPlacements::foundLast(Priced& placement) {
  SweepChoice choice{placement.matrix, placement.hierarchy, {}, 0, {}};
  for (const StateEdge* edge : placement.cheapest->edges()) addStep(choice, placement, *edge);
  return choice;
}

}  // namespace p2
