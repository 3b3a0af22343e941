// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "strategy/computation_graph.h"

namespace p2::inline pipeline {

/// The part of a graph that one stage of a pipeline computes, as a graph of its own. Two extra operators that compute
/// nothing stand for its ends: one puts out the tensor from the stage before, one reads the tensor for the next.
struct StageGraph {
  ComputationGraph graph;
  std::vector<std::size_t> operators;   ///< in the whole graph, by vertex; the ends come after them
  std::optional<std::size_t> receives;  ///< the vertex that puts out the tensor from the stage before
  std::optional<std::size_t> sends;     ///< the vertex that reads the tensor for the next stage
  [[nodiscard]] bool isEnd(std::size_t vertex) const { return vertex == receives || vertex == sends; }
  /// Whether a gradient goes back to the stage before.
  [[nodiscard]] bool sendsBack() const;
};

/// Largest number of pieces that stages are made of; a graph with more has an order only.
inline constexpr std::size_t kMostPieces = 1024;

/// A graph as a pipeline can cut it: its operators in an order in which each comes after those that it reads (the
/// graph's own where that is one), in pieces between the places that one tensor at most passes.
class PipelineChain {
 public:
  /// A valid graph, which must outlive this. O(operators + edges + pieces · (pieces + edges)).
  explicit PipelineChain(const ComputationGraph& graph);
  explicit PipelineChain(ComputationGraph&& graph) = delete;

  [[nodiscard]] const ComputationGraph& graph() const { return m_graph; }
  [[nodiscard]] std::size_t pieces() const { return m_starts.size() - 1; }
  /// Pieces of one kind cost the same: equal operators, edges and tensors at either end.
  [[nodiscard]] std::size_t kindOf(std::size_t piece) const { return m_kinds[piece]; }
  /// As kindOf(), for the pieces [first, end), one or more.
  [[nodiscard]] std::size_t shapeOf(std::size_t first, std::size_t end) const {
    return m_shapes[first][end - first - 1];
  }
  [[nodiscard]] std::size_t shapes() const { return m_shapeCount; }
  [[nodiscard]] StageGraph stageOf(std::size_t first, std::size_t end) const;

  /// Cuts that give every stage equal numbers of layers, the pieces that repeat: stages + 1 numbers of pieces, 0 first.
  /// Pieces before the layers belong to the first stage, pieces after them to the last. Errors: nothing repeats, or
  /// not a multiple of `stages` times.
  [[nodiscard]] Result<std::vector<std::size_t>> evenCuts(std::int64_t stages) const;

 private:
  /// An output that an operator behind a place reads: operator and tensor.
  using Port = std::pair<std::size_t, std::size_t>;

  void putInOrder();
  void cutApart();
  void numberKinds();
  void numberShapes();
  [[nodiscard]] std::vector<std::int64_t> likenessOf(std::size_t piece) const;

  const ComputationGraph& m_graph;
  std::vector<std::size_t> m_order;            ///< operators
  std::vector<std::size_t> m_positions;        ///< of every operator in the order
  std::vector<std::size_t> m_starts;           ///< of every piece in the order, and its end
  std::vector<std::optional<Port>> m_passing;  ///< at the start of every piece, and at the end
  std::vector<std::size_t> m_kinds;
  std::vector<std::vector<std::size_t>> m_shapes;  ///< by first piece and number of pieces − 1
  std::size_t m_shapeCount = 0;
};

}  // namespace p2::inline pipeline
