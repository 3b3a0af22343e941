// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: a model as the list of its blocks, for models whose layers differ.
#pragma once

#include <vector>

#include "workload/generate/model_families.h"
#include "workload/generate/model_shape.h"

namespace p2::inline workload {

/// The part of a layer in which tokens see each other.
enum class Mixer {
  Attention,        ///< by heads or latent, as the shape has it
  Window,           ///< attention with the sizes of ModelBlocks::window
  Global,           ///< attention with the sizes of ModelBlocks::global
  Mamba,            ///< state space, first version
  Mamba2,           ///< state space, second version
  AttentionMamba2,  ///< both side by side
  DeltaNet,         ///< gated delta rule (Qwen3-Next)
  KimiDelta,        ///< gated delta rule of Kimi Linear
  Lightning,        ///< linear attention of MiniMax-01
  ShortConvolution,
  None,
};

/// The other part of a layer.
enum class LayerMlp { Dense, Experts, None };

struct BlockLayer {
  Mixer mixer = Mixer::Attention;
  LayerMlp mlp = LayerMlp::Dense;
  std::int64_t kvHeads = 0;     ///< for this layer alone; 0 for the model's
  std::int64_t ffn = 0;         ///< elements inside the MLP of this layer alone; 0 for the model's
  std::int64_t compressed = 0;  ///< tokens that one key and value stand for; 0 without compression
  bool crosses = false;  ///< whether it attends to another sequence, with norms of queries and keys and two gates
  bool borrows = false;  ///< whether an earlier layer makes its keys and values
  bool hashed = false;   ///< whether a table chooses the experts, so that the router has no bias
  friend bool operator==(const BlockLayer&, const BlockLayer&) = default;
};

/// Heads of attention in some layers, where they differ from the others.
struct WindowSizes {
  std::int64_t heads = 0;
  std::int64_t kvHeads = 0;
  std::int64_t headSize = 0;
  std::int64_t valueSize = 0;
  bool sinks = false;
};

/// Sizes of blocks in addition to a shape's. Sizes in elements; 0 where a model has no such block.
struct ModelBlocks {
  ModelShape shape;  ///< layers, hidden size, heads, experts
  std::vector<BlockLayer> layers;
  WindowSizes window;
  WindowSizes global;                ///< for attention over all tokens, next to layers with windows
  bool globalKeysAreValues = false;  ///< whether one matrix makes the keys and the values of that attention
  std::int64_t valueHead = 0;        ///< elements of a head's values; 0 for as many as its keys
  std::int64_t indexHeads = 0;       ///< heads of the indexer that chooses tokens
  std::int64_t indexSize = 0;        ///< of one of its heads
  std::int64_t inner = 0;            ///< width of a Mamba block
  std::int64_t stateHeads = 0;       ///< heads of a Mamba-2 or delta block
  std::int64_t state = 0;            ///< elements of a Mamba block's state
  std::int64_t stateGroups = 1;      ///< that share its projections
  std::int64_t stepRank = 0;         ///< rank of a Mamba block's time step
  std::int64_t kernel = 0;           ///< width of convolutions
  std::int64_t keyHeads = 0;         ///< key heads of a DeltaNet block
  std::int64_t keySize = 0;          ///< of one of its key heads
  std::int64_t valueHeads = 0;
  std::int64_t valueSize = 0;
  std::int64_t latentExperts = 0;       ///< width inside the experts' projections; 0 for the hidden size
  std::int64_t perLayerSize = 0;        ///< width of the embedding that every layer has (Gemma 3n)
  std::int64_t perLayerVocabulary = 0;  ///< its tokens
  std::int64_t alternatives = 0;        ///< streams of AltUp
  std::int64_t laurelRank = 0;          ///< rank of the path around a layer
  std::int64_t zeroExperts = 0;         ///< experts without parameters, which the router knows
  std::int64_t queryRank = 0;           ///< elements of compressed queries in attention with such an output
  std::int64_t outputGroups = 0;        ///< of heads, which attention's output matrix takes apart (DeepSeek-V4)
  std::int64_t outputRank = 0;          ///< elements of each group's output; 0 for one matrix
  std::int64_t extraTokens = 0;         ///< tokens of the embedding beyond the vocabulary
  std::int64_t hyperStreams = 0;        ///< streams of hyper-connections; 0 for one residual stream
  bool outputBias = false;              ///< of attention
  bool projectionBias = false;          ///< whether matrices of Mamba blocks have biases
  bool kernelBias = false;              ///< of convolutions
  bool innerNorm = true;                ///< of Mamba-2 blocks
  bool mlpBias = false;
  bool headGate = false;  ///< attention's output has a gate per head
  std::uint32_t traits = 0;

  [[nodiscard]] bool has(ModelTrait trait) const { return (traits & static_cast<std::uint32_t>(trait)) != 0; }
};

/// Makes the blocks a shape with the same number of parameters: layers are as their mean, and the remainder is in
/// ModelShape::otherParameters. The model must pass checkModel().
[[nodiscard]] ModelShape shapeOfBlocks(const ModelBlocks& blocks);

}  // namespace p2::inline workload
