// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "workload/generate/model_shape.h"

namespace p2::inline training {

/// A kind of layer or block of a model.
enum class ModelPartKind {
  Embedding,  ///< of tokens and learned positions
  Attention,  ///< its matrices, or the blocks in its place
  Scores,     ///< products of queries, keys and values, which have no parameters
  Mlp,        ///< of dense layers
  Experts,    ///< routed ones
  Shared,     ///< routers and shared experts
  Norms,
  Head,
  Other,  ///< the remainder of models whose layers differ
};

/// All blocks of one kind together.
struct ModelPart {
  ModelPartKind kind = ModelPartKind::Embedding;
  std::int64_t layers = 0;  ///< that have the block; 0 where the model has it once
  double parameters = 0;
  double active = 0;  ///< parameters that a token uses
  double flop = 0;    ///< per token, forward and backward
};

/// The parts of a model that is resolved and checked, in the order of the data; none that has neither parameters nor
/// work. Parameters add up to modelParameters(), FLOP to modelFlop() of a token of such a sequence with causal
/// attention.
[[nodiscard]] std::vector<ModelPart> modelParts(const ModelShape& model, std::int64_t sequence);

}  // namespace p2::inline training
