// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "mapping/gradient_buckets.h"
#include "mapping/mapped_problem.h"
#include "strategy/graph_likeness.h"
#include "strategy/shared_tensors.h"

namespace p2::inline mapping {
namespace {

constexpr std::array<std::string_view, 7> kPurposeNames{
    "gradients of parameters", "parameters",      "statistics", "partial sums", "resharding",
    "gradients of resharding", "resharding again"};

using Purpose = Transfer::Purpose;

/// Prices transfers and keeps those that take part.
class TransferList {
 public:
  TransferList(MeshPrices& prices, Bytes bytesPerElement) : m_prices(prices), m_elementBytes(bytesPerElement) {}

  Result<void> add(Purpose purpose, MeshCollective collective, MeshAxes axes, double elements, double times) {
    return addBytes(purpose, collective, axes, elements * m_elementBytes, times);
  }

  Result<void> addBytes(Purpose purpose, MeshCollective collective, MeshAxes axes, Bytes bytes, double times) {
    return addTransfer({purpose, collective, axes, bytes, times, 0});
  }

  Result<void> add(Purpose purpose, const Redistribution& redistribution, double times) {
    for (std::size_t i = 0; i < kMeshCollectives; ++i) {
      const Redistribution::Step& step = redistribution.steps[i];
      if (step.axes == 0) continue;
      P2_TRY(add(purpose, static_cast<MeshCollective>(i), step.axes, step.elements, times));
    }
    return {};
  }

  /// Gradients are summed up, and where ZeRO scatters what belongs to a parameter, scattered and gathered.
  /// `bucket`: elements of the bucket that these share with others.
  Result<void> addParameter(MeshAxes axes, double elements, double bucket, const GraphCostOptions& options) {
    const auto microbatches = static_cast<double>(options.microbatches);
    const int zero = options.memory.zero;
    const auto share = [&](Purpose purpose, MeshCollective collective, Bytes each, double times) {
      return addTransfer({purpose, collective, axes, elements * each, times, 0, bucket * each});
    };
    const Bytes ofGradient = options.memory.ofGradient(m_elementBytes);
    if (zero == 0) return share(Purpose::Gradients, MeshCollective::AllReduce, ofGradient, 1);
    P2_TRY(share(Purpose::Gradients, MeshCollective::ReduceScatter, ofGradient, zero == 1 ? 1 : microbatches));
    return share(Purpose::Parameters, MeshCollective::AllGather, m_elementBytes,
                 zero < kMostZero ? 1 : 2 * microbatches);
  }

  [[nodiscard]] std::vector<Transfer> take() && { return std::move(m_list); }

 private:
  Result<void> addTransfer(Transfer transfer) {
    const bool shares = transfer.bucket > Bytes(0);
    P2_TRY_ASSIGN(const double once,
                  m_prices.seconds(transfer.collective, transfer.axes, shares ? transfer.bucket : transfer.bytes));
    transfer.seconds = transfer.collectives() * once;
    m_list.push_back(transfer);
    return {};
  }

  MeshPrices& m_prices;
  Bytes m_elementBytes;
  std::vector<Transfer> m_list;
};

/// Per tensor the dimensions whose split leaves partial sums of it, bit by bit.
std::vector<std::uint16_t> summedDimensions(const Operator& op) {
  static_assert(kMostDimensions <= 16);
  std::vector<std::uint16_t> summed(op.tensors.size(), 0);
  const Configuration all(op.dimensions.size(), 2);
  for (const Reduction& reduction : reductionsOf(op, all)) {
    for (const std::size_t d : reduction.dimensions) summed[reduction.tensor] |= static_cast<std::uint16_t>(1u << d);
  }
  return summed;
}

}  // namespace

std::string_view nameOf(Transfer::Purpose purpose) { return kPurposeNames[static_cast<std::size_t>(purpose)]; }

bool happensOnce(Purpose purpose, int zero) {
  return (purpose == Purpose::Gradients && zero < 2) || (purpose == Purpose::Parameters && zero < kMostZero);
}

MeshAxes AxisAssignment::axesOf(std::size_t dimension) const {
  unsigned axes = 0;
  for (std::size_t axis = 0; axis < kMostMeshAxes; ++axis) {
    axes |= at[axis] == static_cast<std::int8_t>(dimension) ? 1u << axis : 0u;
  }
  return static_cast<MeshAxes>(axes);
}

Configuration partsOf(const Operator& op, const AxisAssignment& assignment, const Mesh& mesh) {
  Configuration parts;
  setParts(op, assignment, mesh, parts);
  return parts;
}

void setParts(const Operator& op, const AxisAssignment& assignment, const Mesh& mesh, Configuration& parts) {
  parts.assign(op.dimensions.size(), 1);
  for (std::size_t axis = 0; axis < mesh.sizes.size(); ++axis) {
    const std::int8_t d = assignment.at[axis];
    if (d != AxisAssignment::kRepeated) parts[static_cast<std::size_t>(d)] *= mesh.sizes[axis];
  }
}

MappedGraph::MappedGraph(const ComputationGraph& graph, const GraphCostOptions& options)
    : m_graph(graph), m_options(options), m_needs(graph, options.memory.recomputation) {
  for (const Operator& op : graph.operators) {
    m_edges.emplace_back(op.tensors.size(), 0);
    m_summed.push_back(summedDimensions(op));
  }
  for (const ComputationGraph::Edge& edge : graph.edges) {
    ++m_edges[edge.from][edge.fromTensor];
    ++m_edges[edge.to][edge.toTensor];
    m_elements.push_back(elementsOf(edge.from, edge.fromTensor));
  }
  m_bucket = options.bucketElements > 0 ? options.bucketElements : bucketElements(graph, options.memory);
}

std::vector<std::int64_t> MappedGraph::likenessOf(std::size_t index) const {
  std::vector<std::int64_t> numbers = p2::likenessOf(m_graph.operators[index]);
  for (const std::size_t edges : m_edges[index]) {
    numbers.push_back(static_cast<std::int64_t>(std::min<std::size_t>(edges, 2)));
  }
  m_needs.addTo(numbers, index);
  return numbers;
}

MeshAxes MappedGraph::partialAxes(std::size_t op, std::size_t tensor, const AxisAssignment& assignment) const {
  unsigned axes = 0;
  for (std::size_t axis = 0; axis < kMostMeshAxes; ++axis) {
    const std::int8_t d = assignment.at[axis];
    if (d != AxisAssignment::kRepeated && (m_summed[op][tensor] >> d & 1) != 0) axes |= 1u << axis;
  }
  return static_cast<MeshAxes>(axes);
}

StepMemory MappedGraph::memoryOf(std::size_t op, const Configuration& parts) const {
  return p2::memoryOf(m_graph.operators[op], parts, m_options.bytesPerElement, m_options.memory, m_needs.of(op),
                      m_needs.layers());
}

bool MappedGraph::movesAgain(std::size_t edge) const {
  const ComputationGraph::Edge& ends = m_graph.edges[edge];
  return m_needs.of(ends.to)[ends.toTensor].movesAgain;
}

TensorLayout MappedGraph::layoutOf(std::size_t index, std::size_t tensor, const AxisAssignment& assignment,
                                   bool sums) const {
  const Operator& op = m_graph.operators[index];
  const std::vector<std::size_t>& dimensions = op.tensors[tensor].dimensions;
  const MeshAxes partial = sums ? partialAxes(index, tensor, assignment) : MeshAxes{0};
  TensorLayout layout;
  for (std::size_t axis = 0; axis < kMostMeshAxes; ++axis) {
    if (assignment.at[axis] == AxisAssignment::kRepeated) continue;
    const auto found = std::find(dimensions.begin(), dimensions.end(), static_cast<std::size_t>(assignment.at[axis]));
    if (found != dimensions.end()) {
      layout.at[axis] = static_cast<std::int8_t>(found - dimensions.begin());
    } else if ((partial >> axis & 1) != 0) {
      layout.at[axis] = TensorLayout::kPartial;
    }
  }
  return layout;
}

std::int64_t MappedGraph::mostAllToAll(std::size_t edge) const {
  const ComputationGraph::Edge& ends = m_graph.edges[edge];
  const bool routed = m_graph.operators[ends.from].kind == OperatorKind::Dispatch ||
                      m_graph.operators[ends.to].kind == OperatorKind::Combine;
  return routed ? kMostRouted : kMostAllToAll;
}

double MappedGraph::elementsOf(std::size_t op, std::size_t tensor) const {
  const Operator& of = m_graph.operators[op];
  return p2::elementsOf(of, of.tensors[tensor], Configuration(of.dimensions.size(), 1));
}

Result<std::vector<Transfer>> MappedGraph::transfersOf(std::size_t index, const AxisAssignment& assignment,
                                                       const Mesh& mesh, MeshPrices& prices) const {
  const Operator& op = m_graph.operators[index];
  const Configuration parts = partsOf(op, assignment, mesh);
  const auto microbatches = static_cast<double>(m_options.microbatches);
  TransferList list(prices, m_options.bytesPerElement);
  for (std::size_t t = 0; t < op.tensors.size(); ++t) {
    const MeshAxes partial = partialAxes(index, t, assignment);
    if (partial == 0) continue;
    const double elements = p2::elementsOf(op, op.tensors[t], parts);
    switch (op.tensors[t].role) {
      case Tensor::Role::Parameter:
        P2_TRY(list.addParameter(partial, elements, m_bucket, m_options));
        break;
      case Tensor::Role::Statistic:
        P2_TRY(list.add(Purpose::Statistics, MeshCollective::AllReduce, partial, elements, microbatches));
        break;
      case Tensor::Role::Output:
        if (!sumsAlongEdge(index, t)) {
          P2_TRY(list.add(Purpose::PartialSums, MeshCollective::AllReduce, partial, elements, microbatches));
        }
        break;
      case Tensor::Role::Input:
        if (m_edges[index][t] > 1) {
          P2_TRY(list.add(Purpose::PartialSums, MeshCollective::AllReduce, partial, elements, microbatches));
        }
        break;
    }
  }
  return std::move(list).take();
}

std::array<TensorLayout, 2> MappedGraph::layoutsFrom(std::size_t edge, const AxisAssignment& from) const {
  const ComputationGraph::Edge& ends = m_graph.edges[edge];
  std::array<TensorLayout, 2> layouts{
      layoutOf(ends.from, ends.fromTensor, from, sumsAlongEdge(ends.from, ends.fromTensor)),
      layoutOf(ends.from, ends.fromTensor, from, false)};
  const Operator& op = m_graph.operators[ends.from];
  if (op.kind != OperatorKind::Share) return layouts;
  // Gradients of the readers are added where they are, and summed up once.
  for (std::size_t axis = 0; axis < kMostMeshAxes; ++axis) {
    if (from.at[axis] == static_cast<std::int8_t>(sharedReaders(op))) layouts[1].at[axis] = TensorLayout::kPartial;
  }
  return layouts;
}

std::array<TensorLayout, 2> MappedGraph::layoutsTo(std::size_t edge, const AxisAssignment& to) const {
  const ComputationGraph::Edge& ends = m_graph.edges[edge];
  return {layoutOf(ends.to, ends.toTensor, to, false),
          layoutOf(ends.to, ends.toTensor, to, sumsAlongEdge(ends.to, ends.toTensor))};
}

std::array<Redistribution, 2> MappedGraph::redistributionsOf(std::size_t edge, const AxisAssignment& from,
                                                             const AxisAssignment& to, const Mesh& mesh) const {
  const ComputationGraph::Edge& ends = m_graph.edges[edge];
  const auto source = layoutsFrom(edge, from);
  const auto target = layoutsTo(edge, to);
  const double elements = m_elements[edge];
  std::array<Redistribution, 2> both{redistribution(source[0], target[0], mesh, elements, mostAllToAll(edge)), {}};
  if (hasGradient(m_graph.operators[ends.to], ends.toTensor)) {
    both[1] = redistribution(target[1], source[1], mesh, elements, mostAllToAll(edge));
  }
  return both;
}

Result<std::vector<Transfer>> MappedGraph::transfersAlong(std::size_t edge, const AxisAssignment& from,
                                                          const AxisAssignment& to, const Mesh& mesh,
                                                          MeshPrices& prices) const {
  const auto both = redistributionsOf(edge, from, to, mesh);
  const auto microbatches = static_cast<double>(m_options.microbatches);
  TransferList list(prices, m_options.bytesPerElement);
  P2_TRY(list.add(Purpose::Forward, both[0], microbatches));
  if (movesAgain(edge)) P2_TRY(list.add(Purpose::Again, both[0], microbatches));
  P2_TRY(list.add(Purpose::Backward, both[1], microbatches));
  return std::move(list).take();
}

}  // namespace p2::inline mapping
