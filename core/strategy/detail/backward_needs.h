// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "strategy/computation_graph.h"

namespace p2::inline strategy {

/// Operators that the backward pass runs forward again, instead of finding their outputs in memory.
enum class Recomputation {
  None,
  /// All but products (gemm, convolution, lstm, experts), embeddings, dispatch and combine: attention, normalisations,
  /// softmax, pooling and element-wise operators.
  Selective,
  /// All, layer by layer: only the input of every layer is kept.
  Full,
};
/// Names in the order of the enumerators.
inline constexpr std::array<std::string_view, 3> kRecomputationNames{"none", "selective", "full"};
[[nodiscard]] constexpr std::string_view nameOf(Recomputation recomputation) {
  return kRecomputationNames[static_cast<std::size_t>(recomputation)];
}
/// The recomputation of a name; the error lists the names.
[[nodiscard]] Result<Recomputation> recomputationFrom(std::string_view name);

/// Whether an operator runs forward a second time.
[[nodiscard]] bool isRecomputed(OperatorKind kind, Recomputation recomputation);

/// The tensors of a graph that are kept from the forward to the backward pass, and those that move a second time.
///
/// A tensor is kept if a reader's gradients depend on it (inputs of products, normalisations and attention, logits, the
/// input of an element-wise operator with one input; a sum needs none of its inputs), or if an operator that reads it
/// is recomputed. Outputs of recomputed operators are not kept. It is kept in the layout of the operator that puts it
/// out, and moves to its reader a second time, as sequence parallelism gathers inputs again (Korthikanti et al., arXiv
/// 2205.05198); outputs of products, embeddings, dispatch and combine are kept in the layout of their readers, after
/// their partial sums are summed up or scattered and tokens are with their experts.
///
/// Full recomputation keeps the input of every layer. A layer is the part between two places that one tensor passes; of
/// parts that repeat as a sequence, the sequence.
class BackwardNeeds {
 public:
  struct Need {
    std::int64_t keptBy = 0;     ///< n: an operator's part is one n-th, because n readers keep one copy; 0: not kept
    std::int64_t rebuiltBy = 0;  ///< as keptBy, while the layer is recomputed; 0 but for full recomputation
    bool movesAgain = false;     ///< an input that the backward pass moves along its edge again
  };

  /// A valid graph. O(operators + edges).
  BackwardNeeds(const ComputationGraph& graph, Recomputation recomputation);

  /// By tensor of the operator.
  [[nodiscard]] const std::vector<Need>& of(std::size_t op) const { return m_needs[op]; }
  /// The layers that full recomputation rebuilds one after the other, 1 or more; 1 for others.
  [[nodiscard]] std::int64_t layers() const { return m_layers; }
  /// The needs of an operator as numbers, for those that cost the same.
  void addTo(std::vector<std::int64_t>& likeness, std::size_t op) const;

 private:
  std::vector<std::vector<Need>> m_needs;  // by operator and tensor
  std::int64_t m_layers = 1;
};

}  // namespace p2::inline strategy
