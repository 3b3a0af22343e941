// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"
#include "training/frameworks/megatron_model.h"
#include "training/frameworks/megatron_recompute.h"

namespace p2::inline training {
namespace {

using rules::Broken;

Broken expertsNeedSequence(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (model.experts == 0 || plan.tensor == 1 || plan.sequenceParallel != SequenceParallelism::None) {
    return std::nullopt;
  }
  return [tensor = plan.tensor] { return "experts with tp " + std::to_string(tensor) + " need sequence parallelism"; };
}

Broken sequenceNeedsTensor(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (!plan.tensorOverlap || (plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None)) {
    return std::nullopt;
  }
  return "overlap of tensor parallelism needs tp > 1 and sequence parallelism";
}

/// Transformer Engine has buffers for four products, which latent attention does not have, in 8 or 16 bits. Megatron
/// turns the overlap off for the products of experts.
bool overlapsTensors(const ModelShape& model, const TrainingConfiguration& configuration) {
  return model.kvRank == 0 && configuration.precision != ProductPrecision::Fp4 && !configuration.deterministic;
}

/// Why the forward pass of one microbatch cannot run together with the backward pass of another.
Broken cannotPair(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.expert == 1) return "overlap of expert parallelism needs ep > 1";
  if (plan.pipeline > 1 && plan.chunks == 1) return "overlap of expert parallelism needs virtual stages with pp > 1";
  if (configuration.recomputation == RecomputeKind::Full) {
    return "overlap of expert parallelism excludes full recomputation";
  }
  if (configuration.recomputedModules.has(RecomputedModule::Experts)) {
    return "overlap of expert parallelism excludes recomputation of moe";
  }
  return std::nullopt;
}

Broken expertOverlapNeeds(const ModelShape&, const TrainingConfiguration& configuration) {
  return configuration.plan.expertOverlap ? cannotPair(configuration) : std::nullopt;
}

/// Megatron-FSDP has a path of its own for it, which is not priced here.
bool overlapsExperts(const ModelShape&, const TrainingConfiguration& configuration) {
  return configuration.plan.microbatches > 1 && configuration.plan.zero < 2 && !cannotPair(configuration);
}

/// Recomputation of more than a graph of layers or of routing starts. Such graphs hold the inputs of their backward
/// pass.
bool graphsExclude(const TrainingConfiguration& configuration) {
  return configuration.recomputation == RecomputeKind::Full ||
         configuration.recomputedModules.has(RecomputedModule::Experts);
}

Broken graphsKeepActivations(const ModelShape&, const TrainingConfiguration& configuration) {
  const bool ofLayers = configuration.graphs == GraphScope::Routing || configuration.graphs == GraphScope::Layers;
  if (!ofLayers || !graphsExclude(configuration)) return std::nullopt;
  return [full = configuration.recomputation == RecomputeKind::Full, graphs = configuration.graphs] {
    return std::string(full ? "full recomputation" : "recomputation of moe") + " excludes CUDA graphs of " +
           std::string(nameOf(graphs));
  };
}

/// As Megatron-Bridge's recipes run mixtures (src/megatron/bridge/perf_recipes): HybridEP from Hopper on, and the whole
/// step in one graph in 8 bits on Blackwell.
void applyRecipeKernels(TrainingConfiguration& configuration, std::string_view generation) {
  const bool blackwell = generation == "B200" || generation == "B300";
  if (!blackwell && generation != "H100") return;
  configuration.dispatch = ExpertDispatch::HybridEp;
  const bool eight = configuration.precision == ProductPrecision::Fp8;
  configuration.graphs = GraphScope::Layers;
  if (!blackwell) configuration.graphs = eight ? GraphScope::None : GraphScope::Routing;
  if (graphsExclude(configuration)) configuration.graphs = GraphScope::None;
  if (blackwell && eight) configuration.graphs = GraphScope::All;
}

Broken contextNeedsFusion(const ModelShape&, const TrainingConfiguration& configuration) {
  if (configuration.plan.context == 1 || configuration.fusedAttention) return std::nullopt;
  return [context = configuration.plan.context] {
    return "cp " + std::to_string(context) + " needs fused attention (Transformer Engine)";
  };
}

/// The order tp-cp-ep-pp-dp has data parallelism outermost.
Broken dataLastOrder(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (model.experts == 0 || plan.order != "tp-cp-ep-pp-dp") return std::nullopt;
  if (expertCopies(plan) == plan.data) return std::nullopt;
  return [&plan] {
    return "with pp inside dp expert data parallelism (" + std::to_string(expertCopies(plan)) +
           ") must equal data parallelism (" + std::to_string(plan.data) + ")";
  };
}

/// A first and a last stage with fewer layers, or a first one with more where the first layers have no experts; every
/// layout is one of --pipeline-model-parallel-layout, the even ones have flags of their own.
std::vector<StageLayout> layoutsOf(const ModelShape& model, const TrainingConfiguration& configuration) {
  constexpr std::int64_t kMostLess = 6;
  const TrainingPlan& plan = configuration.plan;
  std::vector<StageLayout> layouts;
  const auto offer = [&](std::int64_t first, std::int64_t last) {
    const StageLayout made = balancedLayout(model.layers, plan.pipeline, plan.chunks, first, last);
    if (made.empty()) return;
    StageLayout stated = statedLayout(model, configuration, made);
    if (std::find(layouts.begin(), layouts.end(), stated) == layouts.end()) layouts.push_back(std::move(stated));
  };
  offer(0, 0);
  offer(1, 1);
  const std::int64_t predicted = configuration.predictedTokens;
  const std::int64_t head = std::min(kMostLess, rules::headInLayers(model)) * (1 + predicted) + predicted;
  const std::int64_t least = model.denseLayers > 0 ? -1 : 0;
  // Chunks even out the effect of one layer more or less.
  for (std::int64_t last = plan.chunks > 1 ? head : 0; last <= head + 1; ++last) {
    for (std::int64_t first = least; first <= 1; ++first) offer(first, last);
  }
  return layouts;
}

constexpr std::array kRules{
    FrameworkRule{"blocks of the model", "megatron/core/models/hybrid/hybrid_layer_allocation.py, Symbols",
                  megatronBlocks},
    FrameworkRule{"heads divide by tp", "megatron/core/transformer/transformer_config.py, __post_init__",
                  rules::headsByTensor},
    FrameworkRule{"query groups divide by tp", "megatron/core/transformer/transformer_config.py, __post_init__",
                  rules::keyHeadsByTensor},
    FrameworkRule{"MLP divides by tp", "megatron/core/tensor_parallel/layers.py, divide()", rules::mlpByTensor},
    FrameworkRule{"layers divide by stages",
                  "megatron/core/transformer/transformer_block.py, get_num_layers_to_build; "
                  "pipeline_parallel_layer_layout.py",
                  rules::layersByStages},
    FrameworkRule{"microbatches of an interleaved schedule divide by pp",
                  "megatron/core/pipeline_parallel/schedules.py, forward_backward_pipelining_with_interleaving",
                  rules::interleavedMicrobatches},
    FrameworkRule{"experts divide by ep", "megatron/core/transformer/transformer_config.py, __post_init__",
                  rules::expertsByDegree},
    FrameworkRule{"expert degrees divide a stage", "megatron/core/parallel_state.py, initialize_model_parallel",
                  rules::expertMesh},
    FrameworkRule{"experts with tp need sp", "megatron/training/arguments.py, validate_args", expertsNeedSequence},
    FrameworkRule{"tp overlap needs sp", "megatron/training/arguments.py, validate_args", sequenceNeedsTensor},
    FrameworkRule{"ep overlap needs virtual stages", "megatron/core/transformer/transformer_config.py, __post_init__",
                  expertOverlapNeeds},
    FrameworkRule{"CUDA graphs of layers exclude full recomputation",
                  "megatron/core/transformer/transformer_config.py, __post_init__", graphsKeepActivations},
    FrameworkRule{"recomputed modules are in the model",
                  "megatron/core/transformer/transformer_config.py, __post_init__", megatronModulesOf},
    FrameworkRule{"sequence divides by 2·cp", "megatron/training/utils.py, get_batch_on_this_cp_rank",
                  rules::sequenceByContext},
    FrameworkRule{"sequence divides by tp·cp", "megatron/training/arguments.py, validate_args",
                  rules::sequenceByTensor},
    FrameworkRule{"cp needs fused attention", "megatron/training/arguments.py, validate_args", contextNeedsFusion},
    FrameworkRule{"cp with a window needs a2a or allgather",
                  "transformer_engine/pytorch/attention/dot_product_attention/context_parallel.py, "
                  "attn_forward_func_with_cp",
                  megatronWindows},
    FrameworkRule{"fp8 parameters need the distributed optimizer", "megatron/training/arguments.py, validate_args",
                  megatronParameters},
    FrameworkRule{"attention within chunks", "megatron/core/transformer/transformer_config.py, window_size",
                  megatronChunks},
    FrameworkRule{"cp by AllToAll divides heads", "transformer_engine, context_parallel.py, a2a",
                  rules::headsByContext},
    FrameworkRule{"expert data parallelism where pp is not last",
                  "megatron/core/parallel_state.py, initialize_model_parallel", dataLastOrder},
};

// AMD's fork: github.com/ROCm/Megatron-LM.
constexpr std::array kPlatforms{AcceleratorPlatform::Cuda, AcceleratorPlatform::Rocm};
constexpr std::array<std::int64_t, 2> kZeroStages{1, 0};
constexpr std::array kSchedulesOffered{ScheduleKind::OneF1B};
constexpr std::array kContexts{ContextCollective::Ring, ContextCollective::AllToAll, ContextCollective::AllGather};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Selective, RecomputeKind::Full};
constexpr std::array<std::string_view, 2> kOrders{"Megatron-LM", "Megatron-LM tp-pp-dp"};

std::string_view contextKindOf(ContextCollective kind) {
  constexpr std::string_view kNames[] = {"p2p", "all_gather", "a2a", "a2a+p2p"};
  return kNames[static_cast<std::size_t>(kind)];
}

void addDegrees(const LaunchedConfiguration& launched, LaunchLines& lines) {
  const TrainingPlan& plan = launched.configuration.plan;
  lines.value("tensor-model-parallel-size", plan.tensor).value("pipeline-model-parallel-size", plan.pipeline);
  if (plan.pipeline > 1) addMegatronStages(launched.model, launched.configuration, lines);
  if (plan.context > 1) {
    lines.value("context-parallel-size", plan.context).value("cp-comm-type", contextKindOf(plan.contextCollective));
    if (plan.contextCollective == ContextCollective::Hierarchy && plan.contextInner > 0) {
      lines.value("hierarchical-context-parallel-sizes",
                  std::to_string(plan.contextInner) + " " + std::to_string(plan.context / plan.contextInner));
    }
  }
  if (launched.model.experts > 0) {
    lines.value("expert-model-parallel-size", plan.expert).value("expert-tensor-parallel-size", plan.expertTensor);
  }
  if (plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None) lines.flag("sequence-parallel");
  if (launched.order == kOrders[1]) lines.flag("use-tp-pp-dp-mapping");
}

/// The distributed optimizer, or Megatron's own FSDP.
void addStates(const TrainingPlan& plan, bool overlaps, LaunchLines& lines) {
  if (plan.zero >= 2) {
    lines.flag("use-megatron-fsdp")
        .value("data-parallel-sharding-strategy", plan.zero == 3 ? "optim_grads_params" : "optim_grads");
  }
  if (overlaps) lines.flag("overlap-grad-reduce");
  if (plan.zero == 1) lines.flag("use-distributed-optimizer");
  if (plan.zero == 1 && overlaps) lines.flag("overlap-param-gather");
  if (plan.replicas > 1) lines.value("num-distributed-optimizer-instances", plan.replicas);
}

void addKernels(const TrainingConfiguration& configuration, LaunchLines& lines) {
  lines.flag("bf16");
  if (configuration.precision == ProductPrecision::Fp8) lines.value("fp8-format", "hybrid");
  // Fused products of experts take blocks with a scale each; TransformerConfig.__post_init__ refuses these modules with
  // delayed scaling, its default.
  const RecomputedModules& modules = configuration.recomputedModules;
  const bool discards = modules.has(RecomputedModule::ExpertActivation) || modules.has(RecomputedModule::LayerNorm);
  const bool blocks = hasFusedExperts(configuration) || configuration.microScales;
  if (configuration.precision == ProductPrecision::Fp8 && (blocks || discards)) {
    lines.value("fp8-recipe", blocks ? "mxfp8" : "tensorwise");
  }
  if (configuration.fp8Parameters) {
    lines.flag("fp8-param-gather");
    if (blocks) lines.flag("reuse-grad-buf-for-mxfp8-param-ag");
  }
  if (configuration.precision == ProductPrecision::Fp4) lines.value("fp4-format", "e2m1");
  if (!configuration.fullPrecisionSums) lines.flag("grad-reduce-in-bf16");
  if (configuration.halfMoments) {
    lines.flag("use-precision-aware-optimizer").value("exp-avg-dtype", "bf16").value("exp-avg-sq-dtype", "bf16");
  }
  if (configuration.fusedLoss) lines.flag("cross-entropy-loss-fusion").value("cross-entropy-fusion-impl", "te");
  if (!configuration.fusedAttention) lines.value("attention-backend", "unfused");
  if (configuration.deterministic) lines.flag("deterministic-mode");
  if (configuration.plan.tensorOverlap) lines.flag("tp-comm-overlap");
  if (configuration.plan.expertOverlap) lines.flag("overlap-moe-expert-parallel-comm").flag("delay-wgrad-compute");
}

void addDispatch(const TrainingConfiguration& configuration, LaunchLines& lines) {
  const bool all = configuration.dispatch == ExpertDispatch::AllToAll;
  lines.value("moe-token-dispatcher-type", all ? "alltoall" : "flex");
  if (!all) lines.value("moe-flex-dispatcher-backend", nameOf(configuration.dispatch));
  lines.flag("moe-permute-fusion").flag("moe-router-fusion");
  if (!hasFusedExperts(configuration)) return;
  // One kernel for the products of all experts, with activations of a fixed size.
  lines.flag("use-transformer-engine-op-fuser")
      .value("moe-mlp-glu-interleave-size", 32)
      .flag("moe-paged-stash")
      .value("moe-expert-rank-capacity-factor", "1.5");
}

void addGraphs(const ModelShape& model, GraphScope graphs, LaunchLines& lines) {
  if (graphs == GraphScope::None) return;
  lines.flag("te-rng-tracker");
  if (graphs == GraphScope::All) {
    lines.value("cuda-graph-impl", "full_iteration").flag("no-check-for-nan-in-loss-and-grad");
    return;
  }
  lines.value("cuda-graph-impl", "transformer_engine");
  const std::string_view dense = model.experts > 0 ? "attn moe_router moe_preprocess" : "attn mlp";
  lines.value("cuda-graph-modules", graphs == GraphScope::Layers ? dense : "moe_router moe_preprocess");
}

/// Before Blackwell the host's order of kernels lets communication go first, for which there must be one queue;
/// Megatron does not start otherwise. Overlap of experts needs many (megatron/training/arguments.py, validate_args).
std::string_view environmentOf(const TrainingConfiguration& configuration, std::string_view generation) {
  if (configuration.plan.expertOverlap) return "CUDA_DEVICE_MAX_CONNECTIONS=32";
  const bool older = generation == "V100" || generation == "A100" || generation == "H100" || generation == "L40S";
  const bool splits = configuration.plan.tensor > 1 || configuration.plan.context > 1;
  return older && splits ? "CUDA_DEVICE_MAX_CONNECTIONS=1" : "";
}

std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingPlan& plan = launched.configuration.plan;
  LaunchLines lines("--", " ");
  addMegatronModel(launched.model, plan.sequence, lines);
  addDegrees(launched, lines);
  lines.value("micro-batch-size", plan.microbatch)
      .value("global-batch-size", plan.globalBatch)
      .value("seq-length", plan.sequence);
  if (launched.configuration.predictedTokens > 0) {
    lines.value("mtp-num-layers", launched.configuration.predictedTokens).value("mtp-loss-scaling-factor", "0.1");
  }
  addKernels(launched.configuration, lines);
  if (launched.model.experts > 0) addDispatch(launched.configuration, lines);
  addGraphs(launched.model, launched.configuration.graphs, lines);
  addStates(plan, launched.configuration.overlapsData, lines);
  addMegatronRecomputation(launched.configuration, lines);
  return lines.text();
}

}  // namespace

const TrainingFramework kMegatron{
    .name = "megatron",
    .label = "Megatron-Core",
    .release = "NVIDIA/Megatron-LM d98e8a6 (2026-08-22)",
    .family = FrameworkFamily::MegatronCore,
    .platforms = kPlatforms,
    .zeroStages = kZeroStages,
    .schedules = kSchedulesOffered,
    .contextKinds = kContexts,
    .recomputations = kRecomputed,
    .recomputedModules = megatronModulesSearched,
    .sequenceParallel = SequenceParallelism::Megatron,
    .tensorOverlap = {"transformer_engine/pytorch/module/base.py, initialize_ub: CUDA multicast; "
                      "megatron/core/extensions/transformer_engine.py, TELinear: qkv, proj, fc1 and fc2; "
                      "megatron/training/determinism.py",
                      overlapsTensors},
    .expertOverlap = {"megatron/core/pipeline_parallel/combined_1f1b.py; "
                      "megatron/core/transformer/transformer_config.py, __post_init__",
                      overlapsExperts},
    .orders = kOrders,
    .layouts = layoutsOf,
    .rankFile = "torch.distributed.init_process_group, env://: RANK and LOCAL_RANK are the launcher's",
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;
          configuration.fusedAttention = true;
          // Megatron-Bridge's presets for fp8 (src/megatron/bridge/training/mixed_precision.py).
          configuration.fp8Parameters = configuration.precision == ProductPrecision::Fp8 && configuration.plan.zero > 0;
        },
    .applyExpertKernels = applyRecipeKernels,
    .launchText = launchText,
    .environment = environmentOf,
    .entry = "pretrain_gpt.py",
};

}  // namespace p2::inline training
