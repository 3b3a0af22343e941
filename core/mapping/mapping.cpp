// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/mapping.h"

#include <algorithm>
#include <numeric>

#include "mapping/axis_names.h"

namespace p2::inline mapping {
namespace {

double secondsOf(const std::vector<std::vector<Transfer>>& lists) {
  double seconds = 0;
  for (const auto& list : lists) {
    for (const Transfer& transfer : list) seconds += transfer.seconds;
  }
  return seconds;
}

}  // namespace

std::string meshUnmodelledEffects(bool routed) {
  return "splits over more than three axes of a mesh; other orders of the axes that "
         "cut one dimension; messages between all pairs of more than " +
         std::to_string(kMostAllToAll) +
         (routed ? " devices (" + std::to_string(kMostRouted) + " for the tokens of experts)" : " devices") +
         ", priced as gathering and cutting; computation that hides communication";
}

bool isRouted(const ComputationGraph& graph) {
  return std::any_of(graph.operators.begin(), graph.operators.end(),
                     [](const Operator& op) { return isRouted(op.kind); });
}

double Mapping::seconds() const {
  return std::accumulate(computeSeconds.begin(), computeSeconds.end(), 0.0) + secondsOf(vertices) + secondsOf(edges);
}

Result<Mapping> mappingOf(const MappedGraph& graph, const MappedProblem& mapped, const Strategy& strategy,
                          MeshPricer& pricer) {
  MeshPrices prices(mapped.mesh, pricer);
  const GraphCostOptions& options = graph.options();
  const auto assignmentOf = [&](std::size_t v) { return mapped.assignmentOf(v, strategy.choice[v]); };
  Mapping mapping;
  for (std::size_t v = 0; v < graph.graph().operators.size(); ++v) {
    const Operator& op = graph.graph().operators[v];
    const Configuration& parts = mapped.problem.domainOf(v).configurations[strategy.choice[v]];
    const auto microbatches = static_cast<double>(options.microbatches);
    mapping.computeSeconds.push_back(microbatches * computeSeconds(op, parts, options));
    mapping.forwardSeconds.push_back(microbatches * passSeconds(op, parts, options).forward);
    P2_TRY_ASSIGN(auto transfers, graph.transfersOf(v, assignmentOf(v), mapped.mesh, prices));
    mapping.vertices.push_back(std::move(transfers));
  }
  for (std::size_t e = 0; e < graph.graph().edges.size(); ++e) {
    const ComputationGraph::Edge& edge = graph.graph().edges[e];
    P2_TRY_ASSIGN(auto transfers,
                  graph.transfersAlong(e, assignmentOf(edge.from), assignmentOf(edge.to), mapped.mesh, prices));
    mapping.edges.push_back(std::move(transfers));
  }
  mapping.axisNames = axisNamesOf(graph.graph(), mapped, strategy);
  mapping.sequenceAxes = sequenceAxesOf(graph.graph(), mapped, strategy);
  return mapping;
}

bool isSum(const Transfer& transfer) {
  return transfer.collective == MeshCollective::AllReduce || transfer.collective == MeshCollective::ReduceScatter;
}

CostSplit splitOf(const Mapping& mapping) {
  CostSplit split;
  split.compute = std::accumulate(mapping.computeSeconds.begin(), mapping.computeSeconds.end(), 0.0);
  split.reduce = secondsOf(mapping.vertices);
  for (const auto& list : mapping.edges) {
    for (const Transfer& transfer : list) (isSum(transfer) ? split.reduce : split.resharding) += transfer.seconds;
  }
  return split;
}

std::int64_t partAt(const Mesh& mesh, MeshAxes axes, const std::vector<std::int64_t>& coordinates) {
  std::int64_t part = 0;
  for (std::size_t axis = 0; axis < mesh.sizes.size(); ++axis) {
    if ((axes >> axis & 1) != 0) part = part * mesh.sizes[axis] + coordinates[axis];
  }
  return part;
}

std::vector<IndexRange> heldAt(const MappedGraph& graph, std::size_t op, std::size_t tensor,
                               const AxisAssignment& assignment, const Mesh& mesh,
                               const std::vector<std::int64_t>& coordinates) {
  const Operator& of = graph.graph().operators[op];
  const Tensor& held = of.tensors[tensor];
  std::vector<IndexRange> ranges;
  for (std::size_t i = 0; i < held.dimensions.size(); ++i) {
    const MeshAxes axes = assignment.axesOf(held.dimensions[i]);
    ranges.push_back(rangeOf(of.sizeAlong(held, i), mesh.sizeOf(axes), partAt(mesh, axes, coordinates)));
  }
  return ranges;
}

}  // namespace p2::inline mapping
