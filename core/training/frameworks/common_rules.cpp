// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/frameworks/common_rules.h"

#include <algorithm>

#include "base/counted.h"
#include "base/lists.h"

namespace p2::inline training::rules {

Broken notDivided(const char* what, std::int64_t by, std::int64_t whole, const char* ofWhat) {
  if (by >= 1 && whole % by == 0) return std::nullopt;
  return [what, by, whole, ofWhat] {
    return std::string(what) + " " + std::to_string(by) + " does not divide the " + std::to_string(whole) + " " +
           ofWhat;
  };
}

Broken headsByTensor(const ModelShape& model, const TrainingConfiguration& configuration) {
  return notDivided("tp", configuration.plan.tensor, model.heads, "attention heads");
}

Broken keyHeadsByTensor(const ModelShape& model, const TrainingConfiguration& configuration) {
  if (model.kvRank > 0) return std::nullopt;
  return notDivided("tp", configuration.plan.tensor, model.kvHeads, "heads of keys and values");
}

Broken mlpByTensor(const ModelShape& model, const TrainingConfiguration& configuration) {
  return notDivided("tp", configuration.plan.tensor, model.ffn, "elements of the MLP");
}

Broken layersByStages(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  const std::int64_t chunks = plan.pipeline * plan.chunks;
  if (!configuration.layersPerStage.empty() || model.layers % chunks == 0) return std::nullopt;
  // Embedding and head can count as layers of the first and of the last stage.
  if (plan.pipeline > 1 && (model.layers + 2) % chunks == 0) return std::nullopt;
  return [chunks, layers = model.layers] {
    return "pp·vpp " + std::to_string(chunks) + ": it divides neither the " + countedText(layers, "layer") +
           " nor these with embedding and head, and no layout of stages is given";
  };
}

bool isOffered(const std::vector<StageLayout>& layouts, const ModelShape& model,
               const TrainingConfiguration& configuration) {
  TrainingConfiguration each = configuration;
  const StageLayout wanted = chunkLayers(model, configuration);
  return std::any_of(layouts.begin(), layouts.end(), [&](const StageLayout& layout) {
    each.layersPerStage = layout;
    return chunkLayers(model, each) == wanted;
  });
}

Broken blocksAmong(std::span<const std::string_view> known, const ModelShape& model) {
  if (model.otherBlocks.empty()) return std::nullopt;
  const std::vector<std::string> blocks = commaParts(model.otherBlocks);
  const auto missing = std::ranges::find_if(
      blocks, [&](const std::string& block) { return std::ranges::find(known, block) == known.end(); });
  if (missing == blocks.end()) return std::nullopt;
  return [&model, place = missing - blocks.begin()] {
    return "it has no " + commaParts(model.otherBlocks)[static_cast<std::size_t>(place)];
  };
}

std::int64_t headInLayers(const ModelShape& model) {
  const std::int64_t body = activeParameters(model) - embeddingParameters(model);
  const std::int64_t layer = std::max<std::int64_t>(1, body / model.layers);
  return std::max<std::int64_t>(1, (model.vocabulary * model.hidden + layer / 2) / layer);
}

Broken expertsByDegree(const ModelShape& model, const TrainingConfiguration& configuration) {
  const std::int64_t degree = configuration.plan.expert;
  if (model.experts == 0) {
    if (degree == 1 && configuration.plan.expertTensor == 1) return std::nullopt;
    return [degree] { return "ep " + std::to_string(degree) + " for a model without experts"; };
  }
  return notDivided("ep", degree, model.experts, "experts");
}

Broken expertMesh(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  return notDivided("ep·etp", plan.expert * plan.expertTensor, plan.tensor * plan.context * plan.data,
                    "devices of a pipeline stage");
}

Broken sequenceByContext(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.context == 1) return std::nullopt;
  return notDivided("2·cp", 2 * plan.context, plan.sequence, "tokens of a sequence");
}

Broken sequenceByTensor(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.sequenceParallel == SequenceParallelism::None || plan.tensor == 1) return std::nullopt;
  return notDivided("tp·cp", plan.tensor * plan.context, plan.sequence, "tokens of a sequence");
}

Broken headsByContext(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.context == 1 || plan.contextCollective != ContextCollective::AllToAll) return std::nullopt;
  const std::int64_t heads = model.kvRank > 0 ? model.heads : model.kvHeads;
  return notDivided("tp·cp", plan.tensor * plan.context, heads, "heads of keys and values");
}

Broken expertsByAllToAll(const ModelShape& model, const TrainingConfiguration& configuration) {
  if (model.experts == 0 || configuration.dispatch == ExpertDispatch::AllToAll) return std::nullopt;
  return [dispatch = configuration.dispatch] { return "it has no " + dispatchText(dispatch); };
}

Broken noGraphs(const ModelShape&, const TrainingConfiguration& configuration) {
  if (configuration.graphs == GraphScope::None) return std::nullopt;
  return "it has no CUDA graphs of training";
}

Broken noPredictedTokens(const ModelShape&, const TrainingConfiguration& configuration) {
  if (configuration.predictedTokens == 0) return std::nullopt;
  return "it has no multi-token prediction";
}

Broken interleavedMicrobatches(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.chunks == 1) return std::nullopt;
  if (plan.pipeline < 2)
    return [chunks = plan.chunks] { return "vpp " + std::to_string(chunks) + " without a pipeline"; };
  return notDivided("pp", plan.pipeline, plan.microbatches, "microbatches of an interleaved schedule");
}

}  // namespace p2::inline training::rules
