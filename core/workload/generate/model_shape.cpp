// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/model_shape.h"

#include <algorithm>

#include "base/counted.h"
#include "workload/generate/fields.h"
#include "workload/workload.h"

namespace p2::inline workload {
namespace {

/// The counts in whole numbers, and in doubles to learn whether they fit.
template <class N>
struct Parameters {
  explicit Parameters(const ModelShape& s) : shape(s) {}

  [[nodiscard]] static N of(std::int64_t value) { return static_cast<N>(value); }
  [[nodiscard]] N matrix(N in, N out) const { return in * out + (shape.hasMatrixBiases() ? out : N{0}); }
  [[nodiscard]] N norm(N size) const { return shape.biases ? size * 2 : size; }

  [[nodiscard]] N latentAttention() const {
    const N h = of(shape.hidden), a = of(shape.heads), keySize = of(shape.nopeSize + shape.ropeSize);
    const N queries = shape.qRank == 0 ? h * a * keySize : of(shape.qRank) * (h + 1 + a * keySize);
    const N down = h * of(shape.kvRank + shape.ropeSize) + of(shape.kvRank);
    return queries + down + of(shape.kvRank) * a * of(shape.nopeSize + shape.valueSize) + a * of(shape.valueSize) * h;
  }
  [[nodiscard]] N attention() const {
    if (shape.mixerParameters > 0) return of(shape.mixerParameters);
    if (shape.kvRank > 0) return latentAttention();
    const N h = of(shape.hidden), queries = of(shape.heads) * of(shape.headSize);
    const N keys = of(shape.kvHeads) * of(shape.headSize);
    const N biases = shape.qkvBias && !shape.hasMatrixBiases() ? queries + keys * 2 : N{0};
    const N norms =
        (shape.qkNorm ? norm(of(shape.headSize)) * 2 : N{0}) + (shape.wideQkNorm ? norm(queries) + norm(keys) : N{0});
    const N sinks = shape.sinks ? of(shape.heads) : N{0};
    return matrix(h, queries) + matrix(h, keys) * 2 + matrix(queries, h) + biases + norms + sinks;
  }
  [[nodiscard]] N mlp(std::int64_t size) const {
    const N h = of(shape.hidden), f = of(size);
    return matrix(h, f) * (shape.gatedMlp ? 2 : 1) + matrix(f, h);
  }
  [[nodiscard]] N norms() const { return norm(of(shape.hidden)) * (shape.postNorms ? 4 : 2); }
  [[nodiscard]] N denseLayer() const { return attention() + mlp(shape.ffn) + norms(); }
  [[nodiscard]] N expert() const { return mlp(shape.expertFfn); }
  [[nodiscard]] N sharedLayer() const {
    const N h = of(shape.hidden), experts = of(shape.experts);
    const N shared = shape.sharedFfn > 0 ? mlp(shape.sharedFfn) + (shape.sharedGate ? h : N{0}) : N{0};
    return attention() + norms() + h * experts + (shape.routerBias ? experts : N{0}) + shared;
  }
  [[nodiscard]] N embeddings() const {
    const N h = of(shape.hidden);
    return of(shape.vocabulary) * h * (shape.tiedEmbeddings ? 1 : 2) + of(shape.positions) * h +
           (shape.finalNorm ? norm(h) : N{0}) + of(shape.otherParameters);
  }
  [[nodiscard]] N model() const {
    N sum = of(denseLayers(shape)) * denseLayer() + embeddings();
    const std::int64_t routed = expertLayers(shape, shape.layers);
    if (routed > 0) sum += of(routed) * (sharedLayer() + of(shape.experts) * expert());
    return sum;
  }

  const ModelShape& shape;
};

constexpr double kMostParameters = 72057594037927936.0;  // 2^56

Error modelError(std::string message, const char* key) { return Error{std::move(message)}.at(key); }

Result<void> checkExperts(const ModelShape& shape) {
  if (shape.experts == 0) return {};
  if (shape.expertsPerToken < 1 || shape.expertsPerToken > shape.experts) {
    return modelError("a token cannot go to " + std::to_string(shape.expertsPerToken) + " of " +
                          countedText(shape.experts, "expert") + "; use 1 to all of them",
                      "experts_per_token");
  }
  const ExpertRouting routing{shape.experts, shape.expertsPerToken, shape.groupsPerToken, shape.expertGroups};
  if (const auto groups = checkExpertGroups(routing); !groups.ok()) {
    return modelError(groups.error().message, "expert_groups");
  }
  if (shape.denseLayers < shape.layers && expertLayers(shape, shape.layers) == 0) {
    return modelError("none of " + countedText(shape.layers, "layer") + " has experts if one of " +
                          std::to_string(shape.expertStep) + " has; use a smaller step",
                      "expert_step");
  }
  if (shape.denseLayers <= shape.layers) return {};
  return modelError(std::to_string(shape.denseLayers) + " dense layers are more than the " +
                        std::to_string(shape.layers) + " there are; use fewer",
                    "dense_layers");
}

}  // namespace

ModelShape resolved(ModelShape shape) {
  if (shape.kvHeads == 0) shape.kvHeads = shape.heads;
  if (shape.headSize == 0 && shape.heads > 0) shape.headSize = shape.hidden / shape.heads;
  if (shape.experts > 0 && shape.expertFfn == 0) shape.expertFfn = shape.ffn;
  if (shape.experts > 0 && shape.ffn == 0) shape.ffn = shape.expertFfn;
  return shape;
}

Result<void> checkModel(const ModelShape& asked) {
  const ModelShape shape = resolved(asked);
  for (const Property<ModelShape>& field : modelFields()) {
    const PropertyInfo& info = field.info;
    if (info.kind != PropertyKind::Whole) continue;
    const std::int64_t value = std::get<std::int64_t>(field.get(shape));
    if (static_cast<double>(value) >= info.least && static_cast<double>(value) <= info.most) continue;
    const std::string is = value == 0 ? " is missing" : " is " + std::to_string(value);
    return Error{"the value of " + std::string(info.key) + is + "; use " + rangeText(info)}.at(std::string(info.key));
  }
  if (shape.heads % shape.kvHeads != 0) {
    return modelError(countedText(shape.heads, "head") + " cannot share " + std::to_string(shape.kvHeads) +
                          " of keys and values evenly; use a divisor",
                      "kv_heads");
  }
  if (shape.qkNorm && shape.wideQkNorm) {
    return modelError("queries and keys have norms of every head or over all heads, not both; set one", "wide_qk_norm");
  }
  P2_TRY(checkExperts(shape));
  if (shape.kvRank > 0 && (shape.nopeSize + shape.ropeSize < 1 || shape.valueSize < 1)) {
    return modelError("latent attention needs the sizes of a head's parts; give rope_size, nope_size and value_size",
                      "kv_rank");
  }
  if (Parameters<double>(shape).model() <= kMostParameters) return {};
  return modelError("the model has over 2^56 parameters; use smaller sizes", "layers");
}

std::int64_t expertLayers(const ModelShape& shape, std::int64_t layers) {
  if (shape.experts == 0 || layers <= shape.denseLayers) return 0;
  const std::int64_t step = std::max<std::int64_t>(shape.expertStep, 1);
  return layers / step - shape.denseLayers / step;
}

std::int64_t windowedLayers(const ModelShape& shape) {
  if (shape.window == 0) return 0;
  if (shape.windowLayers > 0) return std::min(shape.windowLayers, shape.layers);
  return shape.windowStep > 0 ? shape.layers - shape.layers / shape.windowStep : shape.layers;
}

double attendedTokens(const ModelShape& shape, std::int64_t sequence) {
  const auto all = static_cast<double>(sequence);
  const auto window = static_cast<double>(shape.window);
  if (shape.window == 0 || window >= all) return all;
  const double inside = shape.windowChunks ? window : 2 * window - window * window / all;
  const double share = static_cast<double>(windowedLayers(shape)) / static_cast<double>(shape.layers);
  return share * inside + (1 - share) * all;
}

std::int64_t denseLayers(const ModelShape& shape) { return shape.layers - expertLayers(shape, shape.layers); }

std::int64_t attentionParameters(const ModelShape& shape) { return Parameters<std::int64_t>(shape).attention(); }
std::int64_t normParameters(const ModelShape& shape) { return Parameters<std::int64_t>(shape).norms(); }
std::int64_t denseLayerParameters(const ModelShape& shape) { return Parameters<std::int64_t>(shape).denseLayer(); }
std::int64_t sharedLayerParameters(const ModelShape& shape) { return Parameters<std::int64_t>(shape).sharedLayer(); }
std::int64_t expertParameters(const ModelShape& shape) { return Parameters<std::int64_t>(shape).expert(); }
std::int64_t embeddingParameters(const ModelShape& shape) { return Parameters<std::int64_t>(shape).embeddings(); }
std::int64_t modelParameters(const ModelShape& shape) { return Parameters<std::int64_t>(shape).model(); }

std::int64_t activeParameters(const ModelShape& shape) {
  const std::int64_t idle = shape.experts > 0 ? shape.experts - shape.expertsPerToken : 0;
  return modelParameters(shape) - expertLayers(shape, shape.layers) * idle * expertParameters(shape);
}

std::int64_t keyValueSize(const ModelShape& shape) {
  if (shape.kvRank > 0) return shape.heads * (shape.nopeSize + shape.ropeSize + shape.valueSize);
  return 2 * shape.kvHeads * shape.headSize;
}

std::int64_t querySize(const ModelShape& shape) {
  return shape.heads * (shape.kvRank > 0 ? shape.nopeSize + shape.ropeSize : shape.headSize);
}

}  // namespace p2::inline workload
