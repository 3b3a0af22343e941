// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/strategy_workload.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/counted.h"
#include "base/lists.h"
#include "base/units.h"
#include "workload/import/entry_tally.h"
#include "workload/import/rank_mesh.h"

namespace p2::inline graphs {
namespace {

/// Communication over some of the axes in which devices are arranged.
struct SharedTensor {
  std::string name;
  CommunicationKind kind = CommunicationKind::AllReduce;
  std::int64_t bytes = 0;
  std::vector<bool> axes;
  std::int64_t times = 1;
};

/// One way to arrange the devices, with all that is communicated over it.
struct Arrangement {
  std::vector<std::set<std::string>> names;  ///< names of the dimensions that its axes split
  std::vector<SharedTensor> tensors;
  [[nodiscard]] double bytes() const {
    return std::accumulate(tensors.begin(), tensors.end(), 0.0, [](double sum, const SharedTensor& t) {
      return sum + static_cast<double>(t.bytes) * static_cast<double>(t.times);
    });
  }
};

std::string nameOfRole(Tensor::Role role) {
  switch (role) {
    case Tensor::Role::Input:
      return "gradients of inputs";
    case Tensor::Role::Output:
      return "partial sums of outputs";
    case Tensor::Role::Parameter:
      return "gradients of parameters";
    case Tensor::Role::Statistic:
      return "statistics";
  }
  return {};
}

/// Σ over a valid problem may be larger than a file can say.
std::optional<std::int64_t> wholeBytes(Bytes bytes) {
  constexpr double kMostWhole = 9e18;
  const double whole = std::ceil(bytes.value());
  return whole >= 1 && whole < kMostWhole ? std::optional(static_cast<std::int64_t>(whole)) : std::nullopt;
}

class StrategyWorkload {
 public:
  StrategyWorkload(const ComputationGraph& graph, const GraphCostOptions& options, const StrategyProblem& problem,
                   const Strategy& strategy)
      : m_graph(graph), m_options(options), m_problem(problem), m_strategy(strategy), m_mesh(options.devices) {
    m_groups.world = options.devices;
  }
  Result<WorkloadSource> make();

 private:
  [[nodiscard]] const Configuration& configurationOf(std::size_t vertex) const {
    return m_problem.domainOf(vertex).configurations[m_strategy.choice[vertex]];
  }
  void addOperator(std::size_t vertex);
  void addEdge(const ComputationGraph::Edge& edge);
  [[nodiscard]] const char* routeAlong(const ComputationGraph::Edge& edge) const;
  void add(const DeviceAxes& axes, const std::vector<std::string>& names, SharedTensor tensor);
  void place(const std::vector<std::int64_t>& sizes, const Arrangement& arrangement);
  [[nodiscard]] std::optional<std::vector<RankBlock>> blocksFor(const std::vector<std::int64_t>& sizes);

  const ComputationGraph& m_graph;
  const GraphCostOptions& m_options;
  const StrategyProblem& m_problem;
  const Strategy& m_strategy;
  RankMesh m_mesh;
  NamedGroups m_groups;
  std::map<std::string, std::set<std::string>> m_names;  // by group, of the dimensions that are split over it
  EntryTally m_tally;
  std::map<std::vector<std::int64_t>, Arrangement> m_arrangements;  // by sizes
  std::int64_t m_homeless = 0;
  double m_homelessBytes = 0;
  std::int64_t m_undivided = 0;
  double m_seconds = 0;
};

void StrategyWorkload::add(const DeviceAxes& axes, const std::vector<std::string>& names, SharedTensor tensor) {
  const std::int64_t used = std::accumulate(axes.sizes.begin(), axes.sizes.end(), std::int64_t{1}, std::multiplies<>());
  if (used != m_options.devices) {
    ++m_undivided;
    return;
  }
  Arrangement& arrangement = m_arrangements[axes.sizes];
  arrangement.names.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) arrangement.names[i].insert(names[i]);
  }
  arrangement.tensors.push_back(std::move(tensor));
}

void StrategyWorkload::addOperator(std::size_t vertex) {
  const Operator& op = m_graph.operators[vertex];
  const Configuration& configuration = configurationOf(vertex);
  m_seconds += static_cast<double>(m_options.microbatches) * computeSeconds(op, configuration, m_options);
  const DeviceAxes axes = deviceAxesOf(configuration, m_options.devices);
  std::vector<std::string> names;
  for (const std::size_t d : axes.dimensions) {
    names.push_back(d == DeviceAxes::kCopies ? std::string() : op.dimensions[d].name);
  }
  const auto reductions = reductionsOf(op, configuration);
  const auto demands = demandsOf(op, configuration, axes, m_options);
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const auto bytes = wholeBytes(demands[i].bytes);
    if (!bytes) continue;
    const Tensor::Role role = op.tensors[reductions[i].tensor].role;
    const std::string name = nameOfRole(role);
    if (role == Tensor::Role::Parameter && m_options.memory.zero >= 2) {
      add(axes, names, {name, CommunicationKind::ReduceScatter, *bytes, demands[i].axes, m_options.microbatches});
      add(axes, names, {"parameters after the update", CommunicationKind::AllGather, *bytes, demands[i].axes, 1});
    } else {
      add(axes, names,
          {name, CommunicationKind::AllReduce, *bytes, demands[i].axes, static_cast<std::int64_t>(demands[i].times)});
    }
  }
  for (AllReduceDemand& again : regatheringsOf(op, configuration, axes, m_options)) {
    const auto bytes = wholeBytes(2 * again.bytes);
    if (!bytes) continue;
    add(axes, names,
        {"parameters gathered again", CommunicationKind::AllGather, *bytes, std::move(again.axes),
         static_cast<std::int64_t>(again.times)});
  }
}

void StrategyWorkload::addEdge(const ComputationGraph::Edge& edge) {
  const SpareDevices spare = m_options.model == StrategyCostModel::Flat ? SpareDevices::Idle : SpareDevices::Copies;
  const Resharding resharding =
      reshardingAlong(m_graph, edge, configurationOf(edge.from), configurationOf(edge.to), spare);
  if (resharding.parts == 1) return;
  const auto bytes = wholeBytes(resharding.elements * m_options.bytesPerElement);
  if (!bytes) return;
  const DeviceAxes axes = deviceAxesOf({resharding.parts}, m_options.devices);
  std::vector<bool> over(axes.sizes.size(), false);
  over[0] = true;
  const std::vector<std::string> names(axes.sizes.size());
  if (const char* route = routeAlong(edge)) {
    add(axes, names, {route, CommunicationKind::AllToAll, *bytes, over, m_options.microbatches});
    add(axes, names,
        {"gradients of " + std::string(route), CommunicationKind::AllToAll, *bytes, over, m_options.microbatches});
    return;
  }
  add(axes, names,
      {"resharding between operators", CommunicationKind::AllGather, *bytes, over, m_options.microbatches});
  add(axes, names, {"gradients of resharding", CommunicationKind::ReduceScatter, *bytes, over, m_options.microbatches});
}

/// What tokens on their way to experts or back are called, where one end cuts them and the other the experts in as many
/// parts; null for all else, which is gathered as far as it is missing.
const char* StrategyWorkload::routeAlong(const ComputationGraph::Edge& edge) const {
  const Operator& from = m_graph.operators[edge.from];
  const Operator& to = m_graph.operators[edge.to];
  const bool dispatched = from.kind == OperatorKind::Dispatch;
  if (!dispatched && to.kind != OperatorKind::Combine) return nullptr;
  const Configuration& before = configurationOf(edge.from);
  const Configuration& after = configurationOf(edge.to);
  const Tensor& sent = from.tensors[edge.fromTensor];
  const Tensor& wanted = to.tensors[edge.toTensor];
  std::int64_t parts = 1;
  std::int64_t partsWanted = 1;
  for (std::size_t i = 0; i < sent.dimensions.size(); ++i) {
    parts *= before[sent.dimensions[i]];
    partsWanted *= after[wanted.dimensions[i]];
  }
  if (parts != partsWanted) return nullptr;
  return dispatched ? "dispatch" : "combine";
}

/// Where the axes are, for the first order of them that fits the mesh; the mesh then has it.
std::optional<std::vector<RankBlock>> StrategyWorkload::blocksFor(const std::vector<std::int64_t>& sizes) {
  constexpr int kMostOrders = 5040;
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  int tried = 0;
  do {
    std::vector<RankBlock> blocks(sizes.size());
    std::int64_t stride = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
      blocks[order[i]] = {stride, sizes[order[i]]};
      stride *= sizes[order[i]];
    }
    if (m_mesh.add({}, blocks)) return blocks;
  } while (++tried < kMostOrders && std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}

void StrategyWorkload::place(const std::vector<std::int64_t>& sizes, const Arrangement& arrangement) {
  const auto blocks = blocksFor(sizes);
  if (!blocks) {
    m_homeless += static_cast<std::int64_t>(arrangement.tensors.size());
    m_homelessBytes += arrangement.bytes();
    return;
  }
  const auto keyOf = [](const std::vector<RankBlock>& group) {
    return joined(group, " ", [](const RankBlock& block) {
      return std::to_string(block.stride) + ":" + std::to_string(block.size);
    });
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string key = keyOf({(*blocks)[i]});
    m_groups.groups[key] = {(*blocks)[i]};
    m_names[key].insert(arrangement.names[i].begin(), arrangement.names[i].end());
  }
  for (const SharedTensor& tensor : arrangement.tensors) {
    std::vector<RankBlock> group;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (tensor.axes[i]) group.push_back((*blocks)[i]);
    }
    const std::string key = keyOf(group);
    m_groups.groups.try_emplace(key, group);
    m_tally.add({tensor.name, key, tensor.kind, tensor.bytes}, tensor.times);
  }
}

Result<WorkloadSource> StrategyWorkload::make() {
  for (std::size_t v = 0; v < m_graph.operators.size(); ++v) addOperator(v);
  for (const ComputationGraph::Edge& edge : m_graph.edges) addEdge(edge);
  std::vector<const std::pair<const std::vector<std::int64_t>, Arrangement>*> heaviest;
  for (const auto& each : m_arrangements) heaviest.push_back(&each);
  std::stable_sort(heaviest.begin(), heaviest.end(),
                   [](const auto* a, const auto* b) { return a->second.bytes() > b->second.bytes(); });
  for (const auto* each : heaviest) place(each->first, each->second);
  // An axis along which operators split different dimensions has no name of its own.
  for (const auto& [group, blocks] : m_groups.groups) {
    const auto& names = m_names[group];
    m_groups.axisNames[group] = names.size() == 1 ? *names.begin() : std::string();
  }

  WorkloadSource source;
  source.workload.name = "strategy of " + m_graph.name;
  source.understood = {countedText(m_options.devices, "device"),
                       countedText(m_graph.operators.size(), "operator") + ", " +
                           countedText(m_graph.edges.size(), "edge") + ", " +
                           countedText(m_arrangements.size(), "arrangement") + " of the devices"};
  if (m_arrangements.size() > 1) {
    source.assumed.push_back(
        "operators share one mesh of devices whose axes their configurations do not name: each takes the first order "
        "of axes that fits the operators with more communication");
  }
  source.assumed.push_back("everything is exposed: a strategy's costs add up");
  source.assumed.insert(source.assumed.end(), m_graph.assumed.begin(), m_graph.assumed.end());
  for (const std::string& each : m_graph.unpriced) source.ignored.push_back("not priced: " + each);
  if (m_homeless > 0) {
    source.ignored.push_back(countedText(m_homeless, "collective") + ", " + formatBytes(Bytes(m_homelessBytes)) +
                             ", of operators whose axes have no mesh in common with the others");
  }
  if (m_undivided > 0) {
    source.ignored.push_back(countedText(m_undivided, "collective") +
                             " of operators whose parts do not divide the devices");
  }
  if (m_tally.rows().empty() && m_homeless == 0 && m_undivided == 0) {
    return Error{"the strategy communicates nothing; ask for one that uses all devices (--exactly)"};
  }
  P2_TRY(addEntries(m_tally, m_groups, 1, source));
  if (m_seconds > 0) source.workload.computeSeconds = m_seconds;
  P2_TRY(checkWorkload(source.workload));
  return source;
}

}  // namespace

Result<WorkloadSource> workloadOf(const ComputationGraph& graph, const GraphCostOptions& options,
                                  const StrategyProblem& problem, const Strategy& strategy) {
  return StrategyWorkload(graph, options, problem, strategy).make();
}

}  // namespace p2::inline graphs
