// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/detail/entry_pricer.h"

#include <algorithm>

#include "cost/flows/channel_flows.h"
#include "explore/explore.h"
#include "placement/containment.h"

namespace p2::inline step {
namespace {

std::vector<const StateEdge*> pointersTo(const std::vector<StateEdge>& steps) {
  std::vector<const StateEdge*> pointers;
  for (const StateEdge& step : steps) pointers.push_back(&step);
  return pointers;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

EntryPricer::EntryPricer(std::shared_ptr<const Topology> topology, std::vector<Axis> axes,
                         const ExploreOptions& options)
    : m_topology(std::move(topology)), m_axes(std::move(axes)), m_options(options) {
  m_options.cost.repeat = 1;
  for (Axis& axis : m_axes) axis.reduce = axis.replicate = false;
}

Result<std::unique_ptr<EntryPricer>> EntryPricer::of(const System& system, const std::vector<Axis>& axes,
                                                     const ExploreOptions& options, std::stop_token stop) {
  P2_TRY(checkAxes(system, axes).about("/axes"));
  P2_TRY(checkInside(system, axes).about("/axes"));
  P2_TRY(checkOptions(options).about("/options"));
  P2_TRY_ASSIGN(auto checked, validated(system).about("/system"));
  std::unique_ptr<EntryPricer> made(
      new EntryPricer(std::make_shared<const Topology>(std::move(checked)), axes, options));
  const Count count = countMatricesOf(system, axes);
  if (count > ExploreScope{}.mostPlacements) {
    return Error{"these axes have " + count.toString() + " placements on this system, more than " +
                     std::to_string(ExploreScope{}.mostPlacements) + "; use fewer axes",
                 {},
                 ErrorKind::TooLarge};
  }
  MatrixEnumerator enumerator = matricesOf(system, axes);
  while (enumerator.next()) {
    if (stop.stop_requested()) return cancelledError();
    made->m_matrices.push_back(enumerator.matrix());
  }
  return made;
}

EntryAxes EntryPricer::axesOf(const WorkloadEntry& entry) const {
  EntryAxes axes;
  for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
    if (!contains(entry.axes, m_axes[axis].name) || m_axes[axis].size == 1) continue;
    axes.all |= AxisSet{1} << axis;
    const bool scattered = entry.scatter.empty() || contains(entry.scatter, m_axes[axis].name);
    if (!scattered) axes.replicated |= AxisSet{1} << axis;
  }
  return axes;
}

EntryPricer::Key EntryPricer::keyOf(const WorkloadEntry& entry, const EntryAxes& axes) {
  const bool isShift = entry.kind == CommunicationKind::Shift;
  const ExpertRouting routing =
      entry.kind == CommunicationKind::Dispatch ? entry.routing.value_or(ExpertRouting{}) : ExpertRouting{};
  return {entry.kind, axes, entry.bytes, isShift && entry.closed, routing};
}

void EntryPricer::keepOnly(const std::set<Key>& keys) {
  std::erase_if(m_columns, [&](const auto& known) { return !keys.contains(known.first); });
}

EntryPricer::Classes& EntryPricer::classesOf(const EntryAxes& axes) {
  const auto known = m_classes.find(axes);
  if (known != m_classes.end()) return known->second;
  Classes classes;
  std::vector<std::uint32_t> classOf;
  std::map<std::vector<std::int64_t>, std::uint32_t> numbers;
  for (std::size_t i = 0; i < m_matrices.size(); ++i) {
    const auto next = static_cast<std::uint32_t>(classes.all.size());
    const auto [at, isNew] =
        numbers.emplace(groupSignature(*m_topology, m_matrices[i], axes.all, axes.replicated), next);
    if (isNew) classes.all.push_back({i, {}, {}});
    classOf.push_back(at->second);
  }
  classes.classOf = std::make_shared<const std::vector<std::uint32_t>>(std::move(classOf));
  return m_classes.emplace(axes, std::move(classes)).first->second;
}

std::vector<Axis> EntryPricer::marked(const EntryAxes& axes) const {
  std::vector<Axis> marked = m_axes;
  for (std::size_t axis = 0; axis < marked.size(); ++axis) {
    marked[axis].reduce = (axes.all >> axis & 1) != 0;
    marked[axis].replicate = (axes.replicated >> axis & 1) != 0;
  }
  return marked;
}

void EntryPricer::prepare(Class& entryClass, const EntryAxes& axes, const std::stop_token& stop) const {
  if (entryClass.pricer) return entryClass.pricer->listenTo(stop);
  const System& system = *m_topology->system();
  entryClass.hierarchy =
      std::make_shared<const SynthesisHierarchy>(system, Placement(marked(axes), m_matrices[entryClass.placement]));
  entryClass.pricer = std::make_unique<PatternPricer>(*m_topology, *entryClass.hierarchy, m_options.cost, stop);
}

Result<StepRanking::Column> EntryPricer::column(const WorkloadEntry& entry, const EntryAxes& axes,
                                                const std::stop_token& stop) {
  const Key key = keyOf(entry, axes);
  if (const auto known = m_columns.find(key); known != m_columns.end()) return known->second;
  Classes& classes = classesOf(axes);
  StepRanking::Column column{classes.classOf, {}};
  for (Class& entryClass : classes.all) {
    prepare(entryClass, axes, stop);
    P2_TRY_ASSIGN(auto cost, price(entryClass, entry, axes, stop));
    // Prices of a stopped run are invalid.
    if (stop.stop_requested()) return cancelledError();
    column.costs.push_back(std::move(cost));
  }
  return m_columns.emplace(key, std::move(column)).first->second;
}

Result<CheapestProgram*> EntryPricer::programsFor(const SynthesisHierarchy& hierarchy, const Goal& goal,
                                                  const std::stop_token& stop) {
  const std::pair key(std::string(goal.name), synthesisShape(hierarchy, m_options.rules));
  auto known = m_programs.find(key);
  if (known == m_programs.end()) {
    P2_TRY_ASSIGN(const auto graph, StateGraph::build(key.second.sizes, m_options.rules, m_options.sizeLimit, stop,
                                                      goalOn(hierarchy, goal)));
    known = m_programs.emplace(key, std::make_unique<CheapestProgram>(graph, m_options.sizeLimit)).first;
  }
  return known->second.get();
}

Result<EntryPricer::Cost> EntryPricer::price(Class& entryClass, const WorkloadEntry& entry, const EntryAxes& axes,
                                             const std::stop_token& stop) {
  const auto bytes = Bytes(static_cast<double>(entry.bytes));
  if (entry.kind == CommunicationKind::Shift) return priceShift(entryClass, entry);
  if (entry.kind == CommunicationKind::Dispatch) return priceDispatch(entryClass, entry, axes, stop);
  P2_TRY_ASSIGN(const auto goal, goalFrom(nameOf(entry.kind)));
  return priceBest(entryClass, goal, bytes, axes, stop);
}

Result<EntryPricer::Cost> EntryPricer::priceBest(Class& entryClass, const Goal& goal, Bytes bytes,
                                                 const EntryAxes& axes, const std::stop_token& stop) {
  if (goal == kAllToAllGoal) P2_TRY(checkAllToAll(*m_topology->system(), entryClass.hierarchy->deviceCount()));
  return m_options.cost.overlap ? priceOverlapping(entryClass, goal, bytes, axes, stop)
                                : priceGoal(entryClass, goal, bytes, stop);
}

/// A program with its load on links, without its time yet.
EntryCost EntryPricer::costOf(Class& entryClass, const Goal& goal, const Steps& steps, Bytes bytes) {
  EntryCost cost;
  cost.span = spanText(*entryClass.hierarchy);
  EntryRun run{{}, goal, bytes, {}};
  for (const StateEdge* step : steps) {
    run.program.push_back(step->instruction);
    const BusyStep busy = entryClass.pricer->busyStep(*step, bytes);
    cost.algorithms.insert(busy.algorithm);
    cost.linkBytes.resize(busy.busy.size(), 0);
    cost.linkSeconds.resize(busy.busy.size(), 0);
    for (std::size_t link = 0; link < busy.busy.size(); ++link) cost.linkSeconds[link] += busy.busy[link];
    for (const LinkLoad& load : entryClass.pricer->busiestLinks(*step)) cost.linkBytes[load.interconnect] += load.bytes;
    run.busy.push_back(busy.busy);
  }
  cost.program = programText(*entryClass.hierarchy, run.program);
  cost.title = programTitle(run.program);
  cost.run = std::move(run);
  return cost;
}

Result<EntryPricer::Cost> EntryPricer::priceGoal(Class& entryClass, const Goal& goal, Bytes bytes,
                                                 const std::stop_token& stop) {
  P2_TRY_ASSIGN(CheapestProgram* const programs, programsFor(*entryClass.hierarchy, goal, stop));
  entryClass.pricer->setBytes(bytes);
  const std::vector<StateEdge> single = singleSteps(*entryClass.hierarchy, goal);
  double singleSeconds = 0;
  std::set<Algorithm> algorithms;
  for (const StateEdge& step : single) {
    const StepCost price = entryClass.pricer->price(step);
    singleSeconds += price.seconds;
    algorithms.insert(price.algorithm);
  }
  const auto found = programs->find(*entryClass.pricer);
  // Without a program of that few steps the single collective remains.
  EntryCost cost = costOf(entryClass, goal, found ? programs->edges() : pointersTo(single), bytes);
  cost.algorithms.merge(algorithms);
  cost.singleSeconds = singleSeconds;
  cost.seconds = found ? found->seconds : singleSeconds;
  return std::make_shared<const EntryCost>(std::move(cost));
}

/// Where steps overlap the shortest path is not the best program, so exploreWorkspace() looks for it.
Result<EntryPricer::Cost> EntryPricer::priceOverlapping(Class& entryClass, const Goal& goal, Bytes bytes,
                                                        const EntryAxes& axes, const std::stop_token& stop) {
  Workspace workspace;
  workspace.system = *m_topology->system();
  workspace.axes = marked(axes);
  workspace.options = m_options;
  workspace.options.goal = goal;
  workspace.options.cost.bytes = bytes;
  workspace.matrix = m_matrices[entryClass.placement];
  ExploreScope scope;
  scope.bestOverall = 1;
  P2_TRY_ASSIGN(const auto explored, exploreOn(m_topology, workspace, scope, true, stop));
  const PlacementResult& best = explored->placements[0];
  entryClass.pricer->setBytes(bytes);
  const std::vector<StateEdge> single = singleSteps(*entryClass.hierarchy, goal);
  Steps steps;
  if (best.programs.empty()) {
    steps = pointersTo(single);
  } else {
    int node = StateGraph::start();
    for (const Instruction& instruction : best.programs[0].program) {
      std::size_t at = best.graph->firstEdge(node);
      while (best.graph->edges()[at].instruction != instruction) ++at;
      steps.push_back(&best.graph->edges()[at]);
      node = steps.back()->target;
    }
  }
  EntryCost cost = costOf(entryClass, goal, steps, bytes);
  addAlgorithms(best.singleSteps, cost.algorithms);
  cost.singleSeconds = best.singleSeconds;
  cost.seconds = best.rankedBestSeconds();
  return std::make_shared<const EntryCost>(std::move(cost));
}

}  // namespace p2::inline step
