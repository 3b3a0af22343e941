// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/fields.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/figures.h"

namespace p2::inline workload {
namespace {

/// What whole numbers may be.
struct WholeRange {
  double least;
  double most;
  std::optional<double> none = {};  ///< stands for "follows from the others"
};
constexpr double kMostWhole = 4294967296.0;  // 2^32
constexpr double kMostDevicesOfPlan = 1 << 24;
constexpr double kMostSequences = 1 << 19;
constexpr WholeRange kSizeRange{1, kMostWhole};
constexpr WholeRange kOpenSize{1, kMostWhole, 0};
constexpr WholeRange kMaybeSize{0, kMostWhole};
constexpr WholeRange kMaybeParameters{0, 72057594037927936.0};  // 2^56
constexpr WholeRange kDegree{1, kMostDevicesOfPlan};
constexpr WholeRange kOpenDegree{1, kMostDevicesOfPlan, 0};
constexpr WholeRange kMaybeDegree{0, kMostDevicesOfPlan};
constexpr WholeRange kBatch{1, kMostSequences};
constexpr WholeRange kOpenBatch{1, kMostSequences, 0};
constexpr WholeRange kZeroStage{0, 3};

template <auto Member>
constexpr auto whole(WholeRange range, std::string_view key, std::string_view label, std::string_view help) {
  return property<Member>({.key = key,
                           .kind = PropertyKind::Whole,
                           .label = label,
                           .tip = help,
                           .least = range.least,
                           .most = range.most,
                           .none = range.none});
}

template <auto Member>
constexpr auto factor(std::string_view key, std::string_view label, std::string_view help) {
  constexpr double kMostScale = 1e6;
  return property<Member>(
      {.key = key, .kind = PropertyKind::Number, .label = label, .tip = help, .least = 0, .most = kMostScale});
}

template <auto Member>
constexpr auto flag(std::string_view key, std::string_view label, std::string_view help) {
  return property<Member>({.key = key, .kind = PropertyKind::Flag, .label = label, .tip = help});
}

template <auto Member>
constexpr auto text(std::string_view key, std::string_view label, std::string_view help) {
  return property<Member>({.key = key, .label = label, .tip = help});
}

template <auto Member, const auto& Words>
constexpr auto word(std::string_view key, std::string_view label, std::string_view help) {
  return choiceProperty<Member, Words>({.key = key, .label = label, .tip = help});
}

template <class E>
using Word = std::pair<E, std::string_view>;

constexpr std::array kFormatWords{
    Word<NumberFormat>{NumberFormat::Bf16, "bf16"}, Word<NumberFormat>{NumberFormat::Fp16, "fp16"},
    Word<NumberFormat>{NumberFormat::Fp32, "fp32"}, Word<NumberFormat>{NumberFormat::Fp8, "fp8"}};
constexpr std::array kDispatchWords{kFormatWords[0], kFormatWords[1], kFormatWords[2], kFormatWords[3],
                                    Word<NumberFormat>{NumberFormat::Fp8Blocks, "fp8-blocks"}};
constexpr std::array kSequenceWords{Word<SequenceParallelism>{SequenceParallelism::None, "none"},
                                    Word<SequenceParallelism>{SequenceParallelism::Megatron, "megatron"},
                                    Word<SequenceParallelism>{SequenceParallelism::Torch, "torch"}};
constexpr auto contextWord(ContextCollective kind) { return Word<ContextCollective>{kind, nameOf(kind)}; }
constexpr std::array kContextWords{contextWord(ContextCollective::Ring), contextWord(ContextCollective::AllGather),
                                   contextWord(ContextCollective::AllToAll), contextWord(ContextCollective::Hierarchy)};
constexpr std::array kRecomputeWords{Word<bool>{false, "none"}, Word<bool>{true, "full"}};

constexpr std::array kModelFields{

    text<&ModelShape::name>("name", "Name", "Name of the model"),
    whole<&ModelShape::layers>(kSizeRange, "layers", "Layers", "L, transformer layers"),
    whole<&ModelShape::hidden>(kSizeRange, "hidden", "Hidden size", "h, elements of a token between layers"),
    whole<&ModelShape::ffn>(kOpenSize, "ffn", "MLP size", "f, elements inside the MLP of a dense layer"),
    whole<&ModelShape::heads>(kSizeRange, "heads", "Heads", "a, attention heads"),
    whole<&ModelShape::kvHeads>(kOpenSize, "kv_heads", "KV heads",
                                "g, heads of keys and values; 0 for as many as heads"),
    whole<&ModelShape::headSize>(kOpenSize, "head_size", "Head size",
                                 "d_h, elements of a head; 0 for hidden size by heads"),
    whole<&ModelShape::vocabulary>(kSizeRange, "vocabulary", "Vocabulary", "V, tokens"),
    whole<&ModelShape::experts>(kMaybeSize, "experts", "Experts", "E, routed experts of a layer; 0 for a dense model"),
    whole<&ModelShape::expertsPerToken>(kMaybeSize, "experts_per_token", "Experts per token",
                                        "k, experts that each token goes to"),
    whole<&ModelShape::expertFfn>(kMaybeSize, "expert_ffn", "Expert size",
                                  "Elements inside one expert; 0 for the MLP size"),
    whole<&ModelShape::sharedFfn>(kMaybeSize, "shared_ffn", "Shared experts' size",
                                  "Elements inside all shared experts together"),
    whole<&ModelShape::denseLayers>(kMaybeSize, "dense_layers", "Dense layers",
                                    "Dense layers before the first layer with experts"),
    whole<&ModelShape::expertStep>(kMaybeSize, "expert_step", "Step of experts",
                                   "Interval of layers with experts: 2 for every second layer, 0 for every layer"),
    whole<&ModelShape::expertGroups>(kMaybeSize, "expert_groups", "Groups of experts",
                                     "Number of equal groups that experts are divided into; 0 for one on every node"),
    whole<&ModelShape::groupsPerToken>(kMaybeSize, "groups_per_token", "Groups per token",
                                       "Largest number of expert groups that a token goes to; 0 for no limit"),
    factor<&ModelShape::routerScale>("router_scale", "Router scale",
                                     "Factor of the routed experts' output (routed_scaling_factor), which only launch "
                                     "flags need; 0 for none"),
    factor<&ModelShape::auxiliaryLoss>("auxiliary_loss", "Balancing loss",
                                       "Weight of the loss that balances experts (router_aux_loss_coef), which only "
                                       "launch flags need; 0 where it is not stated"),
    flag<&ModelShape::routerBias>("router_bias", "Router bias", "Whether the router has a bias for every expert"),
    flag<&ModelShape::sharedGate>("shared_gate", "Shared gate", "Whether the shared experts have a gate"),
    flag<&ModelShape::gatedMlp>("gated_mlp", "Gated MLP", "Whether an MLP has three matrices (SwiGLU) instead of two"),
    flag<&ModelShape::biases>("biases", "Biases", "Whether all matrices and norms have a bias, as in GPT"),
    flag<&ModelShape::matrixBiases>("matrix_biases", "Matrix biases",
                                    "Whether all matrices have a bias but norms have none, as in gpt-oss"),
    flag<&ModelShape::qkvBias>("qkv_bias", "QKV bias",
                               "Whether only queries, keys and values have a bias, as in Qwen2"),
    flag<&ModelShape::qkNorm>("qk_norm", "QK norm", "Whether queries and keys have norms, as in Qwen3"),
    flag<&ModelShape::wideQkNorm>("wide_qk_norm", "Wide QK norm",
                                  "Whether queries and keys have norms over all heads, as in OLMo 2"),
    flag<&ModelShape::postNorms>("post_norms", "Post norms",
                                 "Whether norms also follow attention and MLP, as in Gemma 2"),
    flag<&ModelShape::sinks>("sinks", "Sinks", "Whether every head has a learned attention sink, as in gpt-oss"),
    flag<&ModelShape::tiedEmbeddings>("tied_embeddings", "Tied embeddings",
                                      "Whether the head shares the embedding's matrix"),
    flag<&ModelShape::finalNorm>("final_norm", "Final norm", "Whether there is a norm before the head"),
    factor<&ModelShape::normEpsilon>("norm_epsilon", "Epsilon of norms",
                                     "Number that norms add to variances (rms_norm_eps), which only launch flags need; "
                                     "0 where it is not stated"),
    whole<&ModelShape::positions>(kMaybeSize, "positions", "Learned positions",
                                  "Number of learned position embeddings; 0 for rotary ones"),
    whole<&ModelShape::rotaryBase>(kMaybeParameters, "rotary_base", "Rotary base",
                                   "Base of rotary positions (rope_theta), which only launch flags need; 0 where it is "
                                   "not stated"),
    factor<&ModelShape::rotaryShare>("rotary_share", "Rotary share",
                                     "Share of a head's dimensions that rotate (partial_rotary_factor), which only "
                                     "launch flags need; 0 for all"),
    factor<&ModelShape::ropeFactor>("rope_factor", "Rotary factor",
                                    "Factor that stretches rotary positions (rope_scaling), which only launch flags "
                                    "need; 0 for none"),
    factor<&ModelShape::ropeMagnitude>("rope_magnitude", "Rotary magnitude",
                                       "Both mscale and mscale_all_dim of YaRN, which only launch flags need; 0 where "
                                       "they are not stated"),
    whole<&ModelShape::window>(kMaybeSize, "window", "Window",
                               "Largest number of tokens that one attends to, itself among them; 0 for all before it"),
    whole<&ModelShape::windowStep>(kMaybeSize, "window_step", "Step of full attention",
                                   "Interval of layers without a window: 6 for every sixth layer, 0 for none"),
    whole<&ModelShape::windowLayers>(kMaybeSize, "window_layers", "Layers with a window",
                                     "Number of layers with a window where they come at no interval; 0 counts "
                                     "them by the interval"),
    flag<&ModelShape::windowChunks>("window_chunks", "Chunks",
                                    "Whether tokens attend within chunks of that many tokens, as in Llama 4"),
    whole<&ModelShape::qRank>(kMaybeSize, "q_rank", "Query rank",
                              "Rank of the queries in latent attention; 0 for full"),
    whole<&ModelShape::kvRank>(kMaybeSize, "kv_rank", "KV rank",
                               "Rank of keys and values in latent attention; 0 without it"),
    whole<&ModelShape::ropeSize>(kMaybeSize, "rope_size", "Rotary part",
                                 "Elements of a head with rotary positions, in latent attention"),
    whole<&ModelShape::nopeSize>(kMaybeSize, "nope_size", "Other part",
                                 "Elements of a head without positions, in latent attention"),
    whole<&ModelShape::valueSize>(kMaybeSize, "value_size", "Value size",
                                  "Elements of a head's values, in latent attention"),
    whole<&ModelShape::mixerParameters>(kMaybeParameters, "mixer_parameters", "Mixer parameters",
                                        "Parameters of attention or the block in its place, as a mean over layers; 0 "
                                        "derives them from the heads"),
    whole<&ModelShape::otherParameters>(kMaybeParameters, "other_parameters", "Other parameters",
                                        "Parameters outside of layers, embedding, head and last norm"),
    text<&ModelShape::otherBlocks>("other_blocks", "Other blocks",
                                   "Blocks that some layers have in the place of attention, as in Mamba-2 blocks"),
};

constexpr std::array kPlanFields{

    whole<&TrainingPlan::devices>(kMaybeDegree, "devices", "Devices",
                                  "Number of devices, the product of the degrees; 0 derives it from them"),
    whole<&TrainingPlan::data>(kOpenDegree, "dp", "Data parallel",
                               "d, degree of data parallelism with replicas; 0: devices divided by the other degrees"),
    whole<&TrainingPlan::replicas>(kDegree, "replicas", "Replicas",
                                   "Replicas of the shards (HSDP); parameters are sharded over the rest of dp"),
    whole<&TrainingPlan::tensor>(kDegree, "tp", "Tensor parallel", "t, degree of tensor parallelism"),
    whole<&TrainingPlan::context>(kDegree, "cp", "Context parallel", "c, degree of context parallelism"),
    whole<&TrainingPlan::contextInner>(kMaybeDegree, "cp_inner", "Inner context",
                                       "Devices of a group under cp_kind a2a+p2p, a divisor of cp"),
    whole<&TrainingPlan::pipeline>(kDegree, "pp", "Pipeline parallel", "p, pipeline stages"),
    whole<&TrainingPlan::chunks>(kDegree, "vpp", "Virtual stages", "v, chunks of layers on every stage"),
    whole<&TrainingPlan::expert>(kDegree, "ep", "Expert parallel", "e, degree of expert parallelism"),
    whole<&TrainingPlan::expertTensor>(kDegree, "etp", "Expert tensor parallel",
                                       "t_e, degree of tensor parallelism inside experts"),
    whole<&TrainingPlan::sequence>(kSizeRange, "sequence", "Sequence", "s, tokens of a sequence"),
    whole<&TrainingPlan::microbatch>(kBatch, "microbatch", "Microbatch", "b, sequences of a microbatch"),
    whole<&TrainingPlan::microbatches>(kOpenBatch, "microbatches", "Microbatches",
                                       "m, microbatches of a step; 0 derives them from the global batch"),
    whole<&TrainingPlan::globalBatch>(kOpenSize, "global_batch", "Global batch",
                                      "b·m·d, sequences of a step; 0 derives them from the microbatches"),
    word<&TrainingPlan::activations, kFormatWords>("activations", "Activations", "Number format of activations"),
    word<&TrainingPlan::parameters, kFormatWords>("parameters", "Parameters", "Number format of gathered parameters"),
    word<&TrainingPlan::gradients, kFormatWords>("gradients", "Gradients", "Number format of reduced gradients"),
    word<&TrainingPlan::dispatch, kDispatchWords>("dispatch", "Dispatch", "Number format of tokens sent to experts"),
    whole<&TrainingPlan::zero>(kZeroStage, "zero", "ZeRO stage",
                               "0 none, 1 optimizer states, 2 gradients, 3 parameters are sharded"),
    flag<&TrainingPlan::reshard>("reshard", "Reshard", "ZeRO-3: gather parameters again in the backward pass"),
    flag<&TrainingPlan::accumulate>("accumulate", "Accumulate", "ZeRO-2, 3: reduce gradients once a step"),
    word<&TrainingPlan::sequenceParallel, kSequenceWords>("sp", "Sequence parallel",
                                                          "Kind of sequence parallelism within tensor parallelism"),
    word<&TrainingPlan::contextCollective, kContextWords>(
        "cp_kind", "Context collective", "How keys and values reach the other devices of context parallelism"),
    flag<&TrainingPlan::tensorOverlap>("tp_overlap", "TP overlap", "Tensor parallelism overlaps with computation"),
    flag<&TrainingPlan::expertOverlap>("ep_overlap", "EP overlap", "Dispatch and combine overlap with computation"),
    word<&TrainingPlan::recompute, kRecomputeWords>("recompute", "Recomputation",
                                                    "Parts that the backward pass recomputes"),
    text<&TrainingPlan::order>("order", "Order", "Order of the axes, innermost first: tp-cp-ep-dp-pp"),
    flag<&TrainingPlan::layersOnly>("layers_only", "Layers only", "Leave out embeddings, head, loss and norms"),
    property<&TrainingPlan::computeSeconds>({.key = "compute_seconds",
                                             .kind = PropertyKind::Seconds,
                                             .label = "Computation",
                                             .tip = "Seconds of computation in a step; 0 if unknown",
                                             .most = kTimeRange.most}),
};

}  // namespace

std::span<const Property<ModelShape>> modelFields() { return kModelFields; }
std::span<const Property<TrainingPlan>> planFields() { return kPlanFields; }

Result<void> applyChange(const PlanChange& change, ModelShape& model, TrainingPlan& plan) {
  std::string key = change.key;
  std::replace(key.begin(), key.end(), '-', '_');
  if (const auto* field = propertyOf(planFields(), key)) return setProperty(*field, plan, change.value);
  if (const auto* field = propertyOf(modelFields(), key)) return setProperty(*field, model, change.value);
  std::string known;
  for (const auto& field : planFields()) known += (known.empty() ? "" : ", ") + std::string(field.info.key);
  for (const auto& field : modelFields()) known += ", " + std::string(field.info.key);
  return Error{"nothing is called \"" + change.key + "\"; use one of " + known};
}

Result<void> applyChanges(std::span<const PlanChange> changes, ModelShape& model, TrainingPlan& plan) {
  for (const PlanChange& change : changes) P2_TRY(applyChange(change, model, plan));
  return {};
}

}  // namespace p2::inline workload
