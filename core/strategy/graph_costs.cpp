// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/graph_costs.h"

#include <algorithm>
#include <map>

#include "strategy/graph_likeness.h"

namespace p2::inline strategy {
namespace {

/// The configurations of one end of an edge, by the parts into which they cut its tensor: costs depend on no more.
struct Cuts {
  std::vector<std::size_t> of;                ///< per configuration which cut it makes
  std::vector<Configuration> representative;  ///< per cut a configuration that makes it

  Cuts(const ConfigurationDomain& domain, const Tensor& tensor) {
    std::map<Configuration, std::size_t> known;
    for (const Configuration& configuration : domain.configurations) {
      Configuration parts;
      for (const std::size_t dimension : tensor.dimensions) parts.push_back(configuration[dimension]);
      const auto [cut, fresh] = known.emplace(std::move(parts), known.size());
      if (fresh) representative.push_back(configuration);
      of.push_back(cut->second);
    }
  }
};

class Tabulation {
 public:
  Tabulation(const ComputationGraph& graph, const GraphCostOptions& options, CollectivePricer& pricer,
             std::stop_token stop, const Progress& progress)
      : m_graph(graph),
        m_options(options),
        m_pricer(pricer),
        m_stop(std::move(stop)),
        m_progress(progress),
        m_needs(graph, options.memory.recomputation) {}

  Result<StrategyProblem> run() {
    m_problem.name = m_graph.name;
    m_problem.devices = m_options.devices;
    P2_TRY(chooseDomains());
    P2_TRY_ASSIGN(m_edges, shareTables(m_graph, "use fewer devices or the space powers-of-two", m_problem));
    for (const EdgeCosts& table : m_problem.tables) {
      m_cells += static_cast<double>(table.rows) * static_cast<double>(table.columns);
    }
    for (std::size_t i = 0; i < m_problem.domains.size(); ++i) {
      P2_TRY(priceDomain(i));
    }
    for (std::size_t i = 0; i < m_problem.tables.size(); ++i) {
      P2_TRY(priceTable(i));
    }
    return std::move(m_problem);
  }

 private:
  Result<void> chooseDomains() {
    std::map<std::vector<std::int64_t>, std::size_t> known;
    for (std::size_t v = 0; v < m_graph.operators.size(); ++v) {
      const Operator& op = m_graph.operators[v];
      std::vector<std::int64_t> likeness = likenessOf(op);
      m_needs.addTo(likeness, v);
      const auto [domain, fresh] = known.emplace(std::move(likeness), known.size());
      if (fresh) {
        if (m_stop.stop_requested()) return cancelledError();
        P2_TRY_ASSIGN(auto configurations, configurationsOf(op, spaceOf(m_options), m_options.devices));
        m_problem.domains.push_back({std::move(configurations), {}, {}});
        m_operators.push_back(v);
      }
      m_problem.vertices.push_back({op.name, domain->second});
    }
    return {};
  }

  Result<void> priceDomain(std::size_t index) {
    ConfigurationDomain& domain = m_problem.domains[index];
    const Operator& op = m_graph.operators[m_operators[index]];
    for (const Configuration& configuration : domain.configurations) {
      if (m_stop.stop_requested()) return cancelledError();
      const DeviceAxes axes = deviceAxesOf(configuration, m_options.devices);
      std::vector<AllReduceDemand> demands = demandsOf(op, configuration, axes, m_options);
      for (AllReduceDemand& again : regatheringsOf(op, configuration, axes, m_options)) {
        demands.push_back(std::move(again));
      }
      P2_TRY_ASSIGN(const auto reducing, m_pricer.seconds(axes.sizes, demands));
      domain.costs.push_back(microbatches() * computeSeconds(op, configuration, m_options) + reducing);
      domain.memory.push_back(memoryOf(op, configuration, m_options.bytesPerElement, m_options.memory,
                                       m_needs.of(m_operators[index]), m_needs.layers())
                                  .total()
                                  .value());
    }
    if (m_progress) m_progress(kDomainShare * static_cast<double>(index + 1) / static_cast<double>(m_operators.size()));
    return {};
  }

  Result<void> priceTable(std::size_t index) {
    const ComputationGraph::Edge& edge = m_graph.edges[m_edges[index]];
    EdgeCosts& table = m_problem.tables[index];
    const Cuts rows(m_problem.domainOf(edge.from), m_graph.operators[edge.from].tensors[edge.fromTensor]);
    const Cuts columns(m_problem.domainOf(edge.to), m_graph.operators[edge.to].tensors[edge.toTensor]);
    std::vector<double> costs;
    for (const Configuration& from : rows.representative) {
      if (m_stop.stop_requested()) return cancelledError();
      for (const Configuration& to : columns.representative) {
        P2_TRY_ASSIGN(const auto once, priceResharding(reshardingAlong(m_graph, edge, from, to, spareDevices())));
        // Half of it is the forward pass.
        const double seconds = m_needs.of(edge.to)[edge.toTensor].movesAgain ? 1.5 * once : once;
        costs.push_back(seconds);
      }
    }
    table.costs.reserve(table.rows * table.columns);
    for (const std::size_t row : rows.of) {
      if (m_stop.stop_requested()) return cancelledError();
      for (const std::size_t column : columns.of) {
        table.costs.push_back(costs[row * columns.representative.size() + column]);
      }
    }
    m_cellsDone += static_cast<double>(table.costs.size());
    if (m_progress) m_progress(kDomainShare + (1 - kDomainShare) * m_cellsDone / m_cells);
    return {};
  }

  [[nodiscard]] double microbatches() const { return static_cast<double>(m_options.microbatches); }

  [[nodiscard]] SpareDevices spareDevices() const {
    return m_options.model == StrategyCostModel::Flat ? SpareDevices::Idle : SpareDevices::Copies;
  }

  Result<double> priceResharding(const Resharding& resharding) {
    if (resharding.parts == 1) return 0.0;
    const DeviceAxes axes = deviceAxesOf({resharding.parts}, m_options.devices);
    AllReduceDemand demand{std::vector<bool>(axes.sizes.size(), false), resharding.elements * m_options.bytesPerElement,
                           microbatches()};
    demand.axes[0] = true;
    return m_pricer.seconds(axes.sizes, {demand});
  }

  static constexpr double kDomainShare = 0.5;  // share of the progress

  const ComputationGraph& m_graph;
  const GraphCostOptions& m_options;
  CollectivePricer& m_pricer;
  std::stop_token m_stop;
  const Progress& m_progress;
  BackwardNeeds m_needs;
  StrategyProblem m_problem;
  std::vector<std::size_t> m_operators;  // per domain one that has it
  std::vector<std::size_t> m_edges;      // per table one that has it
  double m_cells = 0;
  double m_cellsDone = 0;
};

/// All-reduces of a gradient in a step. Devices that keep a share scatter the sums after every pass, and gather
/// what follows from them once.
double gradientSums(const GraphCostOptions& options) {
  return options.memory.zero < 2 ? 1 : (static_cast<double>(options.microbatches) + 1) / 2;
}

/// Both passes of an operator on a device that reaches its peaks.
double fullSpeedSeconds(const Operator& op, const Configuration& configuration, const GraphCostOptions& options) {
  const double computing = 2 * multiplyAdds(op, configuration) / options.flops;
  if (options.memoryBandwidth == 0) return computing;
  const double bytes = elementsMoved(op, configuration) * options.bytesPerElement.value();
  return std::max(computing, bytes / options.memoryBandwidth);
}

}  // namespace

DeviceAxes deviceAxesOf(const Configuration& configuration, std::int64_t devices) {
  DeviceAxes axes;
  std::int64_t used = 1;
  for (std::size_t d = 0; d < configuration.size(); ++d) {
    if (configuration[d] == 1) continue;
    axes.sizes.push_back(configuration[d]);
    axes.dimensions.push_back(d);
    used *= configuration[d];
  }
  if (used < devices && devices % used == 0) {
    axes.sizes.push_back(devices / used);
    axes.dimensions.push_back(DeviceAxes::kCopies);
  }
  return axes;
}

PassSeconds passSeconds(const Operator& op, const Configuration& configuration, const GraphCostOptions& options) {
  const bool again = isRecomputed(op.kind, options.memory.recomputation);
  if (options.kernels) {
    const PassSeconds once = kernelSeconds(op, configuration, options.bytesPerElement, *options.kernels);
    return {once.forward, once.backward + (again ? once.forward : 0)};
  }
  const double once = fullSpeedSeconds(op, configuration, options);
  return {once / 3, again ? once : once * 2 / 3};
}

double computeSeconds(const Operator& op, const Configuration& configuration, const GraphCostOptions& options) {
  if (options.kernels) {
    const PassSeconds seconds = passSeconds(op, configuration, options);
    return seconds.forward + seconds.backward;
  }
  const double runs = isRecomputed(op.kind, options.memory.recomputation) ? 4.0 / 3 : 1;
  return runs * fullSpeedSeconds(op, configuration, options);
}

std::vector<AllReduceDemand> regatheringsOf(const Operator& op, const Configuration& configuration,
                                            const DeviceAxes& axes, const GraphCostOptions& options) {
  if (options.memory.zero < kMostZero) return {};
  const auto reductions = reductionsOf(op, configuration);
  std::vector<AllReduceDemand> demands = demandsOf(op, configuration, axes, options);
  std::vector<AllReduceDemand> again;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    if (op.tensors[reductions[i].tensor].role != Tensor::Role::Parameter) continue;
    again.push_back(
        {std::move(demands[i].axes), demands[i].bytes / 2, 2 * static_cast<double>(options.microbatches) - 1});
  }
  return again;
}

std::vector<AllReduceDemand> demandsOf(const Operator& op, const Configuration& configuration, const DeviceAxes& axes,
                                       const GraphCostOptions& options) {
  std::vector<AllReduceDemand> demands;
  for (const Reduction& reduction : reductionsOf(op, configuration)) {
    const bool ofParameter = op.tensors[reduction.tensor].role == Tensor::Role::Parameter;
    AllReduceDemand demand{std::vector<bool>(axes.sizes.size(), false), reduction.elements * options.bytesPerElement,
                           ofParameter ? gradientSums(options) : static_cast<double>(options.microbatches)};
    for (std::size_t i = 0; i < axes.dimensions.size(); ++i) {
      demand.axes[i] = std::find(reduction.dimensions.begin(), reduction.dimensions.end(), axes.dimensions[i]) !=
                       reduction.dimensions.end();
    }
    demands.push_back(std::move(demand));
  }
  return demands;
}

Result<StrategyProblem> strategyProblemFrom(const ComputationGraph& graph, const GraphCostOptions& options,
                                            CollectivePricer& pricer, std::stop_token stop, const Progress& progress) {
  P2_TRY(checkGraphCostOptions(options));
  return Tabulation(graph, options, pricer, std::move(stop), progress).run();
}

}  // namespace p2::inline strategy
