// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "mapping/mesh_prices.h"
#include "strategy/graph_costs.h"

namespace p2::inline mapping {

/// Layout of an operator on a mesh: per axis the dimension of its iteration domain that it cuts, or kRepeated, where
/// the devices along the axis repeat the work.
struct AxisAssignment {
  static constexpr std::int8_t kRepeated = -1;
  std::array<std::int8_t, kMostMeshAxes> at{kRepeated, kRepeated, kRepeated, kRepeated};

  [[nodiscard]] MeshAxes axesOf(std::size_t dimension) const;
  friend auto operator<=>(const AxisAssignment&, const AxisAssignment&) = default;
};

/// Into how many parts it cuts every dimension of an operator.
[[nodiscard]] Configuration partsOf(const Operator& op, const AxisAssignment& assignment, const Mesh& mesh);
/// As above, into a configuration that is used again.
void setParts(const Operator& op, const AxisAssignment& assignment, const Mesh& mesh, Configuration& parts);

/// The parts that a vertex must be cut into, and their axes where these are given.
struct MappedPin {
  Configuration parts;
  std::optional<AxisAssignment> axes = {};
  friend bool operator==(const MappedPin&, const MappedPin&) = default;
};

/// Limits on assignments, on top of the configuration space.
struct MappedLimits {
  std::vector<std::optional<MappedPin>> pins = {};  ///< per operator; empty pins none
  /// Whether an assignment is allowed. Must not depend on the names of operators.
  std::function<bool(const Operator&, const AxisAssignment&, const Mesh&)> allows = {};
};

/// Cost tables of a graph on one mesh. Configurations with equal parts along other axes are different ones.
struct MappedProblem {
  Mesh mesh;
  StrategyProblem problem;
  std::vector<std::vector<AxisAssignment>> assignments;  ///< by domain and configuration
  std::vector<std::vector<double>>
      once;  ///< by domain and configuration: seconds of the cost that happen once per step

  [[nodiscard]] const AxisAssignment& assignmentOf(std::size_t vertex, std::size_t configuration) const {
    return assignments[problem.vertices[vertex].domain][configuration];
  }
};

/// A collective of a strategy, with its purpose and number.
struct Transfer {
  enum class Purpose {
    Gradients,    ///< of parameters, summed up
    Parameters,   ///< gathered where ZeRO deals them out
    Statistics,   ///< sums that every device needs
    PartialSums,  ///< sums of an output with several readers or none
    Forward,      ///< along an edge
    Backward,     ///< along an edge: gradients of its tensor
    Again,        ///< along an edge: the tensor once more, in the backward pass
  };
  Purpose purpose = Purpose::Forward;
  MeshCollective collective = MeshCollective::AllReduce;
  MeshAxes axes = 0;
  Bytes bytes;         ///< as Redistribution::Step
  double times = 1;    ///< in a step
  double seconds = 0;  ///< for all of them
  Bytes bucket = {};   ///< that `bytes` share with others (gradient_buckets.h); 0 for a collective of its own
  /// Collectives in a step, a share of a bucket being the share of one.
  [[nodiscard]] double collectives() const { return bucket > Bytes(0) ? times * (bytes / bucket) : times; }
  friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// Whether a transfer happens once in a step under a stage of ZeRO, not in every pass.
[[nodiscard]] bool happensOnce(Transfer::Purpose purpose, int zero);

/// "gradients of parameters", …
[[nodiscard]] std::string_view nameOf(Transfer::Purpose purpose);

/// Properties, other than layouts, that prices of redistributions depend on.
struct EdgeTensor {
  double elements = 0;            ///< whole tensor
  std::int64_t mostAllToAll = 0;  ///< devices: kMostAllToAll or kMostRouted
};

/// Operators of a graph, and how their tensors are redistributed along edges. A tensor with several readers is
/// redistributed for each of them, unless the graph has one operator that shares it (withSharedTensors()). Partial sums
/// of an output with one reader wait for its edge, which scatters them where the reader wants parts; sums of an input's
/// gradient do, too. Inputs without an edge and indices have no gradient: see hasGradient().
class MappedGraph {
 public:
  /// Graph and options must outlive this.
  MappedGraph(const ComputationGraph& graph, const GraphCostOptions& options);

  [[nodiscard]] const ComputationGraph& graph() const { return m_graph; }
  [[nodiscard]] const GraphCostOptions& options() const { return m_options; }
  [[nodiscard]] const BackwardNeeds& needs() const { return m_needs; }
  /// Memory of each device for an operator that is cut into these parts.
  [[nodiscard]] StepMemory memoryOf(std::size_t op, const Configuration& parts) const;
  /// Whether partial sums of a tensor wait for its edge.
  [[nodiscard]] bool sumsAlongEdge(std::size_t op, std::size_t tensor) const { return m_edges[op][tensor] == 1; }
  /// Numbers that are equal for operators of equal costs.
  [[nodiscard]] std::vector<std::int64_t> likenessOf(std::size_t op) const;

  /// Layout of a tensor. With `sums`, the axes that leave its sums partial are marked.
  [[nodiscard]] TensorLayout layoutOf(std::size_t op, std::size_t tensor, const AxisAssignment& assignment,
                                      bool sums) const;
  /// Whether the backward pass moves the tensor of an edge forward once more: BackwardNeeds.
  [[nodiscard]] bool movesAgain(std::size_t edge) const;
  /// Elements of the whole tensor.
  [[nodiscard]] double elementsOf(std::size_t op, std::size_t tensor) const;

  /// Communication of an operator by itself, priced.
  [[nodiscard]] Result<std::vector<Transfer>> transfersOf(std::size_t op, const AxisAssignment& assignment,
                                                          const Mesh& mesh, MeshPrices& prices) const;
  /// The redistributions of an edge: from the source's layout to the target's, and of the gradient back.
  [[nodiscard]] std::array<Redistribution, 2> redistributionsOf(std::size_t edge, const AxisAssignment& from,
                                                                const AxisAssignment& to, const Mesh& mesh) const;
  [[nodiscard]] Result<std::vector<Transfer>> transfersAlong(std::size_t edge, const AxisAssignment& from,
                                                             const AxisAssignment& to, const Mesh& mesh,
                                                             MeshPrices& prices) const;
  /// The tensor of an edge.
  [[nodiscard]] EdgeTensor tensorAlong(std::size_t edge) const { return {m_elements[edge], mostAllToAll(edge)}; }
  /// Layouts at one end of an edge: of the tensor, and of its gradient. The source's gradient has no partial sums.
  [[nodiscard]] std::array<TensorLayout, 2> layoutsFrom(std::size_t edge, const AxisAssignment& from) const;
  [[nodiscard]] std::array<TensorLayout, 2> layoutsTo(std::size_t edge, const AxisAssignment& to) const;

 private:
  [[nodiscard]] std::int64_t mostAllToAll(std::size_t edge) const;
  /// The axes over which devices hold partial sums of a tensor.
  [[nodiscard]] MeshAxes partialAxes(std::size_t op, std::size_t tensor, const AxisAssignment& assignment) const;

  const ComputationGraph& m_graph;
  const GraphCostOptions& m_options;
  std::vector<std::vector<std::size_t>> m_edges;     // by operator and tensor: how many
  std::vector<std::vector<std::uint16_t>> m_summed;  // by operator and tensor: dimensions that leave partial sums
  std::vector<double> m_elements;                    // by edge, of its whole tensor
  double m_bucket = 0;                               // elements of a bucket of gradients
  BackwardNeeds m_needs;
};

/// Returns whether the pricing of a problem continues. Called once when all domains have their costs, and again after
/// each table, with the number of tables priced so far; the others are empty.
using TabulationWatcher = std::function<bool(const MappedProblem&, std::size_t tables)>;

/// The cost tables on one mesh, in seconds per training step; equal operators and equal edges share tables. Vertices
/// without an allowed configuration have an empty domain: see isPossible(); the tables are then empty. Where `goesOn`
/// says no, the problem is incomplete. Errors: more than kMostTableCells, cancelled, errors of the pricer.
[[nodiscard]] Result<MappedProblem> mappedProblem(const MappedGraph& graph, const Mesh& mesh,
                                                  const MappedLimits& limits, MeshPricer& pricer,
                                                  std::stop_token stop = {}, const TabulationWatcher& goesOn = {});
/// Whether every vertex has a configuration.
[[nodiscard]] bool isPossible(const MappedProblem& mapped);

}  // namespace p2::inline mapping
