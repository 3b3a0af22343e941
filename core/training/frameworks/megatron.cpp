// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

namespace p2::inline training {
namespace {

using rules::Broken;

Broken expertsNeedSequence(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (model.experts == 0 || plan.tensor == 1 || plan.sequenceParallel != SequenceParallelism::None) {
    return std::nullopt;
  }
  return "experts with tp " + std::to_string(plan.tensor) + " need sequence parallelism";
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
  return std::nullopt;
}

Broken expertOverlapNeeds(const ModelShape&, const TrainingConfiguration& configuration) {
  return configuration.plan.expertOverlap ? cannotPair(configuration) : std::nullopt;
}

/// Megatron-FSDP has a path of its own for it, which is not priced here.
bool overlapsExperts(const ModelShape&, const TrainingConfiguration& configuration) {
  return configuration.plan.microbatches > 1 && configuration.plan.zero < 2 && !cannotPair(configuration);
}

/// CUDA graphs of layers hold what their backward pass needs.
Broken graphsKeepActivations(const ModelShape&, const TrainingConfiguration& configuration) {
  const bool ofLayers = configuration.graphs == GraphScope::Routing || configuration.graphs == GraphScope::Layers;
  if (!ofLayers || configuration.recomputation != RecomputeKind::Full) return std::nullopt;
  return "full recomputation excludes CUDA graphs of " + std::string(nameOf(configuration.graphs));
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
  if (configuration.recomputation == RecomputeKind::Full) configuration.graphs = GraphScope::None;
  if (blackwell && eight) configuration.graphs = GraphScope::All;
}

Broken contextNeedsFusion(const ModelShape&, const TrainingConfiguration& configuration) {
  if (configuration.plan.context == 1 || configuration.fusedAttention) return std::nullopt;
  return "cp " + std::to_string(configuration.plan.context) + " needs fused attention (Transformer Engine)";
}

/// The order tp-cp-ep-pp-dp has data parallelism outermost.
Broken dataLastOrder(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (model.experts == 0 || plan.order != "tp-cp-ep-pp-dp") return std::nullopt;
  if (expertCopies(plan) == plan.data) return std::nullopt;
  return "with pp inside dp expert data parallelism (" + std::to_string(expertCopies(plan)) +
         ") must equal data parallelism (" + std::to_string(plan.data) + ")";
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
  const std::int64_t head = std::min(kMostLess, rules::headInLayers(model));
  const std::int64_t least = model.denseLayers > 0 ? -1 : 0;
  // Chunks even out the effect of one layer more or less.
  for (std::int64_t last = plan.chunks > 1 ? head : 0; last <= head + 1; ++last) {
    for (std::int64_t first = least; first <= 1; ++first) offer(first, last);
  }
  return layouts;
}

constexpr std::array kRules{
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
    FrameworkRule{"sequence divides by 2·cp", "megatron/training/utils.py, get_batch_on_this_cp_rank",
                  rules::sequenceByContext},
    FrameworkRule{"sequence divides by tp·cp", "megatron/training/arguments.py, validate_args",
                  rules::sequenceByTensor},
    FrameworkRule{"cp needs fused attention", "megatron/training/arguments.py, validate_args", contextNeedsFusion},
    FrameworkRule{"cp by AllToAll divides heads", "transformer_engine, context_parallel.py, a2a",
                  rules::headsByContext},
    FrameworkRule{"expert data parallelism where pp is not last",
                  "megatron/core/parallel_state.py, initialize_model_parallel", dataLastOrder},
};

constexpr std::array<std::int64_t, 2> kZeroStages{1, 0};
constexpr std::array kSchedulesOffered{ScheduleKind::OneF1B};
constexpr std::array kContexts{ContextCollective::Ring, ContextCollective::AllToAll, ContextCollective::AllGather};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Selective, RecomputeKind::Full};
constexpr std::array<std::string_view, 2> kOrders{"Megatron-LM", "Megatron-LM tp-pp-dp"};

void addLatentAttention(const ModelShape& model, LaunchLines& lines) {
  lines.flag("multi-latent-attention").value("kv-lora-rank", model.kvRank);
  if (model.qRank > 0) lines.value("q-lora-rank", model.qRank);
  lines.value("qk-head-dim", model.nopeSize)
      .value("qk-pos-emb-head-dim", model.ropeSize)
      .value("v-head-dim", model.valueSize);
}

void addExperts(const ModelShape& model, LaunchLines& lines) {
  lines.value("num-experts", model.experts)
      .value("moe-router-topk", model.expertsPerToken)
      .value("moe-ffn-hidden-size", model.expertFfn)
      .flag("moe-grouped-gemm");
  if (model.sharedFfn > 0) lines.value("moe-shared-expert-intermediate-size", model.sharedFfn);
  if (model.sharedGate) lines.flag("moe-shared-expert-gate");
  // TransformerConfig.__post_init__ refuses the bias with softmax, its default.
  if (model.routerBias) lines.flag("moe-router-enable-expert-bias").value("moe-router-score-function", "sigmoid");
  if (model.expertGroups > 0) lines.value("moe-router-num-groups", model.expertGroups);
  if (model.groupsPerToken > 0) lines.value("moe-router-group-topk", model.groupsPerToken);
  if (model.denseLayers > 0) {
    lines.quoted("moe-layer-freq", "([0]*" + std::to_string(model.denseLayers) + "+[1]*" +
                                       std::to_string(model.layers - model.denseLayers) + ")");
  } else if (model.expertStep > 1) {
    lines.value("moe-layer-freq", model.expertStep);
  }
}

void addModel(const ModelShape& model, std::int64_t sequence, LaunchLines& lines) {
  lines.value("num-layers", model.layers)
      .value("hidden-size", model.hidden)
      .value("ffn-hidden-size", model.ffn)
      .value("num-attention-heads", model.heads)
      .value("vocab-size", model.vocabulary)
      .value("max-position-embeddings", std::max(sequence, model.positions));
  if (model.kvHeads != model.heads) lines.flag("group-query-attention").value("num-query-groups", model.kvHeads);
  if (model.headSize * model.heads != model.hidden) lines.value("kv-channels", model.headSize);
  if (model.positions == 0) lines.value("position-embedding-type", "rope");
  if (model.rotaryBase > 0) lines.value("rotary-base", model.rotaryBase);
  if (model.sinks) lines.value("softmax-type", "learnable");
  if (!model.biases) lines.value("normalization", "RMSNorm");
  if (model.gatedMlp) lines.flag("swiglu");
  if (!model.tiedEmbeddings) lines.flag("untie-embeddings-and-output-weights");
  if (!model.hasMatrixBiases()) lines.flag("disable-bias-linear");
  if (model.qkvBias) lines.flag("add-qkv-bias");
  if (model.qkNorm) lines.flag("qk-layernorm");
  // Megatron's defaults are 0.1, with masks that no activation of these models counts.
  if (model.gatedMlp) lines.value("attention-dropout", 0).value("hidden-dropout", 0);
  if (model.kvRank > 0) addLatentAttention(model, lines);
  if (model.experts > 0) addExperts(model, lines);
}

std::string_view contextKindOf(ContextCollective kind) {
  constexpr std::string_view kNames[] = {"p2p", "all_gather", "a2a", "a2a+p2p"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool endsCount(const ModelShape& model, const TrainingPlan& plan, const StageLayout& layout, std::int64_t first,
               std::int64_t last) {
  const std::int64_t units = model.layers + first + last;
  return units % (plan.pipeline * plan.chunks) == 0 &&
         layout == balancedLayout(model.layers, plan.pipeline, plan.chunks, first, last);
}

/// A first and a last stage of their own sizes, the others equal.
bool hasEqualMiddle(const StageLayout& layout, const TrainingPlan& plan) {
  return plan.chunks == 1 && plan.pipeline > 2 &&
         std::all_of(layout.begin() + 1, layout.end() - 1, [&](std::int64_t each) { return each == layout[1]; }) &&
         layout.front() > 0 && layout.back() > 0;
}

/// Virtual stages, and embedding and head as layers where the layers alone do not divide; sizes of the ends; or else
/// the layers of every stage.
void addStages(const ModelShape& model, const TrainingConfiguration& configuration, LaunchLines& lines) {
  const TrainingPlan& plan = configuration.plan;
  const std::int64_t stages = plan.pipeline * plan.chunks;
  const StageLayout layout = chunkLayers(model, configuration);
  const bool even = model.layers % stages == 0 && endsCount(model, plan, layout, 0, 0);
  const bool both = endsCount(model, plan, layout, 1, 1);
  const bool first = !both && endsCount(model, plan, layout, 1, 0);
  const bool last = !both && endsCount(model, plan, layout, 0, 1);
  if (!even && !both && !first && !last && !hasEqualMiddle(layout, plan)) {
    lines.quoted("pipeline-model-parallel-layout", megatronLayoutText(layout));
    return;
  }
  if (even) {
    if (plan.chunks > 1) lines.value("num-layers-per-virtual-pipeline-stage", model.layers / stages);
    return;
  }
  if (plan.chunks > 1) lines.value("num-virtual-stages-per-pipeline-rank", plan.chunks);
  if (both || first) lines.flag("account-for-embedding-in-pipeline-split");
  if (both || last) lines.flag("account-for-loss-in-pipeline-split");
  if (both || first || last) return;
  lines.value("decoder-first-pipeline-num-layers", layout.front())
      .value("decoder-last-pipeline-num-layers", layout.back());
}

void addDegrees(const LaunchedConfiguration& launched, LaunchLines& lines) {
  const TrainingPlan& plan = launched.configuration.plan;
  lines.value("tensor-model-parallel-size", plan.tensor).value("pipeline-model-parallel-size", plan.pipeline);
  if (plan.pipeline > 1) addStages(launched.model, launched.configuration, lines);
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

void addRecomputation(const TrainingConfiguration& configuration, LaunchLines& lines) {
  if (configuration.recomputation == RecomputeKind::Selective) lines.value("recompute-granularity", "selective");
  if (configuration.recomputation != RecomputeKind::Full) return;
  const bool all = configuration.recomputedLayers == 0;
  lines.value("recompute-granularity", "full")
      .value("recompute-method", all ? "uniform" : "block")
      .value("recompute-num-layers", all ? 1 : configuration.recomputedLayers);
}

void addKernels(const TrainingConfiguration& configuration, LaunchLines& lines) {
  lines.flag("bf16");
  if (configuration.precision == ProductPrecision::Fp8) lines.value("fp8-format", "hybrid");
  // Fused products of experts take blocks with a scale each.
  if (configuration.precision == ProductPrecision::Fp8 && hasFusedExperts(configuration)) {
    lines.value("fp8-recipe", "mxfp8");
  }
  if (configuration.precision == ProductPrecision::Fp4) lines.value("fp4-format", "e2m1");
  if (!configuration.fullPrecisionSums) lines.flag("grad-reduce-in-bf16");
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
  addModel(launched.model, plan.sequence, lines);
  addDegrees(launched, lines);
  lines.value("micro-batch-size", plan.microbatch)
      .value("global-batch-size", plan.globalBatch)
      .value("seq-length", plan.sequence);
  addKernels(launched.configuration, lines);
  if (launched.model.experts > 0) addDispatch(launched.configuration, lines);
  addGraphs(launched.model, launched.configuration.graphs, lines);
  addStates(plan, launched.configuration.overlapsData, lines);
  addRecomputation(launched.configuration, lines);
  return lines.text();
}

}  // namespace

const TrainingFramework kMegatron{
    .name = "megatron",
    .label = "Megatron-Core",
    .release = "NVIDIA/Megatron-LM d98e8a6 (2026-08-22)",
    .family = FrameworkFamily::MegatronCore,
    .zeroStages = kZeroStages,
    .schedules = kSchedulesOffered,
    .contextKinds = kContexts,
    .recomputations = kRecomputed,
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
        },
    .applyExpertKernels = applyRecipeKernels,
    .launchText = launchText,
    .environment = environmentOf,
};

}  // namespace p2::inline training
