// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/mapped_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "strategy/graph_likeness.h"

namespace p2::inline mapping {
namespace {

/// Seconds of redistributions on one mesh. Edges of equal tensors share them: graphs repeat a few shapes.
class ReshardingPrices {
 public:
  /// `prices` must outlive this.
  ReshardingPrices(MeshPrices& prices, Bytes bytesPerElement) : m_prices(prices), m_elementBytes(bytesPerElement) {}

  /// Prices from every layout of the first list to every layout of the second, row by row. Errors: of the pricer.
  [[nodiscard]] Result<std::vector<double>> between(const std::vector<TensorLayout>& from,
                                                    const std::vector<TensorLayout>& to, const EdgeTensor& tensor);

 private:
  /// Prices of one tensor; NaN for a pair that is not priced yet.
  struct Known {
    std::map<TensorLayout, std::size_t> numbers;
    std::size_t width = 0;
    std::vector<double> seconds;

    [[nodiscard]] std::vector<std::size_t> numbersOf(const std::vector<TensorLayout>& layouts);
    /// Makes room for every pair of the layouts that have numbers.
    void grow();
  };

  MeshPrices& m_prices;
  Bytes m_elementBytes;
  std::map<std::pair<double, std::int64_t>, Known> m_known;
};

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::vector<std::size_t> ReshardingPrices::Known::numbersOf(const std::vector<TensorLayout>& layouts) {
  std::vector<std::size_t> all;
  all.reserve(layouts.size());
  for (const TensorLayout& layout : layouts) all.push_back(numbers.emplace(layout, numbers.size()).first->second);
  return all;
}

void ReshardingPrices::Known::grow() {
  if (numbers.size() <= width) return;
  const std::size_t wider = std::max(2 * width, numbers.size());
  std::vector<double> moved(wider * wider, kUnknown);
  for (std::size_t row = 0; row < width; ++row) {
    std::copy_n(seconds.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                moved.begin() + static_cast<std::ptrdiff_t>(row * wider));
  }
  seconds = std::move(moved);
  width = wider;
}

Result<std::vector<double>> ReshardingPrices::between(const std::vector<TensorLayout>& from,
                                                      const std::vector<TensorLayout>& to, const EdgeTensor& tensor) {
  Known& known = m_known[{tensor.elements, tensor.mostAllToAll}];
  const std::vector<std::size_t> rows = known.numbersOf(from);
  const std::vector<std::size_t> columns = known.numbersOf(to);
  known.grow();
  std::vector<double> all;
  all.reserve(from.size() * to.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    double* const row = known.seconds.data() + rows[i] * known.width;
    for (std::size_t j = 0; j < to.size(); ++j) {
      double& seconds = row[columns[j]];
      if (std::isnan(seconds)) {
        const Redistribution moved =
            redistribution(from[i], to[j], m_prices.shares(), tensor.elements, tensor.mostAllToAll);
        P2_TRY_ASSIGN(seconds, m_prices.seconds(moved, m_elementBytes));
      }
      all.push_back(seconds);
    }
  }
  return all;
}

/// Layouts in the order in which they first occur.
struct DistinctLayouts {
  std::vector<std::size_t> of;  ///< per assignment its layout's index
  std::vector<TensorLayout> all;

  void add(const TensorLayout& layout) {
    const auto [place, fresh] = m_known.emplace(layout, all.size());
    if (fresh) all.push_back(layout);
    of.push_back(place->second);
  }

 private:
  std::map<TensorLayout, std::size_t> m_known;
};

/// The assignments of one end of an edge, by the layouts on which alone the costs depend.
struct Layouts {
  DistinctLayouts tensor;
  DistinctLayouts gradient;

  template <class LayoutsOf>
  Layouts(const std::vector<AxisAssignment>& assignments, LayoutsOf layoutsOf) {
    for (const AxisAssignment& assignment : assignments) {
      const std::array<TensorLayout, 2> layouts = layoutsOf(assignment);
      tensor.add(layouts[0]);
      gradient.add(layouts[1]);
    }
  }
};

class MeshTabulation {
 public:
  MeshTabulation(const MappedGraph& graph, const Mesh& mesh, const MappedLimits& limits, MeshPricer& pricer,
                 std::stop_token stop, const TabulationWatcher& goesOn)
      : m_graph(graph),
        m_limits(limits),
        m_prices(mesh, pricer),
        m_resharding(m_prices, graph.options().bytesPerElement),
        m_stop(std::move(stop)),
        m_goesOn(goesOn) {
    m_mapped.mesh = mesh;
  }

  Result<MappedProblem> run() {
    const ComputationGraph& graph = m_graph.graph();
    m_mapped.problem.name = graph.name;
    m_mapped.problem.devices = m_graph.options().devices;
    chooseDomains();
    P2_TRY_ASSIGN(m_edges,
                  shareTables(graph, "use the space powers-of-two or a larger minimum shard size", m_mapped.problem));
    if (!isPossible(m_mapped)) return std::move(m_mapped);
    for (std::size_t d = 0; d < m_operators.size(); ++d) {
      P2_TRY(priceDomain(d));
    }
    if (!goesOn(0)) return std::move(m_mapped);
    for (std::size_t t = 0; t < m_edges.size(); ++t) {
      P2_TRY(priceTable(t));
      if (!goesOn(t + 1)) break;
    }
    return std::move(m_mapped);
  }

 private:
  [[nodiscard]] bool goesOn(std::size_t tables) const { return !m_goesOn || m_goesOn(m_mapped, tables); }

  void chooseDomains() {
    const ComputationGraph& graph = m_graph.graph();
    std::map<std::vector<std::int64_t>, std::size_t> known;
    for (std::size_t v = 0; v < graph.operators.size(); ++v) {
      std::vector<std::int64_t> likeness = m_graph.likenessOf(v);
      if (const MappedPin* pin = pinOf(v)) {
        likeness.insert(likeness.end(), pin->parts.begin(), pin->parts.end());
        if (pin->axes) likeness.insert(likeness.end(), pin->axes->at.begin(), pin->axes->at.end());
      }
      const auto [domain, fresh] = known.emplace(std::move(likeness), known.size());
      if (fresh) addDomain(v);
      m_mapped.problem.vertices.push_back({graph.operators[v].name, domain->second});
    }
  }

  [[nodiscard]] const MappedPin* pinOf(std::size_t vertex) const {
    if (m_limits.pins.empty() || !m_limits.pins[vertex]) return nullptr;
    return &*m_limits.pins[vertex];
  }

  void addDomain(std::size_t vertex) {
    const Operator& op = m_graph.graph().operators[vertex];
    ConfigurationDomain& domain = m_mapped.problem.domains.emplace_back();
    std::vector<AxisAssignment>& all = m_mapped.assignments.emplace_back();
    m_mapped.once.emplace_back();
    m_operators.push_back(vertex);
    AxisAssignment assignment;
    const std::size_t axes = m_mapped.mesh.sizes.size();
    Configuration parts;
    for (bool more = true; more;) {
      setParts(op, assignment, m_mapped.mesh, parts);
      if (isAllowed(vertex, assignment, parts)) {
        all.push_back(assignment);
        domain.configurations.push_back(parts);
      }
      // The last axis counts fastest, each from repeated over the first dimension to the last.
      more = false;
      for (std::size_t axis = axes; axis-- > 0 && !more;) {
        if ((m_mapped.mesh.copies >> axis & 1) != 0) continue;
        more = assignment.at[axis] + 1 < static_cast<int>(op.dimensions.size());
        assignment.at[axis] = more ? static_cast<std::int8_t>(assignment.at[axis] + 1) : AxisAssignment::kRepeated;
      }
    }
  }

  [[nodiscard]] bool isAllowed(std::size_t vertex, const AxisAssignment& assignment, const Configuration& parts) const {
    const Operator& op = m_graph.graph().operators[vertex];
    // It computes nothing, so the configuration space does not bound it.
    if (op.kind == OperatorKind::Share)
      return isRoomFor(op, assignment, parts) && isAsPinned(vertex, assignment, parts);
    const ConfigurationSpace& space = m_graph.options().space;
    for (std::size_t axis = 0; axis < m_mapped.mesh.sizes.size(); ++axis) {
      const std::int8_t d = assignment.at[axis];
      if (d == AxisAssignment::kRepeated) {
        if (space.exactly && m_mapped.mesh.sizes[axis] > 1) return false;
      } else if (m_mapped.mesh.sizes[axis] == 1) {
        return false;
      }
    }
    for (std::size_t d = 0; d < parts.size(); ++d) {
      if (parts[d] > 1 && !allowsParts(op.dimensions[d], space, parts[d])) return false;
    }
    if (!isAsPinned(vertex, assignment, parts)) return false;
    return !m_limits.allows || m_limits.allows(op, assignment, m_mapped.mesh);
  }

  [[nodiscard]] bool isAsPinned(std::size_t vertex, const AxisAssignment& assignment,
                                const Configuration& parts) const {
    const MappedPin* pin = pinOf(vertex);
    return pin == nullptr || (pin->parts == parts && (!pin->axes || *pin->axes == assignment));
  }

  /// Whether every part has an element, and no axis of size 1 cuts a dimension.
  [[nodiscard]] bool isRoomFor(const Operator& op, const AxisAssignment& assignment, const Configuration& parts) const {
    for (std::size_t axis = 0; axis < m_mapped.mesh.sizes.size(); ++axis) {
      if (assignment.at[axis] != AxisAssignment::kRepeated && m_mapped.mesh.sizes[axis] == 1) return false;
    }
    for (std::size_t d = 0; d < parts.size(); ++d) {
      if (parts[d] > 1 && (!op.dimensions[d].splittable || parts[d] > op.dimensions[d].size)) return false;
    }
    return true;
  }

  Result<void> priceDomain(std::size_t index) {
    const std::size_t vertex = m_operators[index];
    const Operator& op = m_graph.graph().operators[vertex];
    const GraphCostOptions& options = m_graph.options();
    ConfigurationDomain& domain = m_mapped.problem.domains[index];
    for (std::size_t c = 0; c < domain.configurations.size(); ++c) {
      if (m_stop.stop_requested()) return cancelledError();
      P2_TRY_ASSIGN(const auto transfers,
                    m_graph.transfersOf(vertex, m_mapped.assignments[index][c], m_mapped.mesh, m_prices));
      const Configuration& parts = domain.configurations[c];
      double seconds = static_cast<double>(options.microbatches) * computeSeconds(op, parts, options);
      double once = 0;
      for (const Transfer& transfer : transfers) {
        seconds += transfer.seconds;
        if (happensOnce(transfer.purpose, options.memory.zero)) once += transfer.seconds;
      }
      domain.costs.push_back(seconds);
      m_mapped.once[index].push_back(once);
      domain.memory.push_back(m_graph.memoryOf(vertex, parts).total().value());
    }
    return {};
  }

  Result<void> priceTable(std::size_t index) {
    const std::size_t edge = m_edges[index];
    const StrategyProblem& problem = m_mapped.problem;
    const ComputationGraph::Edge& ends = m_graph.graph().edges[edge];
    const Layouts rows(m_mapped.assignments[problem.vertices[ends.from].domain],
                       [&](const AxisAssignment& each) { return m_graph.layoutsFrom(edge, each); });
    const Layouts columns(m_mapped.assignments[problem.vertices[ends.to].domain],
                          [&](const AxisAssignment& each) { return m_graph.layoutsTo(edge, each); });
    // Layouts of the tensor are fewer than pairs with its gradient's.
    const EdgeTensor tensor = m_graph.tensorAlong(edge);
    P2_TRY_ASSIGN(const auto forward, m_resharding.between(rows.tensor.all, columns.tensor.all, tensor));
    std::vector<double> backward(columns.gradient.all.size() * rows.gradient.all.size(), 0);
    if (hasGradient(m_graph.graph().operators[ends.to], ends.toTensor)) {
      P2_TRY_ASSIGN(backward, m_resharding.between(columns.gradient.all, rows.gradient.all, tensor));
    }
    if (m_stop.stop_requested()) return cancelledError();
    const double times = m_graph.movesAgain(edge) ? 2 : 1;
    const auto microbatches = static_cast<double>(m_graph.options().microbatches);
    EdgeCosts& table = m_mapped.problem.tables[index];
    table.costs.reserve(table.rows * table.columns);
    for (std::size_t row = 0; row < table.rows; ++row) {
      const double* const there = &forward[rows.tensor.of[row] * columns.tensor.all.size()];
      const double* const back = &backward[rows.gradient.of[row]];
      for (std::size_t column = 0; column < table.columns; ++column) {
        table.costs.push_back(microbatches * (times * there[columns.tensor.of[column]] +
                                              back[columns.gradient.of[column] * rows.gradient.all.size()]));
      }
    }
    return {};
  }

  const MappedGraph& m_graph;
  const MappedLimits& m_limits;
  MappedProblem m_mapped;
  MeshPrices m_prices;
  ReshardingPrices m_resharding;
  std::stop_token m_stop;
  const TabulationWatcher& m_goesOn;
  std::vector<std::size_t> m_operators;  // per domain one that has it
  std::vector<std::size_t> m_edges;      // per table one that has it
};

}  // namespace

bool isPossible(const MappedProblem& mapped) {
  return std::all_of(mapped.assignments.begin(), mapped.assignments.end(),
                     [](const auto& domain) { return !domain.empty(); });
}

Result<MappedProblem> mappedProblem(const MappedGraph& graph, const Mesh& mesh, const MappedLimits& limits,
                                    MeshPricer& pricer, std::stop_token stop, const TabulationWatcher& goesOn) {
  return MeshTabulation(graph, mesh, limits, pricer, std::move(stop), goesOn).run();
}

}  // namespace p2::inline mapping
