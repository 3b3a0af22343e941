// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/model_parts.h"

#include "training/detail/model_work.h"

namespace p2::inline training {
namespace {

constexpr double kFlopPerParameter = 6;  // two forward, four backward

/// FLOP of a token's causal attention over the sequence, as workOf() counts it.
double scoreFlop(const ModelShape& model, std::int64_t sequence) {
  TrainingConfiguration configuration;
  configuration.plan.sequence = sequence;
  configuration.plan.globalBatch = 1;
  const double head = kFlopPerParameter * double(model.hidden) * double(model.vocabulary);
  return workOf(model, configuration).in16Bits / double(sequence) - head;
}

}  // namespace

std::vector<ModelPart> modelParts(const ModelShape& model, std::int64_t sequence) {
  const std::int64_t mixtures = expertLayers(model, model.layers);
  const std::int64_t dense = model.layers - mixtures;
  const auto layers = double(model.layers);
  const double attention = double(attentionParameters(model));
  const double norms = double(normParameters(model));
  const double table = double(model.vocabulary) * double(model.hidden);
  const double head = model.tiedEmbeddings ? 0 : table;
  const double embedding = table + double(model.positions) * double(model.hidden);
  const double other = double(model.otherParameters);
  const double finalNorm = double(embeddingParameters(model)) - embedding - head - other;
  const double mlp = double(dense) * (double(denseLayerParameters(model)) - attention - norms);
  const double shared = double(mixtures) * (double(sharedLayerParameters(model)) - attention - norms);
  const double expert = double(mixtures) * double(expertParameters(model));

  std::vector<ModelPart> parts;
  const auto add = [&](ModelPartKind kind, std::int64_t of, double parameters, double active, double flop) {
    if (parameters != 0 || flop != 0) parts.push_back({kind, of, parameters, active, flop});
  };
  const auto addProducts = [&](ModelPartKind kind, std::int64_t of, double parameters, double active) {
    add(kind, of, parameters, active, kFlopPerParameter * active);
  };
  add(ModelPartKind::Embedding, 0, embedding, embedding, 0);
  addProducts(ModelPartKind::Attention, model.layers, attention * layers, attention * layers);
  add(ModelPartKind::Scores, model.layers, 0, 0, scoreFlop(model, sequence));
  addProducts(ModelPartKind::Mlp, dense, mlp, mlp);
  addProducts(ModelPartKind::Experts, mixtures, expert * double(model.experts), expert * double(model.expertsPerToken));
  addProducts(ModelPartKind::Shared, mixtures, shared, shared);
  // The norm before the head is not among the products.
  add(ModelPartKind::Norms, model.layers, norms * layers + finalNorm, norms * layers + finalNorm,
      kFlopPerParameter * norms * layers);
  add(ModelPartKind::Other, 0, other, other, 0);
  add(ModelPartKind::Head, 0, head, head, kFlopPerParameter * table);
  return parts;
}

}  // namespace p2::inline training
