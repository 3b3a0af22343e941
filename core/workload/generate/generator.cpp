// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/generator.h"

#include <algorithm>

#include "base/counted.h"
#include "workload/generate/generation.h"

namespace p2::inline workload {
namespace {

void tellModel(const ModelShape& model, std::vector<std::string>& understood) {
  std::string text = countedText(modelParameters(model), "parameter") + " in " + countedText(model.layers, "layer") +
                     " of width " + std::to_string(model.hidden);
  if (denseLayers(model) > 0) text += "; a dense layer has W = " + std::to_string(denseLayerParameters(model));
  if (const std::int64_t routed = expertLayers(model, model.layers); routed > 0) {
    text += "; " + (denseLayers(model) > 0 ? "in " + countedText(routed, "layer") + " " : std::string()) +
            countedText(model.experts, "expert") + " of W_e = " + std::to_string(expertParameters(model)) +
            ", else W = " + std::to_string(sharedLayerParameters(model));
  }
  understood.push_back(text);
}

void tellPlan(const ModelShape& model, const TrainingPlan& plan, std::vector<std::string>& understood) {
  std::string text = countedText(devicesOf(plan), "device") + ": dp " + std::to_string(plan.data) + ", cp " +
                     std::to_string(plan.context) + ", tp " + std::to_string(plan.tensor) + ", pp " +
                     std::to_string(plan.pipeline);
  if (model.experts > 0) {
    text += "; experts ep " + std::to_string(plan.expert) + ", etp " + std::to_string(plan.expertTensor) + ", edp " +
            std::to_string(expertCopies(plan));
  }
  understood.push_back(text + "; ZeRO stage " + std::to_string(plan.zero));
  understood.push_back(countedText(plan.globalBatch, "sequence") + " of " + countedText(plan.sequence, "token") +
                       " in a step, " + countedText(plan.microbatches, "microbatch", "microbatches") + " of " +
                       std::to_string(plan.microbatch));
}

void tellAssumed(const Generation& generation, std::vector<std::string>& assumed) {
  const TrainingPlan& plan = generation.plan;
  const ModelShape& model = generation.model;
  if (model.kvRank == 0 && model.kvHeads % plan.tensor != 0) {
    assumed.push_back(countedText(model.kvHeads, "head") + " of keys and values are split over tp " +
                      std::to_string(plan.tensor) + ", not repeated");
  }
  if (model.wideQkNorm && plan.tensor > 1) {
    assumed.push_back("a number of every token that norms over all heads reduce over tp is left out");
  }
  if (plan.data * plan.context > 1) assumed.push_back("weights and gradients overlap with all of the computation");
}

/// Choices of the plan that were not given, are the defaults and matter to it.
void tellDefaults(const ModelShape& model, const TrainingPlan& plan, std::span<const std::string> given,
                  std::vector<std::string>& assumed) {
  const TrainingPlan none;
  const auto tell = [&](std::string_view key, bool matters, const char* sentence) {
    if (matters && std::find(given.begin(), given.end(), key) == given.end()) {
      assumed.push_back(std::string(sentence) + " (" + std::string(key) + ")");
    }
  };
  const bool shards = plan.data * plan.context > 1;
  tell("zero", shards && plan.zero == none.zero, "optimizer states alone are sharded, ZeRO stage 1");
  tell("reshard", shards && plan.zero == 3,
       plan.reshard ? "parameters are released after the forward pass" : "parameters stay gathered between passes");
  tell("accumulate", shards && plan.zero >= 2,
       plan.accumulate ? "gradients are reduced once a step" : "gradients are reduced in every microbatch");
  tell("recompute", !plan.recompute, "no recomputation");
  tell("sp", plan.tensor > 1 && plan.sequenceParallel == none.sequenceParallel,
       "sequence parallelism as Megatron has it");
  tell("tp_overlap", plan.tensor > 1 && !plan.tensorOverlap, "no computation hides tensor parallelism");
  tell("cp_kind", plan.context > 1 && plan.contextCollective == none.contextCollective,
       "keys and values go round a ring");
  tell("ep_overlap", model.experts > 0 && plan.expert > 1 && !plan.expertOverlap,
       "no computation hides dispatch and combine");
}

}  // namespace

Result<WorkloadSource> generateWorkload(const ModelShape& askedModel, const TrainingPlan& askedPlan,
                                        std::span<const std::string> given) {
  P2_TRY(checkModel(askedModel));
  const ModelShape model = resolved(askedModel);
  const TrainingPlan plan = resolved(askedPlan);
  P2_TRY(checkPlan(model, plan));
  P2_TRY_ASSIGN(const auto mesh, trainingMesh(model, plan));
  Generation generation(model, plan, mesh);
  for (const auto addEntries :
       {addTensorEntries, addContextEntries, addExpertEntries, addPipelineEntries, addDataEntries}) {
    addEntries(generation);
  }
  if (generation.problem()) return *generation.problem();
  WorkloadSource source;
  source.workload.name = model.name;
  source.workload.axes = mesh.axes;
  source.workload.collectives = generation.takeEntries();
  source.workload.training = TrainedStep{model, plan};
  if (plan.computeSeconds > 0) source.workload.computeSeconds = plan.computeSeconds;
  tellModel(model, source.understood);
  tellPlan(model, plan, source.understood);
  tellAssumed(generation, source.assumed);
  tellDefaults(model, plan, given, source.assumed);
  for (std::string& sentence : generation.takeAssumed()) source.assumed.push_back(std::move(sentence));
  P2_TRY(checkWorkload(source.workload));
  return source;
}

}  // namespace p2::inline workload
