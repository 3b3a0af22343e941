// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/sweep.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "explore/cheapest_program.h"
#include "explore/sweep_systems.h"

namespace p2 {
namespace {

/// State graphs by the sizes that they were built for, shared by all points.
using Syntheses = std::map<std::vector<std::int64_t>, std::unique_ptr<CheapestProgram>>;

/// All placements of one system, to be priced for one vector after another.
class PricedPlacements {
 public:
  static Result<PricedPlacements> of(const Workspace& workspace, Syntheses& syntheses, bool onlyMatrix,
                                     std::stop_token stop) {
    P2_TRY(checkWorkspace(workspace));
    P2_TRY_ASSIGN(auto system, validated(workspace.system).about("/system"));
    PricedPlacements made(workspace, std::make_shared<const Topology>(std::move(system)));
    if (onlyMatrix) {
      P2_TRY(made.add(workspace.matrix, syntheses, stop));
      return made;
    }
    const std::vector<std::int64_t> sizes = sizesOf(workspace.axes);
    const Count count = countMatrices(sizes, workspace.system.counts());
    if (count > ExploreScope{}.mostPlacements) {
      return Error{"these axes have " + count.toString() + " placements on this system, more than " +
                       std::to_string(ExploreScope{}.mostPlacements) +
                       "; use fewer axes, or choose one placement by its matrix",
                   {},
                   ErrorKind::TooLarge};
    }
    MatrixEnumerator enumerator(sizes, workspace.system.counts());
    while (enumerator.next()) P2_TRY(made.add(enumerator.matrix(), syntheses, stop));
    return made;
  }

  Result<SweepPoint> priced(double value, Bytes bytes, const std::stop_token& stop) {
    std::size_t bestAt = 0;
    std::size_t allReduceAt = 0;
    CheapestProgram::Found best;
    StepCost allReduce;
    constexpr double kSameTime = 1e-9;
    for (std::size_t i = 0; i < m_placements.size(); ++i) {
      if (stop.stop_requested()) return cancelledError();
      Priced& placement = m_placements[i];
      placement.pricer->setBytes(bytes);
      const StepCost single = placement.pricer->price(placement.allReduce);
      if (i == 0 || single.seconds < allReduce.seconds * (1 - kSameTime)) {
        allReduce = single;
        allReduceAt = i;
      }
      // Without a program of so few steps the single AllReduce is all there is.
      const auto found =
          placement.cheapest->find(*placement.pricer).value_or(CheapestProgram::Found{single.seconds, 1});
      if (i == 0 || found.seconds < best.seconds * (1 - kSameTime)) {
        best = found;
        bestAt = i;
      }
    }
    SweepPoint point;
    point.value = value;
    point.allReduce = allReduceOf(m_placements[allReduceAt], allReduce);
    point.gain = gainOver(allReduce.seconds, best.seconds, best.steps, m_workspace.options.cost);
    point.best = point.gain > 1 ? bestOf(m_placements[bestAt]) : point.allReduce;
    return point;
  }

 private:
  struct Priced {
    ParallelismMatrix matrix;
    std::shared_ptr<const SynthesisHierarchy> hierarchy;
    std::unique_ptr<PatternPricer> pricer;
    CheapestProgram* cheapest = nullptr;
    StateEdge allReduce;
  };

  PricedPlacements(const Workspace& workspace, std::shared_ptr<const Topology> topology)
      : m_workspace(workspace), m_topology(std::move(topology)) {}

  Result<void> add(const ParallelismMatrix& matrix, Syntheses& syntheses, const std::stop_token& stop) {
    if (stop.stop_requested()) return cancelledError();
    const ExploreOptions& options = m_workspace.options;
    Priced placement;
    placement.matrix = matrix;
    placement.hierarchy = std::make_shared<SynthesisHierarchy>(m_workspace.system, Placement(m_workspace.axes, matrix));
    const std::vector<std::int64_t> sizes = synthesisSizes(*placement.hierarchy, options.rules);
    auto known = syntheses.find(sizes);
    if (known == syntheses.end()) {
      P2_TRY_ASSIGN(const auto graph, StateGraph::build(sizes, options.rules, options.sizeLimit, stop));
      known = syntheses.emplace(sizes, std::make_unique<CheapestProgram>(graph, options.sizeLimit)).first;
    }
    placement.cheapest = known->second.get();
    placement.pricer = std::make_unique<PatternPricer>(*m_topology, *placement.hierarchy, options.cost);
    placement.allReduce = {plainAllReduce(*placement.hierarchy)[0], 0, {GroupShare{}}};
    m_placements.push_back(std::move(placement));
    return {};
  }

  static SweepChoice allReduceOf(const Priced& placement, const StepCost& cost) {
    return {placement.matrix, placement.hierarchy, plainAllReduce(*placement.hierarchy), cost.seconds, {cost}};
  }

  static SweepChoice bestOf(Priced& placement) {
    SweepChoice choice{placement.matrix, placement.hierarchy, {}, 0, {}};
    // Placements share what finds; the last answer is another's.
    if (!placement.cheapest->find(*placement.pricer)) return choice;
    for (const StateEdge* edge : placement.cheapest->edges()) {
      choice.program.push_back(edge->instruction);
      choice.steps.push_back(placement.pricer->price(*edge));
      choice.seconds += choice.steps.back().seconds;
    }
    return choice;
  }

  Workspace m_workspace;
  std::shared_ptr<const Topology> m_topology;
  std::vector<Priced> m_placements;
};

class Sweeper {
 public:
  Sweeper(const Workspace& workspace, const SweepRange& range, bool onlyMatrix, std::stop_token stop)
      : m_onlyMatrix(onlyMatrix), m_stop(std::move(stop)), m_result(std::make_shared<Sweep>()) {
    m_result->workspace = workspace;
    m_result->workspace.options.cost.repeat = 1;
    m_result->range = range;
  }

  Result<std::shared_ptr<const Sweep>> run(const Progress& progress) {
    P2_TRY_ASSIGN(const auto values, valuesOf(m_result->workspace, m_result->range));
    if (m_onlyMatrix && m_result->range.over == SweepOver::Nodes) {
      return Error{"one matrix does not fit several numbers of nodes; leave it out"};
    }
    constexpr double kPointsShare = 0.7;  // of the work; the rest are crossovers
    for (const double value : values) {
      P2_TRY_ASSIGN(auto point, at(value));
      m_result->points.push_back(std::move(point));
      if (progress)
        progress(kPointsShare * static_cast<double>(m_result->points.size()) / static_cast<double>(values.size()));
    }
    for (std::size_t i = 1; i < m_result->points.size(); ++i) {
      P2_TRY(findCrossovers(m_result->points[i - 1], m_result->points[i]));
      if (progress) {
        progress(kPointsShare + (1 - kPointsShare) * static_cast<double>(i) / static_cast<double>(values.size()));
      }
    }
    return std::shared_ptr<const Sweep>(m_result);
  }

 private:
  Result<SweepPoint> at(double value) {
    if (m_result->range.over == SweepOver::Bytes) {
      if (!m_placements) {
        P2_TRY_ASSIGN(auto made, PricedPlacements::of(m_result->workspace, m_syntheses, m_onlyMatrix, m_stop));
        m_placements.emplace(std::move(made));
      }
      return m_placements->priced(value, Bytes(value), m_stop);
    }
    P2_TRY_ASSIGN(const auto workspace, workspaceAt(m_result->workspace, m_result->range, value));
    P2_TRY_ASSIGN(auto made, PricedPlacements::of(workspace, m_syntheses, m_onlyMatrix, m_stop));
    return made.priced(value, workspace.options.cost.bytes, m_stop);
  }

  [[nodiscard]] bool isSame(const SweepChoice& a, const SweepChoice& b) const {
    // Other numbers of nodes have other matrices and levels.
    if (m_result->range.over == SweepOver::Nodes) return programTitle(a.program) == programTitle(b.program);
    return a.program == b.program && a.matrix == b.matrix;
  }

  /// Halves the distance until there is one change within 0.1 %; others between two points of the same best are not
  /// seen.
  Result<void> findCrossovers(const SweepPoint& low, const SweepPoint& high) {
    constexpr double kNear = 1.001;
    if (isSame(low.best, high.best)) return {};
    if (m_result->range.over == SweepOver::Nodes) {
      m_result->crossovers.push_back({high.value, low.best, high.best});
      return {};
    }
    if (high.value <= low.value * kNear) {
      m_result->crossovers.push_back({std::sqrt(low.value * high.value), low.best, high.best});
      return {};
    }
    P2_TRY_ASSIGN(const auto middle, at(std::sqrt(low.value * high.value)));
    P2_TRY(findCrossovers(low, middle));
    return findCrossovers(middle, high);
  }

  bool m_onlyMatrix;
  std::stop_token m_stop;
  std::shared_ptr<Sweep> m_result;
  Syntheses m_syntheses;
  std::optional<PricedPlacements> m_placements;
};

}  // namespace

double SweepChoice::latencySeconds() const {
  double sum = 0;
  for (const StepCost& step : steps) sum += step.latencySeconds;
  return sum;
}

Result<std::shared_ptr<const Sweep>> sweep(const Workspace& workspace, const SweepRange& range, bool onlyMatrix,
                                           std::stop_token stop, const Progress& progress) {
  P2_TRY(checkWorkspace(workspace));
  return Sweeper(workspace, range, onlyMatrix, std::move(stop)).run(progress);
}

}  // namespace p2
