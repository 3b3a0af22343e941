// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "training/detail/recomputation.h"
#include "training/stage_layouts.h"
#include "workload/generate/training_plan.h"

namespace p2::inline training {

/// In which order the stages of a pipeline take forward and backward passes.
enum class ScheduleKind {
  GPipe,        ///< all forward passes, then all backward passes (Huang et al., NeurIPS 2019)
  OneF1B,       ///< one forward, one backward; interleaved where TrainingPlan::chunks > 1 (Narayanan et al., SC 2021)
  ZeroBubble1,  ///< ZB-H1: the gradient of the weights fills the bubble, memory as 1F1B (Qi et al., arXiv 2401.10241)
  ZeroBubble2,  ///< ZB-H2: twice the activations in flight, no bubble where the passes are equal
  ZeroBubbleV,  ///< ZB-V: two chunks a stage, the second in reverse order (Qi et al., arXiv 2405.15362)
  DualPipe,     ///< microbatches from both ends, two copies of the parameters (DeepSeek-V3, arXiv 2412.19437)
};
inline constexpr std::array<std::string_view, 6> kSchedules{"gpipe", "1f1b", "zb1p", "zb2p", "zbv", "dualpipe"};

/// Frameworks whose steps cost the same beyond the work of their kernels.
enum class FrameworkFamily {
  MegatronEager,  ///< Megatron-LM and Megatron-DeepSpeed to 2022: eager kernels, little overlap
  MegatronCore,   ///< Megatron-Core with Transformer Engine: NeMo, Megatron-Bridge
  Fsdp,           ///< PyTorch FSDP: llm-foundry, TorchTitan
  DeepSpeed,      ///< DeepSpeed's ZeRO-3
  Jax,            ///< compiled: MaxText, Paxml
  MlPerf,         ///< NVIDIA's MLPerf submissions: Megatron-Core with CUDA graphs
};
inline constexpr std::array<std::string_view, 6> kFrameworkFamilies{"megatron-eager", "megatron-core", "fsdp",
                                                                    "deepspeed",      "jax",           "mlperf"};

/// The type of numbers that large products multiply; everything else is computed in 16 bits.
enum class ProductPrecision { Bf16, Fp8, Fp4 };
inline constexpr std::array<std::string_view, 3> kProductPrecisions{"bf16", "fp8", "fp4"};

/// How the tokens of a mixture go to their experts and back.
enum class ExpertDispatch {
  AllToAll,  ///< a copy of a token for each of its experts by NCCL's AllToAll; the host waits for their numbers
  DeepEp,    ///< a token goes to a node once, and is copied to its experts there (github.com/deepseek-ai/DeepEP)
  HybridEp,  ///< like DeepEP, with the permutation of tokens in its kernels (DeepEP, branch hybrid-ep)
};
inline constexpr std::array<std::string_view, 3> kExpertDispatches{"alltoall", "deepep", "hybridep"};

/// The kernels that are started from recorded CUDA graphs.
enum class GraphScope {
  None,
  Routing,  ///< the router of a mixture and the preparation of its tokens
  Layers,   ///< layers but the experts of mixtures, whose numbers of tokens are not known before
  All,      ///< the whole step
};
inline constexpr std::array<std::string_view, 4> kGraphScopes{"none", "routing", "layers", "all"};

[[nodiscard]] std::string_view nameOf(ScheduleKind schedule);
[[nodiscard]] std::string_view nameOf(FrameworkFamily family);
[[nodiscard]] std::string_view nameOf(ProductPrecision precision);
[[nodiscard]] std::string_view nameOf(ExpertDispatch dispatch);
[[nodiscard]] std::string_view nameOf(GraphScope graphs);
/// By name; the errors list the names. "interleaved" is 1f1b; whether it is, TrainingPlan::chunks says.
[[nodiscard]] Result<ScheduleKind> scheduleKindFrom(std::string_view name);
/// "mxfp8" and "fp8-cs" are fp8, "nvfp4" is fp4, "fp16" is bf16: same peaks, other scales.
[[nodiscard]] Result<ProductPrecision> productPrecisionFrom(std::string_view name);
[[nodiscard]] Result<ExpertDispatch> expertDispatchFrom(std::string_view name);
[[nodiscard]] Result<GraphScope> graphScopeFrom(std::string_view name);

/// One way to train a model: the plan of its degrees and sizes, and what else decides how long a step takes.
struct TrainingConfiguration {
  /// Degrees, sequence, batches, ZeRO stage, sequence parallelism. Resolved; TrainingPlan::recompute is not read here,
  /// `recomputation` is (see workloadPlanOf()).
  TrainingPlan plan = {};
  RecomputeKind recomputation = RecomputeKind::None;
  RecomputedModules recomputedModules = {};  ///< for Selective; empty for the framework's own choice
  std::int64_t recomputedLayers = 0;         ///< for Full: only this many first layers of a stage; 0 for all
  /// Further tokens that the model learns to predict, each by a layer, a projection and the head again behind the last
  /// layer (multi-token prediction, arXiv 2412.19437, §2.2).
  std::int64_t predictedTokens = 0;
  ScheduleKind schedule = ScheduleKind::OneF1B;
  /// Layers of every virtual stage in the order of the model (StageLayout), or of every stage, of all its chunks
  /// together; empty for as even as they divide.
  std::vector<std::int64_t> layersPerStage = {};
  FrameworkFamily family = FrameworkFamily::MegatronCore;
  ProductPrecision precision = ProductPrecision::Bf16;
  bool fusedAttention = true;  ///< FlashAttention or cuDNN's; else scores go to memory
  bool compiled = false;       ///< element-wise kernels are fused by torch.compile; always so in FrameworkFamily::Jax
  bool overlaps = true;        ///< communication is hidden behind computation as far as the framework can
  bool overlapsData = true;    ///< also data parallelism (--overlap-grad-reduce); only where `overlaps`
  bool fusedLoss = false;      ///< softmax and loss in one kernel that overwrites logits with their gradient
  GraphScope graphs = GraphScope::None;
  /// The host waits for every kernel before it starts the next (CUDA_LAUNCH_BLOCKING=1): nothing overlaps.
  bool blockingLaunches = false;
  ExpertDispatch dispatch = ExpertDispatch::AllToAll;  ///< of mixtures
  /// Every expert of a mixture gets its capacity of tokens, padded or with the others dropped: the host need not know
  /// their numbers.
  bool padsExperts = false;
  /// Of mixtures: copies of tokens at the fullest device of an expert group over their even part. That device decides
  /// how long routed experts take.
  double expertImbalance = 1;
  /// Of pipelines: the host of a stage waits for every message, and sends and receives one after the other (DeepSpeed's
  /// pipeline engine, also under Megatron's kernels; NeuronX Distributed). Always so in FrameworkFamily::DeepSpeed.
  bool blockingPipeline = false;
  bool deterministic = false;     ///< kernels without atomic sums
  bool adapters = false;          ///< LoRA: no gradients of the weights, no optimizer states of them
  bool fullPrecisionSums = true;  ///< gradients accumulate and are reduced in fp32 (Megatron with bf16)
  /// Parameters are kept and gathered in 8 bits, without a copy in 16 (Megatron's --fp8-param-gather).
  bool fp8Parameters = false;
  /// Numbers in 8 bits have a scale for every 32 (MXFP8), with which parameters are gathered in 16 bits.
  bool microScales = false;
  bool halfMoments = false;  ///< Adam's moments are kept in 16 bits (Megatron's precision-aware optimizer)
  /// Of FSDP: parameters and moments are kept in 16 bits as well, without a copy in fp32.
  bool halfStates = false;
  /// Of tensor parallelism: every device has the whole embedding, and logits are gathered for the loss.
  bool wholeEnds = false;
  bool causal = true;     ///< attention looks at earlier tokens alone
  double powerShare = 1;  ///< power limit of a device over its generation's reference
  double ownerBroadcasts =
      0;  ///< ranks whose updated parameters are broadcast one after the other (InternEvo's ZeRO-1)

  friend bool operator==(const TrainingConfiguration&, const TrainingConfiguration&) = default;
};

/// Layers of every virtual stage, in the order of the model: layersPerStage, or as even as they divide, longer ones
/// first. Where (L + 2) divides by the virtual stages and L does not, the first and the last one have one less, for
/// embedding and head. Without chunks, and where chunks are whole stages (DualPipe), one number for every stage.
[[nodiscard]] StageLayout chunkLayers(const ModelShape& model, const TrainingConfiguration& configuration);
/// Layers of every stage, of all its chunks together.
[[nodiscard]] std::vector<std::int64_t> stageLayers(const ModelShape& model,
                                                    const TrainingConfiguration& configuration);
/// Whether a microbatch goes through the second chunks of stages from the last stage on.
[[nodiscard]] inline bool returnsThroughStages(ScheduleKind schedule) { return schedule == ScheduleKind::ZeroBubbleV; }
/// The layout as a configuration states it: empty where the layers, alone or with embedding and head, divide by the
/// virtual stages and it is what chunkLayers() gives anyway.
[[nodiscard]] StageLayout statedLayout(const ModelShape& model, TrainingConfiguration configuration,
                                       const StageLayout& layout);
/// "20 each", "4 each, first 3, last 2": layers of the stages in words, of the chunks where stages have several.
[[nodiscard]] std::string layoutText(const ModelShape& model, const TrainingConfiguration& configuration);
/// The plan with its recomputation written in: what core/workload generates communication from.
[[nodiscard]] TrainingPlan workloadPlanOf(const TrainingConfiguration& configuration);
/// Preconditions of pricing a step: a plan whose degrees and batches fit together. The error's position is the
/// field's key, as in planFields(). Rules of frameworks, such as divisible heads, are not asked here.
[[nodiscard]] Result<void> checkConfiguration(const ModelShape& model, const TrainingConfiguration& configuration);
/// "HybridEP"
[[nodiscard]] std::string dispatchText(ExpertDispatch dispatch);
/// "CUDA graphs of layers"
[[nodiscard]] std::string graphsText(GraphScope graphs);
[[nodiscard]] inline RecomputeChoice recomputationOf(const TrainingConfiguration& configuration) {
  return {configuration.recomputation, configuration.recomputedModules};
}
inline void setRecomputation(TrainingConfiguration& configuration, const RecomputeChoice& recomputation) {
  configuration.recomputation = recomputation.kind;
  configuration.recomputedModules = recomputation.modules;
}
/// "tp 8, pp 4, dp 16, microbatch 1 of 32, ZeRO 1, full recomputation, 1f1b"
[[nodiscard]] std::string describe(const TrainingConfiguration& configuration);
/// Whether one kernel computes a product for all experts of a device, with its activation function and casts, and the
/// device never waits for the host. A CUDA graph of the whole step needs both (Megatron-Core from 2026 on).
[[nodiscard]] inline bool hasFusedExperts(const TrainingConfiguration& configuration) {
  return configuration.graphs == GraphScope::All && configuration.dispatch == ExpertDispatch::HybridEp;
}
/// Whether parameters travel in 8 bits. With scales of blocks they do not: Megatron-Core gathers them in the buffer of
/// gradients, in 16 bits (megatron/core/distributed/param_and_grad_buffer.py).
[[nodiscard]] inline bool gathersEightBits(const TrainingConfiguration& configuration) {
  return configuration.fp8Parameters && !configuration.microScales && !hasFusedExperts(configuration);
}
/// Whether selective recomputation without named modules repeats attention's core: always unfused, and in Megatron-Core
/// with fused kernels as well (megatron/core/transformer/attention.py, checkpoint_core_attention).
[[nodiscard]] inline bool repeatsCore(const TrainingConfiguration& configuration) {
  return !configuration.fusedAttention || configuration.family == FrameworkFamily::MegatronCore ||
         configuration.family == FrameworkFamily::MlPerf;
}
/// 1F1B with several chunks on a stage.
[[nodiscard]] bool isInterleaved(const TrainingConfiguration& configuration);
/// The schedule in a sentence: "interleaved 1F1B".
[[nodiscard]] std::string describeSchedule(const TrainingConfiguration& configuration);

}  // namespace p2::inline training
