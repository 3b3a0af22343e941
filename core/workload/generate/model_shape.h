// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace p2::inline workload {

/// The parts of a transformer's shape that decide its communication. Sizes in elements. A value of 0 means the default:
/// see each.
struct ModelShape {
  std::string name = {};
  std::int64_t layers = 0;      ///< L
  std::int64_t hidden = 0;      ///< h
  std::int64_t ffn = 0;         ///< f, of a dense layer
  std::int64_t heads = 0;       ///< a
  std::int64_t kvHeads = 0;     ///< g; 0 for as many as heads
  std::int64_t headSize = 0;    ///< d_h; 0 for h/a
  std::int64_t vocabulary = 0;  ///< V

  std::int64_t experts = 0;          ///< E, routed ones of a layer; 0 for a dense model
  std::int64_t expertsPerToken = 0;  ///< k
  std::int64_t expertFfn = 0;        ///< f_e; 0 for f
  std::int64_t sharedFfn = 0;        ///< elements inside all shared experts of a layer
  std::int64_t denseLayers = 0;      ///< how many layers come before the first with experts
  std::int64_t expertStep = 0;       ///< period of layers with experts: the last of each; 0 and 1 for all
  std::int64_t expertGroups = 0;     ///< into which the experts are cut; 0 for one on every node
  std::int64_t groupsPerToken = 0;   ///< that a token goes to at most; 0 for no limit
  double routerScale = 0;            ///< factor of the routed experts' output, for launch flags alone; 0 for 1
  double auxiliaryLoss = 0;  ///< weight of the loss that balances experts, for launch flags alone; 0: not stated
  bool routerBias = false;   ///< whether the router has a number of its own for every expert
  bool sharedGate = false;   ///< whether the shared experts have a gate

  bool gatedMlp = true;         ///< three matrices in an MLP (SwiGLU), else two
  bool biases = false;          ///< matrices and norms have them, as in GPT
  bool matrixBiases = false;    ///< matrices have them, norms do not, as in gpt-oss
  bool qkvBias = false;         ///< of queries, keys and values alone, as in Qwen2
  bool qkNorm = false;          ///< norms of d_h for queries and keys, as in Qwen3
  bool wideQkNorm = false;      ///< norms of a·d_h for queries and of g·d_h for keys, as in OLMo 2
  bool postNorms = false;       ///< norms after attention and MLP in addition to those before them, as in Gemma 2
  bool sinks = false;           ///< a number of every head that attention may go to, as in gpt-oss
  bool tiedEmbeddings = false;  ///< whether the head is the embedding
  bool finalNorm = true;        ///< whether there is a norm before the head
  double normEpsilon = 0;       ///< added to variances in norms, for launch flags alone; 0 where it is not stated
  std::int64_t positions = 0;   ///< learned position embeddings; 0 for rotary ones
  std::int64_t rotaryBase = 0;  ///< base of rotary positions, for launch flags alone; 0 where it is not stated
  double rotaryShare = 0;       ///< share of a head's dimensions that rotate, for launch flags alone; 0 for all

  // Longer contexts than rotary positions were trained on, for launch flags alone.
  double ropeFactor =
      0;  ///< by which positions are stretched: YaRN with latent attention, else as in Llama 3.1; 0: none
  double ropeMagnitude = 0;  ///< mscale and mscale_all_dim of YaRN; 0 where they are not stated or differ

  // Attention that looks back over a part of the sequence; window 0 for none.
  std::int64_t window = 0;        ///< tokens that one attends to at most, itself among them
  std::int64_t windowStep = 0;    ///< period of layers without a window: the last of each; 0: all layers have it
  std::int64_t windowLayers = 0;  ///< how many layers have it where they have no period; 0 for the period's
  bool windowChunks = false;      ///< tokens attend within chunks of that size, as in Llama 4

  // Multi-head latent attention (DeepSeek-V2); kvRank 0 for none.
  std::int64_t qRank = 0;      ///< rank of the compressed queries; 0 for none
  std::int64_t kvRank = 0;     ///< rank of the compressed keys and values
  std::int64_t ropeSize = 0;   ///< elements of a head's rotary part
  std::int64_t nopeSize = 0;   ///< elements of a head's other part
  std::int64_t valueSize = 0;  ///< elements of a head's values

  // Models whose layers differ, as their mean.
  std::int64_t mixerParameters = 0;  ///< of attention or the block in its place, with its norms; 0 for the heads' own
  std::int64_t otherParameters = 0;  ///< neither in layers nor in embedding, head or last norm
  /// Blocks that some layers have in the place of attention or next to it, with commas: "Mamba-2 blocks".
  std::string otherBlocks = {};

  [[nodiscard]] bool hasMatrixBiases() const { return biases || matrixBiases; }
  friend bool operator==(const ModelShape&, const ModelShape&) = default;
};

/// The shape with all defaults filled in.
[[nodiscard]] ModelShape resolved(ModelShape shape);
/// Missing values and those out of range; the error's position is the field's key, as in modelFields(). All parameter
/// counts of an accepted shape fit into 56 bits.
[[nodiscard]] Result<void> checkModel(const ModelShape& shape);

/// Number of the first `layers` layers that have experts.
[[nodiscard]] std::int64_t expertLayers(const ModelShape& shape, std::int64_t layers);
/// Number of layers whose attention has a window.
[[nodiscard]] std::int64_t windowedLayers(const ModelShape& shape);
/// Tokens of a sequence over which causal attention without a window is as much work as this model's, in the mean of
/// its layers. A window of w tokens in a sequence of s leaves w·s − w²/2 of s²/2 pairs, chunks of w leave w·s/2.
[[nodiscard]] double attendedTokens(const ModelShape& shape, std::int64_t sequence);
/// Number of all layers without experts.
[[nodiscard]] std::int64_t denseLayers(const ModelShape& shape);

// Numbers of parameters, of shapes that are resolved and checked.

/// Parameters of one layer's norms: 2h, twice that with biases, twice that with norms behind attention and MLP.
[[nodiscard]] std::int64_t normParameters(const ModelShape& shape);
/// A dense layer: W = 2h·a·d_h + 2h·g·d_h + 3hf + 2h for LLaMA, 12h² + 13h for GPT (arXiv 2104.04473, eq. 2).
[[nodiscard]] std::int64_t denseLayerParameters(const ModelShape& shape);
/// Parameters of a layer with experts without its routed experts: attention, norms, router and shared experts.
[[nodiscard]] std::int64_t sharedLayerParameters(const ModelShape& shape);
/// Parameters of one routed expert: 3h·f_e.
[[nodiscard]] std::int64_t expertParameters(const ModelShape& shape);
/// Parameters of attention in one layer, or of the block in its place.
[[nodiscard]] std::int64_t attentionParameters(const ModelShape& shape);
/// Parameters of embeddings, head and final norm, 2Vh + h, and the other parameters of the model.
[[nodiscard]] std::int64_t embeddingParameters(const ModelShape& shape);
/// Parameters of the whole model.
[[nodiscard]] std::int64_t modelParameters(const ModelShape& shape);
/// Parameters that one token uses: all of them, but only k of E routed experts.
[[nodiscard]] std::int64_t activeParameters(const ModelShape& shape);

/// Elements of one token's keys and values over all heads, 2g·d_h, and of its queries, a·d_h.
[[nodiscard]] std::int64_t keyValueSize(const ModelShape& shape);
[[nodiscard]] std::int64_t querySize(const ModelShape& shape);

}  // namespace p2::inline workload
