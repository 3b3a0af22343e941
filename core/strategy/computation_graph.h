// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline strategy {

/// Computation of an operator. The kind decides how much work a point of the iteration domain is (operator_costs.h).
enum class OperatorKind {
  Gemm,  ///< fully connected, matrix product: m × n × k
  Convolution,
  Attention,  ///< scaled dot products of queries, keys and values
  Embedding,
  Normalisation,
  Softmax,
  Loss,
  Pooling,
  Elementwise,
  Lstm,
  Concat,
  Split,
  Reshape,
  Experts,   ///< products of tokens with the matrix of the expert they are dispatched to: one gemm for every expert
  Dispatch,  ///< copies tokens to the experts they are routed to: a number of rows for every expert
  Combine,   ///< adds up the weighted outputs of a token's experts
  Share,     ///< hands one tensor to several operators: see withSharedTensors()
};

inline constexpr std::size_t kOperatorKinds = 17;

/// "gemm", "convolution", …, and the kind of a name; the error lists the names.
[[nodiscard]] std::string_view nameOf(OperatorKind kind);
[[nodiscard]] Result<OperatorKind> operatorKindFrom(std::string_view name);

/// A named dimension of an operator's iteration domain.
struct Dimension {
  std::string name;
  std::int64_t size = 1;
  bool splittable = true;
  bool experts = false;  ///< counts experts, each with weights of its own
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// A tensor an operator reads, writes, learns or sums up, as the dimensions of the iteration domain it spans, outermost
/// first. Splitting a dimension it spans cuts it; splitting one that it does not span leaves partial sums of it.
struct Tensor {
  enum class Role {
    Input,
    Output,
    Parameter,
    Statistic,  ///< sums that every device needs, as the mean of a normalisation
  };
  std::string name;
  Role role = Role::Input;
  std::vector<std::size_t> dimensions;  ///< indices into the operator's
  /// Elements along each of them, where they are not the dimension's own size: a strided window, a flattened image.
  /// Empty when all are.
  std::vector<std::int64_t> sizes = {};
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// A node of a computation graph: an iteration domain, and the tensors that span dimensions of it.
struct Operator {
  std::string name;
  OperatorKind kind = OperatorKind::Elementwise;
  std::vector<Dimension> dimensions;
  std::vector<Tensor> tensors;
  bool causal = false;  ///< of Attention: every query sees its own and earlier keys alone

  /// Elements of a tensor along one of the dimensions it spans.
  [[nodiscard]] std::int64_t sizeAlong(const Tensor& tensor, std::size_t position) const {
    return tensor.sizes.empty() ? dimensions[tensor.dimensions[position]].size : tensor.sizes[position];
  }
  friend bool operator==(const Operator&, const Operator&) = default;
};

/// The dimension that counts experts, if there is one. Of Experts all tensors span it, of Dispatch the output and not
/// the first input, of Combine the first input and not the output.
[[nodiscard]] std::optional<std::size_t> expertDimension(const Operator& op);
/// Whether tokens are on their way to experts: Experts, Dispatch and Combine.
[[nodiscard]] bool isRouted(OperatorKind kind);

/// A computation graph: operators and the tensors that pass between them. Acyclic.
struct ComputationGraph {
  struct Edge {
    std::size_t from = 0;        ///< operators
    std::size_t fromTensor = 0;  ///< index into tensors of `from`, an output
    std::size_t to = 0;
    std::size_t toTensor = 0;  ///< index into tensors of `to`, an input
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::string name;
  std::string source;  ///< where the sizes come from, for people
  std::vector<Operator> operators;
  std::vector<Edge> edges;
  double elementBytes = 0;  ///< of one number of its tensors, where its source says so; otherwise 0
  /// Computations of the source that no operator counts, each in a few words: "Loop (2 times)".
  std::vector<std::string> unpriced = {};
  /// Assumptions about facts that the source leaves open, a sentence each.
  std::vector<std::string> assumed = {};
  friend bool operator==(const ComputationGraph&, const ComputationGraph&) = default;
};

/// Limits of a graph that is accepted.
inline constexpr std::size_t kMostOperators = 20'000;
inline constexpr std::size_t kMostDimensions = 12;  ///< of one operator
inline constexpr std::int64_t kMostDimensionSize = std::int64_t{1} << 40;

/// The graph itself when it is one: distinct names, positive sizes, consistent indices, one dimension that counts
/// experts where the kind has them, tensors of an edge that can be matched dimension by dimension, no cycle (names
/// one). Otherwise the mistake, with the JSON pointer of the place.
[[nodiscard]] Result<ComputationGraph> validated(ComputationGraph graph);

}  // namespace p2::inline strategy
