// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters, gradients and optimizer states as frameworks keep them.
#include "training/detail/state_memory.h"

#include <algorithm>

#include "training/detail/number_bytes.h"
#include "training/detail/real.h"

namespace p2::inline training {
namespace {

/// Parameters of embedding and head on one device of a stage.
double endParameters(const ModelShape& model, const TrainingConfiguration& configuration, const MemoryStage& stage) {
  const TrainingPlan& plan = configuration.plan;
  const double head = vocabularyShare(model, plan) * real(model.hidden);
  double ends = 0;
  if (stage.first) {
    ends += head * (configuration.wholeEnds ? real(plan.tensor) : 1) + real(model.positions) * real(model.hidden);
  }
  if (stage.last && !(model.tiedEmbeddings && stage.first)) ends += head;
  // Multi-token prediction embeds its input on the last stage (megatron/core/models/gpt/gpt_model.py, mtp_process).
  if (stage.last && !stage.first && !model.tiedEmbeddings && configuration.predictedTokens > 0) ends += head;
  return ends;
}

/// Whether replicas share the optimizer's states out. DeepSpeed's optimizer for bf16 does so without ZeRO as well:
/// every rank keeps the fp32 parameters and moments of its partition (deepspeed/runtime/bf16_optimizer.py,
/// fp32_groups_flat_partition).
bool sharesStates(const TrainingConfiguration& configuration) {
  const bool deepSpeed =
      configuration.family == FrameworkFamily::MegatronEager || configuration.family == FrameworkFamily::DeepSpeed;
  return configuration.plan.zero >= 1 || (deepSpeed && configuration.fullPrecisionSums);
}

}  // namespace

double vocabularyShare(const ModelShape& model, const TrainingPlan& plan) {
  const std::int64_t unit = 128 * plan.tensor;
  return real((model.vocabulary + unit - 1) / unit * 128);
}

LayerParameters::LayerParameters(const ModelShape& model, const TrainingPlan& plan)
    : dense(real(denseLayerParameters(model)) / real(plan.tensor)) {
  if (model.experts == 0) return;
  shared = real(sharedLayerParameters(model)) / real(plan.tensor);
  experts = real(expertParameters(model)) * real(model.experts) / (real(plan.expert) * real(plan.expertTensor));
}

double quantizedCopyBytes(const TrainingConfiguration& configuration) {
  const bool engine =
      configuration.family == FrameworkFamily::MegatronCore || configuration.family == FrameworkFamily::MlPerf;
  if (!engine || configuration.plan.zero >= 2 || configuration.fp8Parameters) return 0;
  constexpr double kScaleOf16 = 1.0 / 16;
  if (configuration.precision == ProductPrecision::Fp4) return 2 * (.5 + kScaleOf16);
  return configuration.precision == ProductPrecision::Fp8 ? 2 : 0;
}

StateBytes stateBytesOf(const TrainingConfiguration& configuration) {
  if (configuration.adapters) return {kHalf, 0, 0};
  const bool single = configuration.fullPrecisionSums;
  switch (configuration.family) {
    case FrameworkFamily::Fsdp:
    case FrameworkFamily::Jax:
      // One fp32 copy is the parameter and the master copy. Without fp32 everything is kept in 16 bits; gradients that
      // wait for the last microbatch are in the number type of the reduction.
      if (configuration.halfStates) {
        return {kHalf, single && configuration.plan.accumulate ? kSingle : kHalf, kMoments / 2};
      }
      return single ? StateBytes{kSingle, kSingle, kMoments} : StateBytes{kHalf, kHalf, kMoments / 2};
    case FrameworkFamily::MegatronEager:
    case FrameworkFamily::DeepSpeed: {
      // DeepSpeed keeps the 16-bit gradient next to the fp32 sum, and an fp32 gradient of the part that it updates; in
      // bf16 without ZeRO that is a part of the sum.
      const double part = configuration.plan.zero > 0 || !single ? kSingle : 0;
      return {kHalf, single ? kHalf + kSingle : kHalf, kMoments + kSingle + part};
    }
    case FrameworkFamily::MegatronCore:
    case FrameworkFamily::MlPerf:
      break;
  }
  return {kHalf, single ? kSingle : kHalf, (configuration.halfMoments ? kMoments / 2 : kMoments) + kSingle};
}

OwnParameters parametersOf(const ModelShape& model, const TrainingConfiguration& configuration,
                           const LayerParameters& layer, const MemoryStage& stage) {
  OwnParameters own;
  own.dense = stage.dense * layer.dense + stage.experts * layer.shared;
  own.experts = stage.experts * layer.experts;
  own.ends = endParameters(model, configuration, stage);
  own.dense += own.ends;
  if (stage.last) {
    const double hidden = real(model.hidden);
    own.dense += real(configuration.predictedTokens) * 2 * hidden * hidden / real(configuration.plan.tensor);
  }
  return own;
}

bool makesGradients(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  return configuration.family == FrameworkFamily::Fsdp && plan.microbatches == 1 && plan.pipeline == 1;
}

void addStates(const TrainingConfiguration& configuration, const OwnParameters& own, TrainingMemory& memory) {
  const TrainingPlan& plan = configuration.plan;
  const StateBytes bytes = stateBytesOf(configuration);
  const double copies = configuration.schedule == ScheduleKind::DualPipe ? 2 : 1;
  const double shards = std::max(1.0, real(plan.data) / real(plan.replicas) * real(plan.context));
  const double expertShards = std::max(1.0, real(expertCopies(plan)) / real(plan.replicas));
  const auto sum = [&](double each, bool sharded) {
    return copies * each * (sharded ? own.dense / shards + own.experts / expertShards : own.dense + own.experts);
  };
  // FSDP that reduces gradients only once a step keeps them whole; with a pipeline it does.
  const bool wholeGradients = plan.zero >= 2 && plan.accumulate;
  memory.parameters =
      sum(bytes.parameter, plan.zero >= 3) + copies * quantizedCopyBytes(configuration) * (own.all() - own.ends);
  memory.gradients = sum(bytes.gradient, plan.zero >= 2 && !wholeGradients);
  memory.optimizer = sum(bytes.optimizer, sharesStates(configuration));
}

// Proof. States are linear in the parameters, and a stage that holds most holds no less than the mean stage. Embedding,
// head and layers of multi-token prediction only add to it, and so do activations and buffers, except where they are
// compared with gradients instead.
double leastStates(const ModelShape& model, const TrainingConfiguration& configuration) {
  const double stages = real(configuration.plan.pipeline);
  const double experts = model.experts > 0 ? real(expertLayers(model, model.layers)) : 0;
  MemoryStage mean;
  mean.dense = (real(model.layers) - experts) / stages;
  mean.experts = experts / stages;
  mean.first = mean.last = configuration.plan.pipeline == 1;
  TrainingMemory states;
  addStates(configuration, parametersOf(model, configuration, LayerParameters(model, configuration.plan), mean),
            states);
  if (makesGradients(configuration)) states.gradients = 0;
  return states.total();
}

}  // namespace p2::inline training
