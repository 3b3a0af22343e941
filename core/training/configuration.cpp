// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/configuration.h"

#include "base/counted.h"
#include "training/detail/choice_names.h"
#include "training/parameter_gathering.h"

namespace p2::inline training {
std::string_view nameOf(ScheduleKind schedule) { return kSchedules[static_cast<std::size_t>(schedule)]; }
std::string_view nameOf(FrameworkFamily family) { return kFrameworkFamilies[static_cast<std::size_t>(family)]; }
std::string_view nameOf(ProductPrecision precision) { return kProductPrecisions[static_cast<std::size_t>(precision)]; }
std::string_view nameOf(ExpertDispatch dispatch) { return kExpertDispatches[static_cast<std::size_t>(dispatch)]; }
std::string_view nameOf(GraphScope graphs) { return kGraphScopes[static_cast<std::size_t>(graphs)]; }

Result<ScheduleKind> scheduleKindFrom(std::string_view name) {
  if (lowerCase(name) == "interleaved" || lowerCase(name) == "interleaved1f1b") return ScheduleKind::OneF1B;
  return choiceNamed<ScheduleKind>(name, kSchedules, "schedule");
}

Result<ProductPrecision> productPrecisionFrom(std::string_view name) {
  const std::string wanted = lowerCase(name);
  if (wanted.find("fp8") != std::string::npos) return ProductPrecision::Fp8;
  if (wanted.find("fp4") != std::string::npos) return ProductPrecision::Fp4;
  if (wanted.find("fp16") != std::string::npos || wanted.find("bf16") != std::string::npos)
    return ProductPrecision::Bf16;
  return choiceNamed<ProductPrecision>(name, kProductPrecisions, "precision");
}

Result<ExpertDispatch> expertDispatchFrom(std::string_view name) {
  return choiceNamed<ExpertDispatch>(name, kExpertDispatches, "dispatch of experts");
}

Result<GraphScope> graphScopeFrom(std::string_view name) {
  return choiceNamed<GraphScope>(name, kGraphScopes, "scope of CUDA graphs");
}

namespace {

/// Chunks of a stage that hold different layers.
std::int64_t chunksOf(const TrainingConfiguration& configuration) {
  if (configuration.plan.pipeline == 1 || configuration.schedule == ScheduleKind::DualPipe) return 1;
  return configuration.schedule == ScheduleKind::ZeroBubbleV ? 2 : configuration.plan.chunks;
}

/// Layers of stages, each divided over its chunks, longer ones first.
StageLayout dividedOverChunks(const std::vector<std::int64_t>& layers, std::int64_t chunks, bool returns) {
  const auto stages = static_cast<std::int64_t>(layers.size());
  StageLayout layout(static_cast<std::size_t>(stages * chunks), 0);
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    const std::int64_t mine = layers[static_cast<std::size_t>(stage)];
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      const std::int64_t within = returns && chunk % 2 == 1 ? stages - 1 - stage : stage;
      layout[static_cast<std::size_t>(chunk * stages + within)] = mine / chunks + (chunk < mine % chunks ? 1 : 0);
    }
  }
  return layout;
}

}  // namespace

StageLayout chunkLayers(const ModelShape& model, const TrainingConfiguration& configuration) {
  const std::int64_t stages = configuration.plan.pipeline;
  const std::int64_t each = chunksOf(configuration);
  const std::int64_t chunks = stages * each;
  const bool returns = returnsThroughStages(configuration.schedule);
  const std::vector<std::int64_t>& stated = configuration.layersPerStage;
  if (static_cast<std::int64_t>(stated.size()) == chunks) return stated;
  if (static_cast<std::int64_t>(stated.size()) == stages) return dividedOverChunks(stated, each, returns);
  if (!stated.empty()) return layersByStage(stated, stages, returns);
  const bool endsShorter = stages > 1 && model.layers % chunks != 0 && (model.layers + 2) % chunks == 0;
  const std::int64_t units = endsShorter ? model.layers + 2 : model.layers;
  StageLayout layout(static_cast<std::size_t>(chunks), units / chunks);
  for (std::int64_t chunk = 0; chunk < units % chunks; ++chunk) ++layout[static_cast<std::size_t>(chunk)];
  if (endsShorter) {
    --layout.front();
    --layout.back();
  }
  return layout;
}

std::vector<std::int64_t> stageLayers(const ModelShape& model, const TrainingConfiguration& configuration) {
  return layersByStage(chunkLayers(model, configuration), configuration.plan.pipeline,
                       returnsThroughStages(configuration.schedule));
}

StageLayout statedLayout(const ModelShape& model, TrainingConfiguration configuration, const StageLayout& layout) {
  configuration.layersPerStage.clear();
  const std::int64_t chunks = configuration.plan.pipeline * chunksOf(configuration);
  const bool divides = model.layers % chunks == 0 || (model.layers + 2) % chunks == 0;
  return divides && chunkLayers(model, configuration) == layout ? StageLayout() : layout;
}

std::string layoutText(const ModelShape& model, const TrainingConfiguration& configuration) {
  const std::int64_t chunks = chunksOf(configuration);
  return describeStageLayout(stageLayers(model, configuration)) +
         (chunks > 1 ? ", in " + countedText(chunks, "virtual stage") : std::string());
}

TrainingPlan workloadPlanOf(const TrainingConfiguration& configuration) {
  TrainingPlan plan = configuration.plan;
  plan.recompute = configuration.recomputation == RecomputeKind::Full;
  if (gathersEightBits(configuration)) plan.parameters = NumberFormat::Fp8;
  return plan;
}

Result<void> checkConfiguration(const ModelShape& model, const TrainingConfiguration& configuration) {
  P2_TRY(checkModel(model));
  const TrainingPlan& plan = configuration.plan;
  const std::pair<const char*, std::int64_t> counts[] = {{"data", plan.data},
                                                         {"tensor", plan.tensor},
                                                         {"context", plan.context},
                                                         {"pipeline", plan.pipeline},
                                                         {"chunks", plan.chunks},
                                                         {"expert", plan.expert},
                                                         {"sequence", plan.sequence},
                                                         {"microbatch", plan.microbatch},
                                                         {"microbatches", plan.microbatches},
                                                         {"replicas", plan.replicas},
                                                         {"expert_tensor", plan.expertTensor}};
  for (const auto& [key, value] : counts) {
    if (value < 1) return Error{"is " + std::to_string(value) + "; use 1 or more", key};
  }
  if (plan.data % plan.replicas != 0) return Error{"does not divide the data parallel degree", "replicas"};
  const auto& layers = configuration.layersPerStage;
  if (!layers.empty()) {
    const auto size = static_cast<std::int64_t>(layers.size());
    if (size != plan.pipeline && size != plan.pipeline * plan.chunks) {
      return Error{
          "has " + countedText(layers.size(), "stage") + ", but the pipeline has " + std::to_string(plan.pipeline) +
              (plan.chunks > 1 ? " with " + std::to_string(plan.chunks) + " virtual stages each" : std::string()),
          "layers_per_stage"};
    }
    std::int64_t sum = 0;
    for (const std::int64_t each : layers) {
      if (each < 0) return Error{"has a stage of " + countedText(each, "layer"), "layers_per_stage"};
      sum += each;
    }
    if (sum != model.layers) {
      return Error{"has " + countedText(sum, "layer") + ", but the model has " + std::to_string(model.layers),
                   "layers_per_stage"};
    }
  }
  return {};
}

std::string dispatchText(ExpertDispatch dispatch) {
  constexpr std::string_view kTexts[] = {"AllToAll", "DeepEP", "HybridEP"};
  return std::string(kTexts[static_cast<std::size_t>(dispatch)]);
}

std::string graphsText(GraphScope graphs) {
  constexpr std::string_view kTexts[] = {"no CUDA graphs", "a CUDA graph of routing", "CUDA graphs of layers",
                                         "one CUDA graph of the step"};
  return std::string(kTexts[static_cast<std::size_t>(graphs)]);
}

bool isInterleaved(const TrainingConfiguration& configuration) {
  return configuration.plan.chunks > 1 && configuration.schedule == ScheduleKind::OneF1B;
}

std::string describeSchedule(const TrainingConfiguration& configuration) {
  return isInterleaved(configuration) ? "interleaved 1F1B" : std::string(nameOf(configuration.schedule));
}

std::string describe(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  std::string text;
  const auto add = [&](const char* name, std::int64_t degree, bool overlaps = false) {
    if (degree > 1) text += std::string(name) + " " + std::to_string(degree) + (overlaps ? " overlapped, " : ", ");
  };
  add("tp", plan.tensor, plan.tensorOverlap);
  add("cp", plan.context);
  add("pp", plan.pipeline);
  add("vpp", plan.chunks);
  if (configuration.predictedTokens > 0) text += "mtp " + std::to_string(configuration.predictedTokens) + ", ";
  add("ep", plan.expert, plan.expertOverlap);
  if (plan.expert > 1 && configuration.dispatch != ExpertDispatch::AllToAll) {
    text += dispatchText(configuration.dispatch) + ", ";
  }
  text += "dp " + std::to_string(plan.data) + ", microbatch " + std::to_string(plan.microbatch) + " × " +
          std::to_string(plan.microbatches) + ", ZeRO " + std::to_string(plan.zero) +
          (isGatheredOnce(plan) ? " gathered once, " : ", ") + recomputationText(recomputationOf(configuration));
  if (configuration.fp8Parameters) text += ", parameters in fp8";
  if (plan.pipeline > 1) text += ", " + describeSchedule(configuration);
  if (configuration.graphs != GraphScope::None) text += ", " + graphsText(configuration.graphs);
  if (!configuration.layersPerStage.empty()) text += ", layers " + stageLayoutText(configuration.layersPerStage);
  return text;
}

}  // namespace p2::inline training
