// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/mapped_needs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/counted.h"
#include "base/near.h"
#include "mapping/axis_names.h"

namespace p2::inline mapping {
namespace {

/// A collective over some axes, as often as it happens.
struct MeshNeed {
  std::vector<std::string> operators;
  Bytes bytes;
  Bytes largest;
  double seconds = 0;
  double times = 0;

  void add(const Transfer& transfer, const std::string& op) {
    if (operators.empty() || operators.back() != op) operators.push_back(op);
    bytes += transfer.bytes * transfer.times;
    largest = std::max(largest, transfer.bucket > Bytes(0) ? transfer.bucket : transfer.bytes);
    seconds += transfer.seconds;
    times += transfer.collectives();
  }
};

CommunicationKind kindOf(MeshCollective collective) {
  switch (collective) {
    case MeshCollective::ReduceScatter:
      return CommunicationKind::ReduceScatter;
    case MeshCollective::AllReduce:
      return CommunicationKind::AllReduce;
    case MeshCollective::AllToAll:
      return CommunicationKind::AllToAll;
    case MeshCollective::AllGather:
      return CommunicationKind::AllGather;
  }
  return CommunicationKind::AllReduce;
}

/// Tokens on their way to experts and back have names of their own, as in the workload of a model.
enum class Route { None, Dispatch, Combine };

Route routeOf(const ComputationGraph& graph, const ComputationGraph::Edge& edge) {
  if (graph.operators[edge.from].kind == OperatorKind::Dispatch) return Route::Dispatch;
  return graph.operators[edge.to].kind == OperatorKind::Combine ? Route::Combine : Route::None;
}

std::string nameOf(Transfer::Purpose purpose, Route route) {
  if (route == Route::None) return std::string(nameOf(purpose));
  const std::string name = route == Route::Dispatch ? "dispatch" : "combine";
  return purpose == Transfer::Purpose::Forward ? name : "gradients of " + name;
}

/// Calls back with every transfer, the name of the operator that it belongs to, and its route on an edge.
template <class Visit>
void forEachTransfer(const MappedGraph& graph, const Mapping& mapping, Visit visit) {
  const ComputationGraph& of = graph.graph();
  for (std::size_t v = 0; v < mapping.vertices.size(); ++v) {
    for (const Transfer& transfer : mapping.vertices[v]) visit(transfer, of.operators[v].name, Route::None);
  }
  for (std::size_t e = 0; e < mapping.edges.size(); ++e) {
    for (const Transfer& transfer : mapping.edges[e]) {
      visit(transfer, of.operators[of.edges[e].to].name, routeOf(of, of.edges[e]));
    }
  }
}

/// Gradients and parameters of one group of devices together, as whole buckets.
class Buckets {
 public:
  void add(const Transfer& share) {
    const auto [known, fresh] = m_groups.try_emplace({share.purpose, share.collective, share.axes}, share);
    if (!fresh) known->second.bytes += share.bytes;
  }

  /// As many buckets as the group's shares come to, one or more, filled equally.
  [[nodiscard]] std::vector<Transfer> filled() const {
    std::vector<Transfer> all;
    for (const auto& [group, sum] : m_groups) {
      const double buckets = std::max(1.0, std::round(sum.bytes / sum.bucket));
      all.push_back(sum);
      all.back().bytes = sum.bytes / buckets;
      all.back().times = sum.times * buckets;
    }
    return all;
  }

 private:
  std::map<std::tuple<Transfer::Purpose, MeshCollective, MeshAxes>, Transfer> m_groups;
};

}  // namespace

Result<std::vector<StrategyNeed>> mappedNeeds(const MappedGraph& graph, const MappedProblem& mapped,
                                              const Mapping& mapping, HierarchicalPrices& prices) {
  std::map<std::pair<MeshCollective, MeshAxes>, MeshNeed> known;
  forEachTransfer(graph, mapping, [&](const Transfer& transfer, const std::string& op, Route) {
    if (mapped.mesh.sizeOf(transfer.axes) > 1) known[{transfer.collective, transfer.axes}].add(transfer, op);
  });
  std::vector<StrategyNeed> needs;
  for (auto& [key, found] : known) {
    StrategyNeed need;
    need.operators = std::move(found.operators);
    need.axes = namedAxesOf(mapped.mesh, mapping.axisNames, key.second);
    need.bytes = found.bytes;
    need.seconds = found.seconds;
    need.matrix = mapped.mesh.matrix;
    need.collective = nameOf(key.first);
    need.times = std::ceil(safeLowerBound(found.times));
    need.largest = found.largest;
    P2_TRY_ASSIGN(auto best, prices.programOn(Placement(need.axes, need.matrix), goalOf(key.first), found.largest));
    need.program = std::move(best.text);
    need.once = best.seconds;
    needs.push_back(std::move(need));
  }
  std::stable_sort(needs.begin(), needs.end(),
                   [](const StrategyNeed& a, const StrategyNeed& b) { return a.seconds > b.seconds; });
  return needs;
}

Result<WorkloadSource> workloadOf(const MappedGraph& graph, const MappedProblem& mapped, const Mapping& mapping) {
  using Key = std::tuple<Transfer::Purpose, Route, MeshCollective, MeshAxes, std::int64_t>;
  std::map<Key, std::int64_t> counts;
  std::size_t tooMany = 0;
  const auto take = [&](const Transfer& transfer, Route route) {
    constexpr double kMostWhole = 9e18;
    const double whole = std::ceil(transfer.bytes.value());
    if (mapped.mesh.sizeOf(transfer.axes) == 1 || whole < 1) return;
    if (whole >= kMostWhole) {
      ++tooMany;
      return;
    }
    counts[{transfer.purpose, route, transfer.collective, transfer.axes, static_cast<std::int64_t>(whole)}] +=
        static_cast<std::int64_t>(transfer.times);
  };
  Buckets buckets;
  forEachTransfer(graph, mapping, [&](const Transfer& transfer, const std::string&, Route route) {
    if (transfer.bucket == Bytes(0)) return take(transfer, route);
    buckets.add(transfer);
  });
  for (const Transfer& bucket : buckets.filled()) take(bucket, Route::None);
  if (counts.empty()) return Error{"the strategy communicates nothing; ask for one that uses all devices (--exactly)"};
  WorkloadSource source;
  source.workload.name = "strategy of " + graph.graph().name;
  source.workload.axes = namedAxesOf(mapped.mesh, mapping.axisNames);
  for (const auto& [key, count] : counts) {
    const auto& [purpose, route, collective, axes, bytes] = key;
    WorkloadEntry entry;
    entry.name = nameOf(purpose, route);
    for (const Axis& axis : namedAxesOf(mapped.mesh, mapping.axisNames, axes)) {
      if (axis.reduce && axis.size > 1) entry.axes.push_back(axis.name);
    }
    entry.kind = kindOf(collective);
    entry.bytes = bytes;
    entry.count = count;
    source.workload.collectives.push_back(std::move(entry));
  }
  double compute = 0;
  for (const double seconds : mapping.computeSeconds) compute += seconds;
  if (compute > 0) source.workload.computeSeconds = compute;
  source.understood = {meshText(mapped.mesh, mapping.axisNames) + ", placed by " + mapped.mesh.matrix.text()};
  source.assumed = {"everything is exposed: a strategy's costs add up"};
  const ComputationGraph& of = graph.graph();
  source.assumed.insert(source.assumed.end(), of.assumed.begin(), of.assumed.end());
  for (const std::string& each : of.unpriced) source.ignored.push_back("not priced: " + each);
  if (tooMany > 0) source.ignored.push_back(countedText(tooMany, "collective") + " of more bytes than a file can say");
  P2_TRY(checkWorkload(source.workload));
  return source;
}

}  // namespace p2::inline mapping
