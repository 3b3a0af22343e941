// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/model_work.h"

#include <numeric>

#include "training/step_detail.h"

namespace p2::inline training {

namespace {

/// Parameters that a token uses in a layer of multi-token prediction and its projection.
double predictingParameters(const ModelShape& model) {
  const double projection = 2 * double(model.hidden) * double(model.hidden);
  if (model.experts == 0) return projection + double(denseLayerParameters(model));
  return projection + double(sharedLayerParameters(model)) +
         double(model.expertsPerToken) * double(expertParameters(model));
}

}  // namespace

ModelWork workOf(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  const double tokens = double(plan.globalBatch) * double(plan.sequence);
  const double passes = configuration.adapters ? 2 : 3;
  const auto head = double(model.hidden) * double(model.vocabulary);
  const auto predicted = double(configuration.predictedTokens);
  const double products =
      double(activeParameters(model)) - double(embeddingParameters(model)) + predicted * predictingParameters(model);
  const double reach = attendedTokens(model, plan.sequence);
  const double sizes =
      model.kvRank > 0 ? double(model.nopeSize + model.ropeSize + model.valueSize) : 2 * double(model.headSize);
  const double attention =
      2 * reach * double(model.heads) * sizes * (double(model.layers) + predicted) * (configuration.causal ? .5 : 1);
  // Attention has no weights: its backward pass has two products for each forward one, with adapters too.
  return {2 * passes * products * tokens, (2 * passes * head * (1 + predicted) + 3 * attention) * tokens,
          3 * attention * tokens};
}

double StepParts::sum() const {
  return compute + inefficiency + recompute + std::accumulate(exposed.begin(), exposed.end(), 0.0) + bubble +
         imbalance + optimizer + host;
}

double modelFlop(const ModelShape& model, const TrainingConfiguration& configuration) {
  const ModelWork work = workOf(model, configuration);
  return work.products + work.in16Bits;
}

double PassDetail::seconds() const {
  return computation + recomputation + std::accumulate(exposed.begin(), exposed.end(), 0.0);
}

std::vector<std::vector<StageWork>> StepDetail::work() const {
  std::vector<std::vector<StageWork>> made;
  for (const StageDetail& stage : stages) {
    auto& mine = made.emplace_back();
    for (const ChunkDetail& each : stage.chunks) {
      mine.push_back({each.forward.seconds(), each.backward.seconds(), each.weights});
    }
  }
  return made;
}

}  // namespace p2::inline training
