// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/model_blocks.h"

#include <algorithm>

namespace p2::inline workload {
namespace {

/// Its 64 bits of mantissa hold every accepted model exactly.
using Count = long double;

class Counter {
 public:
  explicit Counter(const ModelBlocks& blocks) : m_blocks(blocks), m_shape(blocks.shape) {}

  [[nodiscard]] Count model() const {
    const Count streams = of(m_blocks.hyperStreams);
    Count sum = embeddings() + (streams > 0 ? streams * (streams * h() + 1) + 1 : 0);
    for (const BlockLayer& layer : m_blocks.layers) sum += whole(layer);
    return sum;
  }

 private:
  [[nodiscard]] static Count of(std::int64_t value) { return static_cast<Count>(value); }
  [[nodiscard]] bool has(ModelTrait trait) const { return m_blocks.has(trait); }
  [[nodiscard]] Count h() const { return of(m_shape.hidden); }
  [[nodiscard]] Count norm(Count size) const {
    return has(ModelTrait::NoNorms) ? 0 : has(ModelTrait::NormBias) ? size * 2 : size;
  }

  [[nodiscard]] Count whole(const BlockLayer& layer) const {
    const bool own = layer.kvHeads > 0 && layer.mixer == Mixer::Attention;
    const Count mixing =
        own ? attention({m_shape.heads, layer.kvHeads, m_shape.headSize, m_blocks.valueHead, m_shape.sinks})
            : mixer(layer.mixer) - (layer.borrows ? borrowed(layer.mixer) : 0);
    const Count table = layer.hashed && m_shape.routerBias ? of(m_shape.experts) : 0;
    const Count crossing = layer.crosses ? of(m_shape.headSize) * 2 + 2 : 0;
    const Count more = compression(layer.compressed) + hyperConnections() + crossing - table;
    const Count local = layer.ffn > 0 && layer.mlp == LayerMlp::Dense ? matrices(layer.ffn, h()) : mlp(layer.mlp);
    if (!has(ModelTrait::DoubleLayer)) return mixing + local + norms(layer) + perLayerExtras() + more;
    return mixing * 2 + local + matrices(m_shape.ffn, h()) * 2 + norms(layer) * 2;
  }

  /// Gemma 3n: the embedding of a layer with its gate, LAuReL and AltUp.
  [[nodiscard]] Count perLayerExtras() const {
    const Count each = of(m_blocks.perLayerSize), streams = of(m_blocks.alternatives), rank = of(m_blocks.laurelRank);
    Count sum = each > 0 ? h() * each * 2 + h() : 0;
    if (rank > 0) sum += h() * rank * 2 + h();
    return streams > 0 ? sum + h() * streams + streams * streams + streams * streams * streams + h() * 2 : sum;
  }

  /// Two sets of weights of a layer that mix the streams: before, behind and among them (arXiv 2512.24880).
  [[nodiscard]] Count hyperConnections() const {
    const Count streams = of(m_blocks.hyperStreams), mixed = streams * (streams + 2);
    return streams > 0 ? (mixed * (streams * h() + 1) + 3) * 2 : 0;
  }

  /// DeepSeek-V4: compressed queries, one key that is also the value, and an output in groups.
  [[nodiscard]] Count groupedAttention() const {
    const Count wide = of(m_shape.heads) * of(m_shape.headSize), rank = of(m_blocks.queryRank),
                size = of(m_shape.headSize);
    const Count output = (wide + of(m_blocks.outputGroups) * h()) * of(m_blocks.outputRank);
    return rank * (h() + 1 + wide) + h() * size + size + output + of(m_shape.heads);
  }

  /// Gated sums of keys over windows, which overlap where an indexer chooses among them (DeepSeek-V4).
  [[nodiscard]] Count compression(std::int64_t tokens) const {
    if (tokens <= 0) return 0;
    const bool chosen = tokens <= kMostChosen && m_blocks.indexHeads > 0;
    const Count overlap = chosen ? 2 : 1, size = of(m_shape.headSize);
    const Count keys = (h() * 2 + of(tokens)) * overlap * size + size;
    if (!chosen) return keys;
    const Count heads = of(m_blocks.indexHeads), small = of(m_blocks.indexSize);
    return keys + (h() * 2 + of(tokens)) * 2 * small + small + of(m_blocks.queryRank) * heads * small + h() * heads;
  }
  static constexpr std::int64_t kMostChosen = 16;

  [[nodiscard]] Count mixer(Mixer kind) const {
    switch (kind) {
      case Mixer::Attention:
        if (m_blocks.outputRank > 0) return groupedAttention();
        return m_shape.kvRank > 0
                   ? latent() + indexer()
                   : attention({m_shape.heads, m_shape.kvHeads, m_shape.headSize, m_blocks.valueHead, m_shape.sinks});
      case Mixer::Window:
        return attention(m_blocks.window);
      case Mixer::Global:
        return attention(m_blocks.global) - (m_blocks.globalKeysAreValues ? h() * keySize(m_blocks.global) : 0);
      case Mixer::Mamba:
        return mamba();
      case Mixer::Mamba2:
        return mamba2();
      case Mixer::AttentionMamba2:
        return mixer(Mixer::Attention) + mamba2();
      case Mixer::DeltaNet:
        return deltaNet();
      case Mixer::KimiDelta:
        return kimiDelta();
      case Mixer::Lightning:
        return lightning();
      case Mixer::ShortConvolution:
        return h() * h() * 4 + h() * of(m_blocks.kernel) + (m_blocks.kernelBias ? h() * 5 : 0);
      case Mixer::None:
        break;
    }
    return 0;
  }

  [[nodiscard]] Count attention(const WindowSizes& sizes) const {
    const Count heads = of(sizes.heads), size = of(sizes.headSize);
    const Count valueSize = of(sizes.valueSize > 0 ? sizes.valueSize : sizes.headSize);
    const Count keys = of(sizes.kvHeads) * size, values = of(sizes.kvHeads) * valueSize;
    const Count queries = heads * size * (has(ModelTrait::QueryGate) ? 2 : 1), output = heads * valueSize;
    Count sum = h() * (queries + keys + values + output);
    if (m_shape.qkvBias || m_shape.hasMatrixBiases()) sum += queries + keys + values;
    if (m_blocks.outputBias || m_shape.hasMatrixBiases()) sum += h();
    if (m_shape.qkNorm) sum += norm(size) * 2;
    if (m_shape.wideQkNorm) sum += norm(heads * size) + norm(keys);
    if (sizes.sinks) sum += heads;
    if (m_blocks.headGate) sum += h() * heads;
    if (has(ModelTrait::ElementGate)) sum += h() * output;
    return sum + (has(ModelTrait::SubNorms) ? h() : 0);
  }

  [[nodiscard]] static Count keySize(const WindowSizes& sizes) { return of(sizes.kvHeads) * of(sizes.headSize); }

  /// Matrices of keys and values and a norm, which a layer lacks that takes them from an earlier one.
  [[nodiscard]] Count borrowed(Mixer kind) const {
    const bool global = kind == Mixer::Global;
    const WindowSizes own{m_shape.heads, m_shape.kvHeads, m_shape.headSize, 0, false};
    const WindowSizes& sizes = global ? m_blocks.global : own;
    const int matrices = global && m_blocks.globalKeysAreValues ? 1 : 2;
    return h() * keySize(sizes) * matrices + (m_shape.qkNorm ? norm(of(sizes.headSize)) : 0);
  }

  [[nodiscard]] Count latent() const {
    const Count a = of(m_shape.heads), keySize = of(m_shape.nopeSize + m_shape.ropeSize), rank = of(m_shape.qRank);
    const Count queries = m_shape.qRank == 0 ? h() * a * keySize : rank * (h() + 1 + a * keySize);
    const Count down = h() * of(m_shape.kvRank + m_shape.ropeSize) + of(m_shape.kvRank);
    const Count biases = m_blocks.outputBias ? rank + of(m_shape.kvRank + m_shape.ropeSize) + h() : 0;
    return queries + down + of(m_shape.kvRank) * a * of(m_shape.nopeSize + m_shape.valueSize) +
           a * of(m_shape.valueSize) * h() + biases;
  }

  /// Queries from the compressed ones, one key with its norm, and a weight of every head.
  [[nodiscard]] Count indexer() const {
    const Count heads = of(m_blocks.indexHeads), size = of(m_blocks.indexSize);
    if (heads == 0) return 0;
    const Count from = m_shape.qRank > 0 ? of(m_shape.qRank) : h();
    return from * heads * size + h() * size + size * 2 + h() * heads;
  }

  [[nodiscard]] Count mamba() const {
    const Count d = of(m_blocks.inner), n = of(m_blocks.state), r = of(m_blocks.stepRank);
    Count sum = h() * d * 2 + d * of(m_blocks.kernel) + d * (r + n * 2) + r * d + d + d * n + d + d * h();
    if (m_blocks.kernelBias) sum += d;
    if (m_blocks.projectionBias) sum += d * 2 + h();
    return sum + (has(ModelTrait::InnerNorms) ? r + n * 2 : 0);
  }

  [[nodiscard]] Count mamba2() const {
    const Count d = of(m_blocks.inner), heads = of(m_blocks.stateHeads);
    const Count convolved = d + of(m_blocks.stateGroups) * of(m_blocks.state) * 2;
    Count sum = h() * (d + convolved + heads) + convolved * of(m_blocks.kernel) + heads * 3 + d * h();
    if (m_blocks.kernelBias) sum += convolved;
    if (m_blocks.projectionBias) sum += d + convolved + heads + h();
    return sum + (m_blocks.innerNorm ? d : 0);
  }

  [[nodiscard]] Count deltaNet() const {
    const Count keys = of(m_blocks.keyHeads) * of(m_blocks.keySize), heads = of(m_blocks.valueHeads);
    const Count values = heads * of(m_blocks.valueSize);
    return h() * (keys * 2 + values * 2) + h() * heads * 2 + (keys * 2 + values) * of(m_blocks.kernel) + heads * 2 +
           of(m_blocks.valueSize) + values * h();
  }

  [[nodiscard]] Count kimiDelta() const {
    const Count heads = of(m_blocks.stateHeads), size = of(m_blocks.valueSize), wide = heads * size;
    return h() * wide * 4 + wide * of(m_blocks.kernel) * 3 + heads + (h() * size + size * wide) * 2 + wide +
           h() * heads + size;
  }

  [[nodiscard]] Count lightning() const {
    const Count wide = of(m_shape.heads) * of(m_shape.headSize);
    return h() * wide * 5 + wide;
  }

  [[nodiscard]] Count matrices(std::int64_t size, Count outside) const {
    const Count f = of(size), inward = m_shape.gatedMlp ? 2 : 1;
    const bool biased = m_blocks.mlpBias || m_shape.hasMatrixBiases();
    return outside * f * (inward + 1) + (biased ? f * inward + outside : 0);
  }

  [[nodiscard]] Count sharedMlp() const {
    if (m_shape.sharedFfn == 0) return 0;
    return matrices(m_shape.sharedFfn, h()) + (m_shape.sharedGate ? h() : 0);
  }

  [[nodiscard]] Count mlp(LayerMlp kind) const {
    const bool shared = has(ModelTrait::SharedEverywhere);
    if (kind == LayerMlp::None) return 0;
    if (kind == LayerMlp::Dense) {
      return shared ? sharedMlp() : matrices(m_shape.ffn, h()) + (has(ModelTrait::SubNorms) ? of(m_shape.ffn) : 0);
    }
    const Count routed = of(m_shape.experts + m_blocks.zeroExperts);
    const Count experts = of(m_shape.experts), latent = of(m_blocks.latentExperts);
    const Count each = matrices(m_shape.expertFfn > 0 ? m_shape.expertFfn : m_shape.ffn, latent > 0 ? latent : h());
    // Three norms around experts and MLP, and the scales of the router's input and of the experts.
    const Count next = has(ModelTrait::ExpertsAndMlp) ? norm(h()) * 3 + h() + experts : 0;
    return next + experts * each + routed * (h() + (m_shape.routerBias ? 1 : 0)) + sharedMlp() + h() * latent * 2;
  }

  [[nodiscard]] Count norms(const BlockLayer& layer) const {
    const bool one = has(ModelTrait::OneNorm) || has(ModelTrait::OneBlock);
    // A layer without attention or without an MLP has no norm for it.
    const int missing = one ? 0 : (layer.mixer == Mixer::None ? 1 : 0) + (layer.mlp == LayerMlp::None ? 1 : 0);
    const int count = has(ModelTrait::FourNorms) ? 4 : one ? 1 : 2 - missing;
    return norm(h()) * count + (has(ModelTrait::SlopePair) ? 2 : 0);
  }

  [[nodiscard]] Count embeddings() const {
    const Count vocabulary = of(m_shape.vocabulary);
    const Count each = of(m_blocks.perLayerSize), all = each * of(m_shape.layers), streams = of(m_blocks.alternatives);
    const Count perLayer = each > 0 ? of(m_blocks.perLayerVocabulary) * all + h() * all + each : 0;
    const Count altUp = streams > 0 ? (streams - 1) * h() * h() * 2 : 0;
    return (vocabulary * (m_shape.tiedEmbeddings ? 1 : 2) + of(m_blocks.extraTokens)) * h() +
           of(m_shape.positions) * h() + norm(h()) * (has(ModelTrait::EmbeddingNorm) ? 2 : 1) + perLayer + altUp +
           (has(ModelTrait::HeadBias) ? vocabulary : 0);
  }

  const ModelBlocks& m_blocks;
  const ModelShape& m_shape;
};

}  // namespace

ModelShape shapeOfBlocks(const ModelBlocks& blocks) {
  ModelBlocks known = blocks;
  known.shape = resolved(blocks.shape);
  const auto all = static_cast<std::int64_t>(Counter(known).model());
  ModelShape shape = blocks.shape;
  const auto missing = [&] { return all - modelParameters(resolved(shape)); };
  if (missing() == 0) return shape;
  shape = known.shape;
  // Where layers have no MLP the mean is smaller.
  const auto dense = std::count_if(blocks.layers.begin(), blocks.layers.end(),
                                   [](const BlockLayer& layer) { return layer.mlp == LayerMlp::Dense; });
  const std::int64_t others = denseLayers(shape);
  if (others > dense) shape.ffn = std::max<std::int64_t>(1, shape.ffn * dense / others);
  // Experts inside projections to a smaller width.
  if (blocks.latentExperts > 0 && blocks.latentExperts < shape.hidden && shape.experts > 0) {
    const std::int64_t inside = shape.expertFfn > 0 ? shape.expertFfn : shape.ffn;
    shape.expertFfn = std::max<std::int64_t>(1, inside * blocks.latentExperts / shape.hidden);
  }
  const std::int64_t rest = missing();
  const std::int64_t each = rest / shape.layers - (rest % shape.layers < 0 ? 1 : 0);
  shape.mixerParameters = std::max<std::int64_t>(1, attentionParameters(shape) + each);
  shape.otherParameters = missing();
  return shape;
}

}  // namespace p2::inline workload
