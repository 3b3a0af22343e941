// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "base/counted.h"
#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

namespace p2::inline training {
namespace {

using rules::Broken;

Broken enoughMicrobatches(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  const std::int64_t stages = plan.pipeline * plan.chunks;
  if (plan.pipeline == 1 || plan.microbatches >= stages) return std::nullopt;
  return [microbatches = plan.microbatches, stages] {
    return std::to_string(microbatches) + " microbatches are fewer than the " + countedText(stages, "stage") +
           " of the schedule";
  };
}

Broken chunksOfV(const ModelShape&, const TrainingConfiguration& configuration) {
  const bool two = configuration.schedule == ScheduleKind::ZeroBubbleV;
  if (!two || configuration.plan.chunks == 2) return std::nullopt;
  return [chunks = configuration.plan.chunks] {
    return "the schedule ZBVZeroBubble has two chunks a stage, not " + std::to_string(chunks);
  };
}

Broken chunksOfGPipe(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (configuration.schedule != ScheduleKind::GPipe || plan.pipeline == 1 || plan.chunks == 1) return std::nullopt;
  return [chunks = plan.chunks] { return "the schedule GPipe has one chunk a stage, not " + std::to_string(chunks); };
}

/// Every round of interleaved 1F1B takes the same number of microbatches.
Broken roundsOfInterleaved(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (configuration.schedule != ScheduleKind::OneF1B || plan.chunks == 1 || plan.pipeline == 1) return std::nullopt;
  const std::int64_t rounds = std::max<std::int64_t>(1, plan.microbatches / plan.pipeline);
  return rules::notDivided("the number of rounds", rounds, plan.microbatches,
                           "microbatches of an interleaved schedule");
}

Broken overlapNeedsCompiler(const ModelShape&, const TrainingConfiguration& configuration) {
  if (!configuration.plan.tensorOverlap || configuration.compiled) return std::nullopt;
  return "asynchronous tensor parallelism needs torch.compile";
}

Broken gatheredInPipeline(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.pipeline == 1 || plan.zero < 3 || !plan.reshard) return std::nullopt;
  return "FSDP under a pipeline keeps parameters gathered through the microbatches of a step";
}

/// Asynchronous tensor parallelism had no effect on mixtures of experts.
bool overlapsTensors(const ModelShape& model, const TrainingConfiguration& configuration) {
  return model.experts == 0 && configuration.schedule != ScheduleKind::ZeroBubbleV;
}

/// Layers of a virtual stage by which the number of virtual stages follows: their rounded-up quotient. No value: none.
std::optional<std::int64_t> layersOfVirtualStage(std::int64_t units, std::int64_t virtualStages) {
  const std::int64_t layers = (units + virtualStages - 1) / virtualStages;
  if ((units + layers - 1) / layers != virtualStages) return std::nullopt;
  return layers;
}

/// Numbers of layers that embedding and head count as.
struct EndWeights {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Weights with a number of layers of a stage that gives this number of virtual stages, small ones first.
std::vector<EndWeights> weightsOf(const ModelShape& model, std::int64_t virtualStages) {
  constexpr std::int64_t kMostLess = 6;
  std::vector<EndWeights> weights;
  const std::int64_t most = std::min(kMostLess, rules::headInLayers(model) + 1);
  for (const EndWeights& each : {EndWeights{0, 0}, EndWeights{1, 1}}) weights.push_back(each);
  for (std::int64_t last = 0; last <= most; ++last) {
    for (std::int64_t first = 0; first <= 1; ++first) {
      if (first != last || first > 1) weights.push_back({first, last});
    }
  }
  std::erase_if(weights, [&](const EndWeights& each) {
    return leadingLayout(model.layers, virtualStages, each.first, each.last).empty() ||
           !layersOfVirtualStage(model.layers + each.first + each.last, virtualStages);
  });
  return weights;
}

std::vector<StageLayout> layoutsOf(const ModelShape& model, const TrainingConfiguration& configuration) {
  const std::int64_t stages = configuration.plan.pipeline * configuration.plan.chunks;
  std::vector<StageLayout> layouts;
  for (const EndWeights& each : weightsOf(model, stages)) {
    StageLayout stated = statedLayout(model, configuration, leadingLayout(model.layers, stages, each.first, each.last));
    if (std::find(layouts.begin(), layouts.end(), stated) == layouts.end()) layouts.push_back(std::move(stated));
  }
  return layouts;
}

/// The list of modules of every stage (module_fqns_per_model_part) takes every layout; nothing else does.
Broken layersOfStages(const ModelShape& model, const TrainingConfiguration& configuration) {
  if (configuration.plan.pipeline == 1 || !configuration.layersPerStage.empty()) return std::nullopt;
  Broken broken = rules::layersByStages(model, configuration);
  if (broken && rules::isOffered(layoutsOf(model, configuration), model, configuration)) return std::nullopt;
  return broken;
}

/// Gradients of inputs and of weights are separate passes, which torch.compile does not split.
Broken eagerZeroBubble(const ModelShape&, const TrainingConfiguration& configuration) {
  if (configuration.schedule != ScheduleKind::ZeroBubbleV || !configuration.compiled) return std::nullopt;
  return "schedule zbv excludes torch.compile";
}

Broken graphsOfAll(const ModelShape&, const TrainingConfiguration& configuration) {
  if (configuration.graphs == GraphScope::None) return std::nullopt;
  if (configuration.graphs != GraphScope::All)
    return [graphs = configuration.graphs] { return "it has no CUDA graphs of " + std::string(nameOf(graphs)); };
  if (configuration.plan.pipeline > 1) return "CUDA graphs exclude pp > 1";
  if (configuration.plan.expert > 1) return "CUDA graphs exclude ep > 1";
  return std::nullopt;
}

constexpr std::array<std::string_view, 1> kBlocks{"gated delta blocks"};

Broken blocksOfModel(const ModelShape& model, const TrainingConfiguration&) {
  return rules::blocksAmong(kBlocks, model);
}

constexpr std::array kRules{
    FrameworkRule{"blocks of the model", "torchtitan/models, qwen3_5/gdn.py", blocksOfModel},
    FrameworkRule{"heads divide by tp", "torchtitan/models/llama3/infra/parallelize.py, apply_tp",
                  rules::headsByTensor},
    FrameworkRule{"heads of keys divide by tp", "torch/distributed/tensor/parallel/style.py, ColwiseParallel",
                  rules::keyHeadsByTensor},
    FrameworkRule{"MLP divides by tp", "torch/distributed/tensor/parallel/style.py, ColwiseParallel",
                  rules::mlpByTensor},
    FrameworkRule{"layers divide by stages",
                  "torchtitan/distributed/pipeline_parallel.py, pipeline_llm and generate_llm_fqn_per_model_part",
                  layersOfStages},
    FrameworkRule{"as many microbatches as stages",
                  "torchtitan/distributed/pipeline_parallel.py, build_pipeline_schedule", enoughMicrobatches},
    FrameworkRule{"ZBV has two chunks", "torch/distributed/pipelining/schedules.py, ScheduleZBVZeroBubble", chunksOfV},
    FrameworkRule{"GPipe has one chunk",
                  "torchtitan/distributed/pipeline_parallel.py, pipeline_llm: a single-stage schedule", chunksOfGPipe},
    FrameworkRule{"microbatches of an interleaved schedule divide by rounds",
                  "torch/distributed/pipelining/schedules.py, ScheduleInterleaved1F1B", roundsOfInterleaved},
    FrameworkRule{"no resharding under a pipeline",
                  "torchtitan/config/job_config.py, fsdp_reshard_after_forward = default", gatheredInPipeline},
    FrameworkRule{"tp overlap needs torch.compile", "torchtitan/config/configs.py, CompileConfig",
                  overlapNeedsCompiler},
    FrameworkRule{"zbv is not compiled",
                  "torch/distributed/pipelining/schedules.py, _check_torch_compile_compatibility", eagerZeroBubble},
    FrameworkRule{"CUDA graphs hold the whole step", "torchtitan/trainer.py, _validate_cuda_graphs", graphsOfAll},
    FrameworkRule{"experts divide by ep", "torchtitan/distributed/parallel_dims.py, _validate", rules::expertsByDegree},
    FrameworkRule{"expert degrees divide a stage", "torchtitan/distributed/parallel_dims.py, _validate",
                  rules::expertMesh},
    FrameworkRule{"sequence divides by 2·cp", "torchtitan/distributed/parallel_dims.py, seq_len_divisor",
                  rules::sequenceByContext},
    FrameworkRule{"sequence divides by tp·cp", "torchtitan/distributed/parallel_dims.py, seq_len_divisor",
                  rules::sequenceByTensor},
};

// torchtitan/tools/utils.py, get_peak_flops().
constexpr std::array kPlatforms{AcceleratorPlatform::Cuda, AcceleratorPlatform::Rocm, AcceleratorPlatform::OneApi};
constexpr std::array<std::int64_t, 1> kZeroStages{3};
constexpr std::array kSchedulesOffered{ScheduleKind::OneF1B, ScheduleKind::GPipe, ScheduleKind::ZeroBubbleV};
/// Its command line has no choice of the collective.
constexpr std::array kContexts{ContextCollective::AllGather};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Selective, RecomputeKind::Full};
constexpr std::array<std::string_view, 1> kOrders{"TorchTitan"};

std::string_view scheduleOf(const TrainingConfiguration& configuration) {
  if (configuration.schedule == ScheduleKind::GPipe) return "GPipe";
  if (configuration.schedule == ScheduleKind::ZeroBubbleV) return "ZBVZeroBubble";
  return configuration.plan.chunks > 1 ? "Interleaved1F1B" : "1F1B";
}

/// Layers of a virtual stage, and the layers that embedding and head count as. A layout that none of these give is left
/// to the list of modules in its configuration.
void addStages(const LaunchedConfiguration& launched, LaunchLines& lines) {
  const TrainingPlan& plan = launched.configuration.plan;
  const std::int64_t stages = plan.pipeline * plan.chunks;
  const StageLayout layout = chunkLayers(launched.model, launched.configuration);
  lines.value("parallelism.pipeline_parallel_schedule", scheduleOf(launched.configuration))
      .value("parallelism.num_pp_microbatches", plan.microbatches);
  for (const EndWeights& each : weightsOf(launched.model, stages)) {
    if (leadingLayout(launched.model.layers, stages, each.first, each.last) != layout) continue;
    const auto layers = layersOfVirtualStage(launched.model.layers + each.first + each.last, stages);
    lines.value("parallelism.pipeline_parallel_layers_per_stage", layers.value_or(1))
        .value("parallelism.pipeline_parallel_first_stage_less_layers", each.first)
        .value("parallelism.pipeline_parallel_last_stage_less_layers", each.last);
    return;
  }
}

/// Options of its command line. Model and number type belong to the function that --config names.
std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingConfiguration& configuration = launched.configuration;
  const TrainingPlan& plan = configuration.plan;
  LaunchLines lines("--", " ");
  lines.value("training.num_tokens_per_microbatch_per_dp_rank", plan.microbatch * plan.sequence)
      .value("training.num_tokens_per_train_step", plan.globalBatch * plan.sequence)
      .value("training.max_context_length", plan.sequence)
      .value("parallelism.data_parallel_replicate_degree", plan.zero == 0 ? plan.data : plan.replicas)
      .value("parallelism.data_parallel_shard_degree", plan.zero == 0 ? 1 : plan.data / plan.replicas)
      .value("parallelism.tensor_parallel_degree", plan.tensor)
      .value("parallelism.context_parallel_degree", plan.context)
      .value("parallelism.pipeline_parallel_degree", plan.pipeline);
  if (plan.tensor > 1 && plan.sequenceParallel == SequenceParallelism::None) {
    lines.flag("parallelism.no-enable_sequence_parallel");
  }
  if (plan.pipeline > 1) addStages(launched, lines);
  if (launched.model.experts > 0) lines.value("parallelism.expert_parallel_degree", plan.expert);
  if (launched.model.experts > 0 && configuration.dispatch != ExpertDispatch::AllToAll) {
    lines.value("override.imports", "torchtitan.overrides.moe_token_dispatcher." +
                                        std::string(nameOf(configuration.dispatch)) + "_override");
  }
  if (plan.zero == 3 && plan.reshard != (plan.pipeline == 1)) {
    lines.value("parallelism.fsdp_reshard_after_forward", plan.reshard ? "always" : "never");
  }
  if (configuration.compiled) lines.flag("compile.enable");
  if (plan.tensorOverlap) lines.flag("compile.enable_async_tensor_parallel");
  if (configuration.graphs == GraphScope::None) lines.flag("training.disable_cuda_graphs");
  // A choice of its parser, without dashes, and the last one.
  return lines.text() + "activation-checkpoint:" + std::string(nameOf(configuration.recomputation)) + "\n";
}

}  // namespace

const TrainingFramework kTorchTitan{
    .name = "torchtitan",
    .label = "TorchTitan",
    .release = "pytorch/torchtitan b5bcd76 (2026-08-21)",
    .family = FrameworkFamily::Fsdp,
    .platforms = kPlatforms,
    .zeroStages = kZeroStages,
    .schedules = kSchedulesOffered,
    .contextKinds = kContexts,
    .recomputations = kRecomputed,
    .sequenceParallel = SequenceParallelism::Torch,
    .tensorAlone = false,
    .expertTensor = false,
    .replicates = true,
    .tensorOverlap = {"torchtitan/config/configs.py, CompileConfig; "
                      "benchmarks/asyncTP_llama3_h100_2025-06_torchtitan.md; github.com/pytorch/torchtitan/issues/1613",
                      overlapsTensors},
    .orders = kOrders,
    .layouts = layoutsOf,
    .rankFile = "torch.distributed.init_process_group, env://: RANK and LOCAL_RANK are the launcher's",
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;
          configuration.fusedAttention = true;
          // Off by default; every benchmark that the project publishes with several dimensions has it on.
          configuration.compiled = configuration.schedule != ScheduleKind::ZeroBubbleV;
          configuration.plan.reshard = configuration.plan.pipeline == 1;
          configuration.plan.accumulate = configuration.plan.pipeline > 1;
        },
    .launchText = launchText,
    .describesModel = false,
    // run_train.sh
    .entry = "-m torchtitan.train --module YOUR_MODEL --config YOUR_CONFIG",
};

}  // namespace p2::inline training
