// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training_files/detail/file_format.h"
#include "training_files/detail/megatron_settings.h"
#include "training_files/detail/megatron_values.h"

namespace p2::inline training_files {
namespace {

using namespace megatron_values;
using settings::factor;
using settings::flag;
using settings::kCountNeed;
using settings::kFactorNeed;
using settings::kFlagNeed;
using settings::launchFactor;
using settings::nothing;
using settings::shape;
using settings::shapeFactor;
using settings::shapeFlag;
using settings::whole;

constexpr std::array kKnown{
    KnownSetting{"tensor_model_parallel_size", "tp", whole<&StatedTraining::tensor>, kCountNeed},
    KnownSetting{"tensor_parallelism", "tp", whole<&StatedTraining::tensor>, kCountNeed},
    KnownSetting{"pipeline_model_parallel_size", "pp", whole<&StatedTraining::pipeline>, kCountNeed},
    KnownSetting{"pipeline_parallelism", "pp", whole<&StatedTraining::pipeline>, kCountNeed},
    KnownSetting{"virtual_pipeline_model_parallel_size", "vpp", whole<&StatedTraining::chunks>, kCountNeed},
    KnownSetting{"virtual_pipeline_parallelism", "vpp", whole<&StatedTraining::chunks>, kCountNeed},
    KnownSetting{"num_virtual_stages_per_pipeline_rank", "vpp", whole<&StatedTraining::chunks>, kCountNeed},
    KnownSetting{"num_layers_per_virtual_pipeline_stage", "layers of a virtual stage",
                 whole<&StatedTraining::chunkLayers>, kCountNeed},
    KnownSetting{"context_parallel_size", "cp", whole<&StatedTraining::context>, kCountNeed},
    KnownSetting{"context_parallelism", "cp", whole<&StatedTraining::context>, kCountNeed},
    KnownSetting{"cp_comm_type", "kind of cp", contextKind, "p2p, all_gather, a2a or a2a+p2p"},
    KnownSetting{"hierarchical_context_parallel_sizes", "groups of cp", contextSizes, "sizes, as in 2 4"},
    KnownSetting{"expert_model_parallel_size", "ep", whole<&StatedTraining::expert>, kCountNeed},
    KnownSetting{"expert_parallelism", "ep", whole<&StatedTraining::expert>, kCountNeed},
    KnownSetting{"expert_tensor_parallel_size", "etp", whole<&StatedTraining::expertTensor>, kCountNeed},
    KnownSetting{"sequence_parallel", "sp", flag<&StatedTraining::sequenceParallel>, kFlagNeed},
    KnownSetting{"sequence_parallelism", "sp", flag<&StatedTraining::sequenceParallel>, kFlagNeed},
    KnownSetting{"use_tp_pp_dp_mapping", "order of ranks", innerPipeline, kFlagNeed},
    KnownSetting{"use_torch_fsdp2", "ZeRO 3", fullySharded, kFlagNeed},
    KnownSetting{"use_megatron_fsdp", "ZeRO 3", fullySharded, kFlagNeed},
    KnownSetting{"use_custom_fsdp", "ZeRO 3", fullySharded, kFlagNeed},
    KnownSetting{"data_parallel_sharding_strategy", "ZeRO stage of FSDP", shardingStrategy},
    KnownSetting{"use_distributed_optimizer", "ZeRO 1", zeroOne, kFlagNeed},
    KnownSetting{"optim.name", "ZeRO stage", optimizerName},
    KnownSetting{"optim.overlap_grad_sync", "dp overlapped", flag<&StatedTraining::overlapsData>, kFlagNeed},
    KnownSetting{"optim.grad_sync_dtype", "type in which gradients are summed", sumsIn},
    KnownSetting{"num_distributed_optimizer_instances", "replicas", whole<&StatedTraining::replicas>, kCountNeed},
    KnownSetting{"micro_batch_size", "microbatch", whole<&StatedTraining::microbatch>, kCountNeed},
    KnownSetting{"global_batch_size", "batch", whole<&StatedTraining::globalBatch>, kCountNeed},
    KnownSetting{"seq_length", "sequence", whole<&StatedTraining::sequence>, kCountNeed},
    KnownSetting{"encoder_seq_length", "sequence", whole<&StatedTraining::sequence>, kCountNeed},
    KnownSetting{"bf16", "16 bits", sixteenBits, kFlagNeed},
    KnownSetting{"fp16", "16 bits", sixteenBits, kFlagNeed},
    KnownSetting{"fp8_format", "fp8", eightBits},
    KnownSetting{"fp8", "fp8", eightBits},
    KnownSetting{"fp4_format", "fp4", fourBits},
    KnownSetting{"fp4", "fp4", fourBits},
    KnownSetting{"fp8_recipe", "scales of fp8", fp8Scales},
    KnownSetting{"fp8_param_gather", "parameters in fp8", flag<&StatedTraining::fp8Parameters>, kFlagNeed},
    KnownSetting{"fp8_param", "parameters in fp8", flag<&StatedTraining::fp8Parameters>, kFlagNeed},
    KnownSetting{"reuse_grad_buf_for_mxfp8_param_ag", "buffer of gathered parameters", nothing},
    KnownSetting{"mixed_precision", "precision", mixedPrecision},
    KnownSetting{"trainer.precision", "precision", mixedPrecision},
    KnownSetting{"recompute_granularity", "recomputation", granularity, "none, selective or full"},
    KnownSetting{"activations_checkpoint_granularity", "recomputation", granularity, "null, selective or full"},
    KnownSetting{"recompute_num_layers", "recomputed layers", whole<&StatedTraining::recomputedLayers, 0>,
                 "a whole number of 0 or more"},
    KnownSetting{"recompute_activations", "selective recomputation", selective, kFlagNeed},
    KnownSetting{"checkpoint_activations", "full recomputation", fullMethod},
    KnownSetting{"activations_checkpoint_method", "full recomputation", fullMethod},
    KnownSetting{"recompute_method", "recomputation, uniform or first layers", recomputeMethod},
    KnownSetting{"recompute_modules", "recomputed modules", recomputedModules},
    KnownSetting{"moe_layer_recompute", "recomputed experts", recomputedExperts, kFlagNeed},
    KnownSetting{"overlap_grad_reduce", "dp overlapped", flag<&StatedTraining::overlapsData>, kFlagNeed},
    KnownSetting{"overlap_param_gather", "dp overlapped", nothing},
    KnownSetting{"tp_comm_overlap", "tp overlapped", flag<&StatedTraining::tensorOverlap>, kFlagNeed},
    KnownSetting{"ub_tp_comm_overlap", "tp overlapped", flag<&StatedTraining::tensorOverlap>, kFlagNeed},
    KnownSetting{"overlap_moe_expert_parallel_comm", "ep overlapped", flag<&StatedTraining::expertOverlap>, kFlagNeed},
    KnownSetting{"delay_wgrad_compute", "gradients of weights behind dispatch", nothing},
    KnownSetting{"attention_backend", "kernel of attention", attentionBackend},
    KnownSetting{"use_flash_attn", "fused attention", flag<&StatedTraining::fusedAttention>, kFlagNeed},
    KnownSetting{"cuda_graph_impl", "CUDA graphs", graphs},
    KnownSetting{"enable_cuda_graph", "CUDA graphs", graphs},
    KnownSetting{"external_cuda_graph", "CUDA graphs", graphs},
    KnownSetting{"cuda_graph_modules", "parts in CUDA graphs", graphModules},
    KnownSetting{"cuda_graph_scope", "parts in CUDA graphs", graphModules},
    KnownSetting{"deterministic_mode", "deterministic kernels", flag<&StatedTraining::deterministic>, kFlagNeed},
    KnownSetting{"grad_reduce_in_bf16", "gradients summed in 16 bits", sumsIn16, kFlagNeed},
    KnownSetting{"grad_reduce_in_fp32", "gradients summed in fp32", flag<&StatedTraining::fullPrecisionSums>,
                 kFlagNeed},
    KnownSetting{"accumulate_allreduce_grads_in_fp32", "gradients summed in fp32",
                 flag<&StatedTraining::fullPrecisionSums>, kFlagNeed},
    KnownSetting{"cross_entropy_loss_fusion", "fused loss", flag<&StatedTraining::fusesLoss>, kFlagNeed},
    KnownSetting{"cross_entropy_fusion_impl", "kernel of the loss", lossFusion},
    KnownSetting{"exp_avg_dtype", "moments of Adam", momentType},
    KnownSetting{"exp_avg_sq_dtype", "moments of Adam", momentType},
    KnownSetting{"use_precision_aware_optimizer", "types of the optimizer", nothing},
    KnownSetting{"cpu_offloading_num_layers", "activations on the host", offloaded},
    KnownSetting{"fine_grained_activation_offloading", "activations on the host", offloaded},
    KnownSetting{"step_batch_size_schedule", "batch", batchSchedule, "batches by tokens, as in 0:16 1B:32"},
    KnownSetting{"mtp_num_layers", "multi-token prediction", predictedTokens, "a whole number of 0 or more"},
    KnownSetting{"peft_scheme", "adapters", adapters},
    KnownSetting{"decoder_first_pipeline_num_layers", "layers of the first stage",
                 whole<&StatedTraining::firstStageLayers>, kCountNeed},
    KnownSetting{"decoder_last_pipeline_num_layers", "layers of the last stage",
                 whole<&StatedTraining::lastStageLayers>, kCountNeed},
    KnownSetting{"num_layers_in_first_pipeline_stage", "layers of the first stage",
                 whole<&StatedTraining::firstStageLayers>, kCountNeed},
    KnownSetting{"num_layers_in_last_pipeline_stage", "layers of the last stage",
                 whole<&StatedTraining::lastStageLayers>, kCountNeed},
    KnownSetting{"account_for_embedding_in_pipeline_split", "embedding as a layer", embeddingCounts, kFlagNeed},
    KnownSetting{"account_for_loss_in_pipeline_split", "head as a layer", headCounts, kFlagNeed},
    KnownSetting{"pipeline_model_parallel_layout", "layers of every virtual stage", stageLayout,
                 "stages as in Et*3|(tt|)*29,m|L, or a list of lists"},
    KnownSetting{"num_layers", "layers", shape<&ModelShape::layers>, kCountNeed},
    KnownSetting{"hidden_size", "width", shape<&ModelShape::hidden>, kCountNeed},
    KnownSetting{"ffn_hidden_size", "width of the MLP", shape<&ModelShape::ffn>, kCountNeed},
    KnownSetting{"num_attention_heads", "heads", shape<&ModelShape::heads>, kCountNeed},
    KnownSetting{"num_query_groups", "heads of keys and values", shape<&ModelShape::kvHeads>, kCountNeed},
    KnownSetting{"num_key_value_heads", "heads of keys and values", shape<&ModelShape::kvHeads>, kCountNeed},
    KnownSetting{"group_query_attention", "heads of keys and values", nothing},
    KnownSetting{"kv_channels", "head size", shape<&ModelShape::headSize>, kCountNeed},
    KnownSetting{"vocab_size", "vocabulary", shape<&ModelShape::vocabulary>, kCountNeed},
    KnownSetting{"swiglu", "gated MLP", shapeFlag<&ModelShape::gatedMlp>, kFlagNeed},
    KnownSetting{"quick_geglu", "gated MLP", shapeFlag<&ModelShape::gatedMlp>, kFlagNeed},
    KnownSetting{"glu_linear_offset", "activation", nothing},
    KnownSetting{"activation_func_clamp_value", "activation", nothing},
    KnownSetting{"gated_linear_unit", "gated MLP", shapeFlag<&ModelShape::gatedMlp>, kFlagNeed},
    KnownSetting{"untie_embeddings_and_output_weights", "head of its own",
                 shapeFlag<&ModelShape::tiedEmbeddings, false>, kFlagNeed},
    KnownSetting{"share_embeddings_and_output_weights", "head is the embedding", shapeFlag<&ModelShape::tiedEmbeddings>,
                 kFlagNeed},
    KnownSetting{"disable_bias_linear", "no biases", shapeFlag<&ModelShape::biases, false>, kFlagNeed},
    KnownSetting{"add_bias_linear", "biases", shapeFlag<&ModelShape::biases>, kFlagNeed},
    KnownSetting{"add_qkv_bias", "biases of queries, keys and values", shapeFlag<&ModelShape::qkvBias>, kFlagNeed},
    KnownSetting{"qk_layernorm", "norms of queries and keys", shapeFlag<&ModelShape::qkNorm>, kFlagNeed},
    KnownSetting{"attention_dropout", "dropout of attention", attentionDropout, "a number from 0 to 1"},
    KnownSetting{"hidden_dropout", "dropout of layers", hiddenDropout, "a number from 0 to 1"},
    KnownSetting{"position_embedding_type", "positions", positions},
    KnownSetting{"use_rotary_position_embeddings", "positions", rotary},
    KnownSetting{"no_position_embedding", "positions", rotary},
    KnownSetting{"rotary_base", "base of rotary positions", settings::rotaryBase},
    KnownSetting{"rotary_percent", "share of a head that rotates", settings::rotaryShare},
    KnownSetting{"rotary_position_embeddings_theta", "base of rotary positions", settings::rotaryBase},
    KnownSetting{"use_rope_scaling", "stretched positions", flag<&StatedTraining::stretches>, kFlagNeed},
    KnownSetting{"rope_scaling_factor", "stretched positions", factor<&StatedTraining::ropeFactor>, kFactorNeed},
    KnownSetting{"rotary_scaling_factor", "stretched positions", shapeFactor<&ModelShape::ropeFactor>, kFactorNeed},
    KnownSetting{"mscale", "magnitude of stretched positions", shapeFactor<&ModelShape::ropeMagnitude>, kFactorNeed},
    KnownSetting{"mscale_all_dim", "magnitude of stretched positions", factor<&StatedTraining::ropeMagnitudeOfAll>,
                 kFactorNeed},
    KnownSetting{"window_size", "window of attention", windowSize, "tokens before and behind one, as in 127,0"},
    KnownSetting{"window_attn_skip_freq", "layers without a window", windowPattern,
                 "a period, or a list as in [1,1,0]"},
    KnownSetting{"softmax_type", "softmax of attention", softmax},
    KnownSetting{"max_position_embeddings", "positions", whole<&StatedTraining::positions>, kCountNeed},
    KnownSetting{"num_experts", "experts", shape<&ModelShape::experts>, kCountNeed},
    KnownSetting{"num_moe_experts", "experts", shape<&ModelShape::experts>, kCountNeed},
    KnownSetting{"moe_router_topk", "experts of a token", shape<&ModelShape::expertsPerToken>, kCountNeed},
    KnownSetting{"moe_router_num_groups", "groups of experts", shape<&ModelShape::expertGroups>, kCountNeed},
    KnownSetting{"moe_router_group_topk", "groups of a token", shape<&ModelShape::groupsPerToken>, kCountNeed},
    KnownSetting{"moe_ffn_hidden_size", "width of an expert", shape<&ModelShape::expertFfn>, kCountNeed},
    KnownSetting{"moe_shared_expert_intermediate_size", "width of shared experts", shape<&ModelShape::sharedFfn>,
                 kCountNeed},
    KnownSetting{"moe_router_enable_expert_bias", "bias of the router", shapeFlag<&ModelShape::routerBias>, kFlagNeed},
    KnownSetting{"moe_shared_expert_gate", "gate of shared experts", shapeFlag<&ModelShape::sharedGate>, kFlagNeed},
    KnownSetting{"moe_layer_freq", "layers with experts", layerPattern},
    KnownSetting{"moe_router_topk_scaling_factor", "factor of routed experts", shapeFactor<&ModelShape::routerScale>,
                 kFactorNeed},
    KnownSetting{"moe_aux_loss_coeff", "loss that balances experts", launchFactor<&ModelShape::auxiliaryLoss>},
    KnownSetting{"moe_loss_coeff", "loss that balances experts", launchFactor<&ModelShape::auxiliaryLoss>},
    KnownSetting{"moe_router_dtype", "numbers of the router", nothing},
    KnownSetting{"moe_router_score_function", "scores of the router", nothing},
    KnownSetting{"moe_token_dispatcher_type", "dispatch of tokens", dispatcher},
    KnownSetting{"moe_flex_dispatcher_backend", "dispatch of tokens", flexBackend},
    KnownSetting{"moe_enable_deepep", "dispatch of tokens", deepEp, kFlagNeed},
    KnownSetting{"moe_pad_expert_input_to_capacity", "experts padded to their capacity",
                 flag<&StatedTraining::padsExperts>, kFlagNeed},
    KnownSetting{"moe_grouped_gemm", "grouped products", nothing},
    KnownSetting{"moe_permute_fusion", "fused permutation", nothing},
    KnownSetting{"moe_router_fusion", "fused router", nothing},
    KnownSetting{"use_transformer_engine_op_fuser", "fused products of experts", nothing},
    KnownSetting{"moe_mlp_glu_interleave_size", "fused products of experts", nothing},
    KnownSetting{"moe_paged_stash", "activations of a fixed size", nothing},
    KnownSetting{"moe_expert_rank_capacity_factor", "activations of a fixed size", nothing},
    KnownSetting{"te_rng_tracker", "random numbers in CUDA graphs", nothing},
    KnownSetting{"no_check_for_nan_in_loss_and_grad", "no check of the loss", nothing},
    KnownSetting{"q_lora_rank", "rank of queries", shape<&ModelShape::qRank>, kCountNeed},
    KnownSetting{"kv_lora_rank", "rank of keys and values", shape<&ModelShape::kvRank>, kCountNeed},
    KnownSetting{"qk_head_dim", "head size without positions", shape<&ModelShape::nopeSize>, kCountNeed},
    KnownSetting{"qk_pos_emb_head_dim", "head size with positions", shape<&ModelShape::ropeSize>, kCountNeed},
    KnownSetting{"v_head_dim", "size of values", shape<&ModelShape::valueSize>, kCountNeed},
    KnownSetting{"multi_latent_attention", "latent attention", nothing},
    KnownSetting{"normalization", "norm", norm},
    KnownSetting{"norm_epsilon", "epsilon of norms", launchFactor<&ModelShape::normEpsilon>},
    KnownSetting{"layernorm_epsilon", "epsilon of norms", launchFactor<&ModelShape::normEpsilon>},
    KnownSetting{"model_name", "model", settings::modelName},
    KnownSetting{"hf_path", "model", settings::modelName},
};

}  // namespace

std::span<const KnownSetting> megatronSettings() { return kKnown; }

void prepareMegatron(StatedTraining& stated) {
  stated.model.gatedMlp = false;
  stated.model.biases = true;
  stated.model.tiedEmbeddings = true;
}

namespace {

/// Parts of layers that are in CUDA graphs; none named is all of them.
GraphScope scopeOf(std::string_view modules) {
  const auto has = [modules](std::string_view word) { return modules.find(word) != std::string_view::npos; };
  if (has("full_iteration")) return GraphScope::All;
  return has("moe_router") && !has("attn") ? GraphScope::Routing : GraphScope::Layers;
}

}  // namespace

void finishMegatron(StatedTraining& stated) {
  if (!stated.zero) stated.zero = 0;
  if (!stated.sequenceParallel) stated.sequenceParallel = false;
  if (!stated.recomputation) stated.recomputation = RecomputeKind::None;
  // The first 0 layers of a stage.
  const bool none = stated.firstLayersOnly && stated.recomputedLayers == 0;
  if (stated.recomputation == RecomputeKind::Full && none) stated.recomputation = RecomputeKind::None;
  if (stated.recomputation != RecomputeKind::Selective) stated.recomputedModules.reset();
  if (stated.recomputedModules && stated.recomputedModules->empty()) stated.recomputation = RecomputeKind::None;
  if (stated.recomputedModules == RecomputedModules{RecomputedModule::CoreAttention}) stated.recomputedModules.reset();
  if (stated.recomputation != RecomputeKind::Full || !stated.firstLayersOnly) stated.recomputedLayers.reset();
  if (stated.zero == 3 && stated.fsdpStage) stated.zero = stated.fsdpStage;
  if (stated.graphs == GraphScope::Layers && stated.graphModules) stated.graphs = scopeOf(*stated.graphModules);
  ModelShape& model = stated.model;
  const auto learned = stated.positions ? stated.positions : stated.sequence;
  model.positions = model.layers > 0 && !stated.rotary ? learned.value_or(0) : 0;
  if (model.layers == 0 || model.positions > 0) model.rotaryBase = 0;
  if (model.layers == 0 || model.positions > 0) model.rotaryShare = 0;
  const bool latent = model.kvRank > 0;
  // Norms of compressed queries and keys are part of latent attention. Its YaRN has both magnitudes or none.
  if (latent) model.qkNorm = false;
  if (!latent) model.ropeFactor = stated.stretches.value_or(false) ? stated.ropeFactor.value_or(8) : 0;
  if (!latent || model.ropeMagnitude != stated.ropeMagnitudeOfAll.value_or(0)) model.ropeMagnitude = 0;
  if (model.layers == 0) model.ropeFactor = model.routerScale = model.normEpsilon = 0;
  if (model.layers == 0 || model.window == 0) model.window = model.windowStep = model.windowLayers = 0;
  model.matrixBiases = model.matrixBiases && model.biases;
  if (model.matrixBiases) model.biases = false;
  // Ranks and sizes of latent attention are set by name even where it is off.
  if (model.layers > 0 && model.kvRank == 0) model.qRank = model.nopeSize = model.ropeSize = model.valueSize = 0;
  if (model.experts <= 1) model.experts = 0;
  // The router is one of the matrices with biases.
  if (model.experts > 0 && model.hasMatrixBiases()) model.routerBias = true;
  if (model.experts == 0) {
    model.expertsPerToken = model.expertFfn = model.sharedFfn = model.denseLayers = model.expertStep = 0;
    model.expertGroups = model.groupsPerToken = 0;
    model.routerScale = model.auxiliaryLoss = 0;
  } else if (model.expertFfn == 0) {
    model.expertFfn = model.ffn;
  }
}

const FileFormat kMegatronFile{.name = "Megatron-LM arguments",
                               .framework = "megatron",
                               .settings = kKnown,
                               .names = "megatron",
                               .prepare = prepareMegatron,
                               .finish = finishMegatron};

}  // namespace p2::inline training_files
