// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/detail/stage_solver.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "strategy/anytime_solver.h"

namespace p2::inline pipeline {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// Whether an operator stands for the tensor that enters or leaves the stage.
bool isStageEnd(const Operator& op) { return op.kind == OperatorKind::Reshape && op.tensors.size() == 1; }

bool isCutByAll(const AxisAssignment& assignment, const Mesh& mesh) {
  for (std::size_t axis = 0; axis < mesh.sizes.size(); ++axis) {
    if (mesh.sizes[axis] > 1 && assignment.at[axis] == AxisAssignment::kRepeated) return false;
  }
  return true;
}

/// Lets ends be cut by all axes only, where they can be.
class EndLimits {
 public:
  EndLimits(const MappedLimits& limits, const ConfigurationSpace& space) : m_limits(limits), m_space(space) {}

  [[nodiscard]] bool allows(const Operator& op, const AxisAssignment& assignment, const Mesh& mesh) {
    if (m_limits.allows && !m_limits.allows(op, assignment, mesh)) return false;
    return !isStageEnd(op) || isCutByAll(assignment, mesh) || !canBeCut(op, mesh);
  }

 private:
  [[nodiscard]] bool canBeCut(const Operator& op, const Mesh& mesh) {
    std::vector<std::int64_t> sizes;
    for (const Dimension& dimension : op.dimensions) sizes.push_back(dimension.size);
    const auto [known, fresh] = m_known.try_emplace({mesh.matrix, std::move(sizes)}, false);
    if (fresh) known->second = isPossibleFrom(op, mesh, {}, 0);
    return known->second;
  }

  [[nodiscard]] bool isPossibleFrom(const Operator& op, const Mesh& mesh, AxisAssignment assignment,
                                    std::size_t axis) const {
    if (axis == mesh.sizes.size()) {
      const Configuration parts = partsOf(op, assignment, mesh);
      for (std::size_t d = 0; d < parts.size(); ++d) {
        if (parts[d] > 1 && !allowsParts(op.dimensions[d], m_space, parts[d])) return false;
      }
      return !m_limits.allows || m_limits.allows(op, assignment, mesh);
    }
    if (mesh.sizes[axis] == 1) return isPossibleFrom(op, mesh, assignment, axis + 1);
    for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
      assignment.at[axis] = static_cast<std::int8_t>(d);
      if (isPossibleFrom(op, mesh, assignment, axis + 1)) return true;
    }
    return false;
  }

  const MappedLimits& m_limits;
  const ConfigurationSpace& m_space;
  std::map<std::pair<ParallelismMatrix, std::vector<std::int64_t>>, bool> m_known;
};

double leastOf(const StrategyProblem& problem, const std::vector<double> ConfigurationDomain::*numbers) {
  double sum = 0;
  for (const StrategyProblem::Vertex& vertex : problem.vertices) {
    const auto& each = problem.domains[vertex.domain].*numbers;
    sum += *std::min_element(each.begin(), each.end());
  }
  return sum;
}

class MeshSearch {
 public:
  MeshSearch(const StageGraph& stage, const PipelineSetting& setting, PipelinePricer& pricer,
             const StageRequest& request, std::stop_token stop)
      : m_stage(stage),
        m_setting(setting),
        m_pricer(pricer),
        m_request(request),
        m_stop(std::move(stop)),
        m_graph(stage.graph, setting.options),
        m_ends(request.limits, setting.options.space),
        m_sendsBack(stage.sendsBack()) {
    m_limits.pins = request.limits.pins;
    m_limits.allows = [this](const Operator& op, const AxisAssignment& assignment, const Mesh& mesh) {
      return m_ends.allows(op, assignment, mesh);
    };
  }

  Result<StageSearch> run() {
    const std::vector<Mesh>& meshes = m_request.meshes.empty() ? m_setting.meshes : m_request.meshes;
    std::vector<std::size_t> order(meshes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const bool known = m_request.meshes.empty() && !m_request.bounds.empty();
    if (known) {
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return m_request.bounds[a] < m_request.bounds[b]; });
    }
    for (const std::size_t mesh : order) {
      if (m_stop.stop_requested()) return cancelledError();
      if (known && m_request.bounds[mesh] == kUnbounded) {
        m_free = false;
      } else if (!known || !isUseless(m_request.bounds[mesh])) {
        P2_TRY(look(meshes[mesh]));
      }
    }
    return result();
  }

 private:
  [[nodiscard]] Bytes limit() const { return m_setting.options.deviceMemory.value_or(Bytes(0)); }
  [[nodiscard]] double wanted() const {
    return m_best ? std::min(costOfBest(), m_request.solving.wantedBelow) : m_request.solving.wantedBelow;
  }
  [[nodiscard]] double costOfBest() const { return m_best->bounded.solution.strategies.front().cost; }

  /// Whether a mesh with this bound has nothing to offer.
  bool isUseless(double bound) {
    if (bound < wanted()) return false;
    m_lowerBound = std::min(m_lowerBound, bound);
    return true;
  }

  Result<void> look(const Mesh& mesh) {
    P2_TRY_ASSIGN(auto mapped, mappedProblem(m_graph, mesh, m_limits, m_pricer.within(m_setting.factors), m_stop));
    if (!isPossible(mapped)) return {};
    P2_TRY(addEnds(mapped));
    const bool bounded = limit() > Bytes(0);
    if (bounded && leastOf(mapped.problem, &ConfigurationDomain::memory) > limit().value()) {
      m_free = false;
      return {};
    }
    if (isUseless(leastOf(mapped.problem, &ConfigurationDomain::costs))) return {};
    SolveOptions options = m_request.solving;
    options.wantedBelow = wanted();
    BoundedSolution found;
    if (bounded) {
      if (m_best && m_best->bounded.price > 0) {
        P2_TRY_ASSIGN(const double bound, relaxedCost(mapped.problem, limit(), m_best->bounded.price, options, m_stop));
        if (isUseless(bound)) {
          m_free = false;
          return {};
        }
      }
      P2_TRY_ASSIGN(found, solveWithin(mapped.problem, limit(), options, m_stop));
    } else {
      P2_TRY_ASSIGN(found, solveAnytime(mapped.problem, options, m_stop));
    }
    ++m_solved;
    m_free = m_free && found.price == 0;
    m_lowerBound = std::min(m_lowerBound, found.lowerBound);
    const double cost = found.solution.strategies.front().cost;
    if (!m_best || cost < costOfBest()) m_best = MappedSolution{std::move(mapped), std::move(found), 0, 0};
    return {};
  }

  /// Adds the time of sends and the memory of every microbatch in flight.
  Result<void> addEnds(MappedProblem& mapped) const {
    StrategyProblem& problem = mapped.problem;
    const GraphCostOptions& options = m_setting.options;
    std::vector<bool> done(problem.domains.size(), false);
    for (std::size_t v = 0; v < m_stage.operators.size(); ++v) {
      const std::size_t d = problem.vertices[v].domain;
      if (done[d]) continue;
      done[d] = true;
      ConfigurationDomain& domain = problem.domains[d];
      for (std::size_t c = 0; c < domain.memory.size(); ++c) {
        const StepMemory memory = m_graph.memoryOf(v, domain.configurations[c]);
        domain.memory[c] += static_cast<double>(m_request.inFlight - 1) * memory.activations.value();
      }
    }
    for (const auto& end : {m_stage.receives, m_stage.sends}) {
      if (!end) continue;
      // A domain of its own: others may share the known one.
      ConfigurationDomain domain = problem.domainOf(*end);
      const Operator& op = m_stage.graph.operators[*end];
      for (std::size_t c = 0; c < domain.costs.size(); ++c) {
        const Bytes part = partOfEnd(op, domain.configurations[c], options.bytesPerElement);
        if (end == m_stage.receives) domain.memory[c] += static_cast<double>(m_request.inFlight) * part.value();
        if (end == m_stage.receives && !m_sendsBack) continue;
        P2_TRY_ASSIGN(const double seconds, m_pricer.sendSeconds(m_setting.factors, part));
        domain.costs[c] += static_cast<double>(options.microbatches) * seconds;
      }
      auto assignments = mapped.assignments[problem.vertices[*end].domain];
      problem.vertices[*end].domain = problem.domains.size();
      problem.domains.push_back(std::move(domain));
      mapped.assignments.push_back(std::move(assignments));
    }
    return {};
  }

  StageSearch result() {
    StageSearch search{nullptr, m_lowerBound, m_solved};
    if (!m_best) return search;
    StageAnswer answer{std::move(*m_best), 0, 0, m_free};
    answer.solution.meshes = m_setting.meshes.size();
    answer.solution.solved = m_solved;
    answer.solution.bounded.lowerBound = std::min(m_lowerBound, answer.cost());
    answer.solution.bounded.optimal = m_lowerBound >= answer.cost();
    search.lowerBound = answer.lowerBound();
    const StepMemory memory = memoryOf(m_stage, m_setting, answer, 1);
    answer.activations = memory.activations.value();
    answer.kept = memory.total().value() - memory.activations.value();
    search.answer = std::make_shared<const StageAnswer>(std::move(answer));
    return search;
  }

  const StageGraph& m_stage;
  const PipelineSetting& m_setting;
  PipelinePricer& m_pricer;
  const StageRequest& m_request;
  std::stop_token m_stop;
  MappedGraph m_graph;
  EndLimits m_ends;
  bool m_sendsBack;
  MappedLimits m_limits;
  std::optional<MappedSolution> m_best;
  double m_lowerBound = kUnbounded;
  std::size_t m_solved = 0;
  bool m_free = true;
};

}  // namespace

Result<StageSearch> solveStage(const StageGraph& stage, const PipelineSetting& setting, PipelinePricer& pricer,
                               const StageRequest& request, const std::stop_token& stop) {
  return MeshSearch(stage, setting, pricer, request, stop).run();
}

}  // namespace p2::inline pipeline
