// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/detail/stage_bounds.h"

#include <algorithm>
#include <limits>

#include "base/near.h"
#include "strategy/anytime_solver.h"

namespace p2::inline pipeline {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Makes the transfers at the ends of a piece free.
void freeEnds(const StageGraph& piece, StrategyProblem& problem) {
  for (StrategyProblem::Edge& edge : problem.edges) {
    if (!piece.isEnd(edge.from) && !piece.isEnd(edge.to)) continue;
    EdgeCosts free = problem.tables[edge.table];
    std::fill(free.costs.begin(), free.costs.end(), 0.0);
    edge.table = problem.tables.size();
    problem.tables.push_back(std::move(free));
  }
}

/// The costs of all slots without the communication once per step.
StrategyProblem inSlotsOf(const MappedProblem& mapped) {
  StrategyProblem problem = mapped.problem;
  for (std::size_t d = 0; d < problem.domains.size(); ++d) {
    std::vector<double>& costs = problem.domains[d].costs;
    for (std::size_t c = 0; c < costs.size(); ++c) costs[c] = std::max(0.0, costs[c] - mapped.once[d][c]);
  }
  return problem;
}

}  // namespace

Result<StageBounds::Least> StageBounds::ofPiece(const StageGraph& piece, const GraphCostOptions& options,
                                                const Mesh& mesh, MeshPricer& pricer, const std::stop_token& stop) {
  const MappedGraph graph(piece.graph, options);
  P2_TRY_ASSIGN(auto mapped, mappedProblem(graph, mesh, {}, pricer, stop));
  if (!isPossible(mapped)) return Least{0, 0, 0, 0, 1};
  freeEnds(piece, mapped.problem);
  Least least;
  for (std::size_t v = 0; v < piece.operators.size(); ++v) {
    double kept = kNever;
    const bool isFull = options.memory.recomputation == Recomputation::Full;
    double activations = isFull ? 0 : kNever;
    for (const Configuration& parts : mapped.problem.domainOf(v).configurations) {
      const StepMemory memory = graph.memoryOf(v, parts);
      // The layers of a stage are not known from a piece.
      if (!isFull) activations = std::min(activations, memory.activations.value());
      kept = std::min(kept, (memory.parameters + memory.gradients + memory.optimizer).value());
    }
    least.kept += kept;
    least.activations += activations;
  }
  P2_TRY_ASSIGN(const auto solution, solveAnytime(mapped.problem, {}, stop));
  least.seconds = solution.lowerBound;
  P2_TRY_ASSIGN(const auto inSlots, solveAnytime(inSlotsOf(mapped), {}, stop));
  least.slot = inSlots.lowerBound / static_cast<double>(options.microbatches);
  return least;
}

Result<StageBounds> StageBounds::of(const PipelineChain& chain, const GraphCostOptions& options,
                                    const std::vector<Mesh>& meshes, MeshPricer& pricer, const std::stop_token& stop) {
  StageBounds bounds;
  bounds.m_limit = options.deviceMemory.value_or(Bytes(0)).value();
  std::vector<std::optional<StageGraph>> kinds(chain.pieces());
  for (std::size_t piece = 0; piece < chain.pieces(); ++piece) {
    auto& kind = kinds[chain.kindOf(piece)];
    if (!kind) kind = chain.stageOf(piece, piece + 1);
  }
  for (const Mesh& mesh : meshes) {
    std::vector<Least> ofKind;
    for (const auto& kind : kinds) {
      if (!kind) break;
      if (stop.stop_requested()) return cancelledError();
      P2_TRY_ASSIGN(const auto least, ofPiece(*kind, options, mesh, pricer, stop));
      ofKind.push_back(least);
    }
    std::vector<Least>& up = bounds.m_up.emplace_back();
    up.push_back({});
    for (std::size_t piece = 0; piece < chain.pieces(); ++piece) {
      const Least& least = ofKind[chain.kindOf(piece)];
      const Least& before = up.back();
      up.push_back({before.seconds + least.seconds, before.slot + least.slot, before.kept + least.kept,
                    before.activations + least.activations, before.impossible + least.impossible});
    }
  }
  return bounds;
}

double StageBounds::memory(std::size_t mesh, std::size_t first, std::size_t end, std::int64_t inFlight) const {
  const Least& from = m_up[mesh][first];
  const Least& to = m_up[mesh][end];
  if (to.impossible > from.impossible) return kNever;
  return to.kept - from.kept + static_cast<double>(inFlight) * (to.activations - from.activations);
}

double StageBounds::memory(std::size_t first, std::size_t end, std::int64_t inFlight) const {
  double least = kNever;
  for (std::size_t mesh = 0; mesh < m_up.size(); ++mesh) least = std::min(least, memory(mesh, first, end, inFlight));
  return least;
}

double StageBounds::seconds(std::size_t mesh, std::size_t first, std::size_t end, std::int64_t inFlight) const {
  if (!fits(mesh, first, end, inFlight)) return kNever;
  return safeLowerBound(m_up[mesh][end].seconds - m_up[mesh][first].seconds);
}

bool StageBounds::fits(std::size_t mesh, std::size_t first, std::size_t end, std::int64_t inFlight) const {
  const double needed = memory(mesh, first, end, inFlight);
  return needed != kNever && !(m_limit > 0 && definitelyLess(m_limit, needed));
}

double StageBounds::slot(std::size_t first, std::size_t end, std::int64_t inFlight) const {
  double least = kNever;
  for (std::size_t mesh = 0; mesh < m_up.size(); ++mesh) {
    if (fits(mesh, first, end, inFlight)) least = std::min(least, m_up[mesh][end].slot - m_up[mesh][first].slot);
  }
  return safeLowerBound(least);
}

double StageBounds::seconds(std::size_t first, std::size_t end, std::int64_t inFlight) const {
  double least = kNever;
  for (std::size_t mesh = 0; mesh < m_up.size(); ++mesh) least = std::min(least, seconds(mesh, first, end, inFlight));
  return least;
}

}  // namespace p2::inline pipeline
