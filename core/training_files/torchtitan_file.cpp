// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training_files/detail/file_format.h"

namespace p2::inline training_files {
namespace {

using settings::flag;
using settings::kCountNeed;
using settings::kFlagNeed;
using settings::nothing;
using settings::whole;

/// Degrees of data parallelism are −1 where they are the remaining devices.
bool shards(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value);
  if (!number || (*number != -1 && *number < 1)) return false;
  stated.shards = *number;
  return true;
}

bool batch(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value);
  if (number && *number > 0) stated.globalBatch = *number;
  return number && (*number > 0 || *number == -1);
}
bool stepTokens(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value);
  if (number && *number > 0) stated.stepTokens = *number;
  return number && (*number > 0 || *number == -1);
}

bool schedule(std::string_view value, StatedTraining& stated) {
  constexpr std::array<std::pair<std::string_view, ScheduleKind>, 9> kSchedules{
      {{"1F1B", ScheduleKind::OneF1B},
       {"Interleaved1F1B", ScheduleKind::OneF1B},
       {"GPipe", ScheduleKind::GPipe},
       {"LoopedBFS", ScheduleKind::GPipe},
       {"InterleavedZeroBubble", ScheduleKind::ZeroBubble1},
       {"ZBVZeroBubble", ScheduleKind::ZeroBubbleV},
       {"DualPipeV", ScheduleKind::DualPipe},
       {"interleaved_1f1b", ScheduleKind::OneF1B},
       {"1f1b", ScheduleKind::OneF1B}}};
  for (const auto& [name, kind] : kSchedules) {
    if (name != value) continue;
    stated.schedule = kind;
    // A looped schedule has two chunks where nothing else is stated.
    const bool loops = value.find("nterleaved") != std::string_view::npos || value == "LoopedBFS" ||
                       kind == ScheduleKind::ZeroBubbleV || kind == ScheduleKind::DualPipe;
    if (loops && !stated.chunkLayers && !stated.chunks) stated.chunks = 2;
    return true;
  }
  return false;
}

/// "none", "selective", "full"; in Python FullAC.Config.
bool recomputation(std::string_view value, StatedTraining& stated) {
  const bool full = value == "full" || value.starts_with("Full");
  const bool selective = value == "selective" || value.starts_with("Selective");
  const bool none = isNone(value) || value.starts_with("No");
  if (!full && !selective && !none) return false;
  stated.recomputation = full ? RecomputeKind::Full : selective ? RecomputeKind::Selective : RecomputeKind::None;
  return true;
}

bool reshard(std::string_view value, StatedTraining& stated) {
  if (value == "always" || value == "never") stated.reshard = value == "always";
  return value == "always" || value == "never" || value == "default";
}

bool rotation(std::string_view value, StatedTraining& stated) {
  stated.contextKind = value == "alltoall" ? ContextCollective::Ring : ContextCollective::AllGather;
  return value == "alltoall" || value == "allgather";
}

/// "quantize.linear.float8"; in Python MXFP8LinearConverter.Config, NVFP4LinearConverter.Config.
bool converters(std::string_view value, StatedTraining& stated) {
  const auto has = [&](std::string_view part) { return value.find(part) != std::string_view::npos; };
  if (has("float8") || has("mx") || has("Float8") || has("MXFP8")) stated.precision = ProductPrecision::Fp8;
  if (has("NVFP4")) stated.precision = ProductPrecision::Fp4;
  return true;
}

/// Layers that the first or the last stage has less.
template <auto Field>
bool lessLayers(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value);
  if (number && *number >= 0) stated.*Field = *number;
  return number && *number >= 0;
}

/// [["tok_embeddings", "layers.0"], ["layers.1", "norm", "output"]]: the modules of every virtual stage.
bool modulesOfStages(std::string_view value, StatedTraining& stated) {
  if (isNone(value) || value == kEmptyList) return true;
  StageLayout layers = settings::countedInLists(value, "layers.");
  if (layers.empty()) return false;
  stated.layersOfStages = std::move(layers);
  return true;
}

/// "torchtitan.overrides.moe_token_dispatcher.hybridep_override"
bool imports(std::string_view value, StatedTraining& stated) {
  for (const ExpertDispatch each : {ExpertDispatch::DeepEp, ExpertDispatch::HybridEp}) {
    if (value.find("." + std::string(nameOf(each)) + "_override") == std::string_view::npos) continue;
    stated.flexDispatch = true;
    stated.flexBackend = each;
  }
  return true;
}

bool noGraphs(std::string_view value, StatedTraining& stated) {
  const auto off = flagOf(value);
  if (off) stated.graphs = *off ? GraphScope::None : GraphScope::All;
  return off.has_value();
}

constexpr std::array kKnown{
    KnownSetting{"data_parallel_replicate_degree", "replicas", whole<&StatedTraining::replicas>, kCountNeed},
    KnownSetting{"data_parallel_shard_degree", "FSDP", shards, "a whole number of 1 or more, or -1"},
    KnownSetting{"tensor_parallel_degree", "tp", whole<&StatedTraining::tensor>, kCountNeed},
    KnownSetting{"enable_sequence_parallel", "sp", flag<&StatedTraining::sequenceParallel>, kFlagNeed},
    KnownSetting{"enable_async_tensor_parallel", "tp overlapped", flag<&StatedTraining::tensorOverlap>, kFlagNeed},
    KnownSetting{"experimental.enable_async_tensor_parallel", "tp overlapped", flag<&StatedTraining::tensorOverlap>,
                 kFlagNeed},
    KnownSetting{"no_enable_sequence_parallel", "no sp", settings::noFlag<&StatedTraining::sequenceParallel>,
                 kFlagNeed},
    KnownSetting{"disable_cuda_graphs", "CUDA graphs", noGraphs, kFlagNeed},
    KnownSetting{"compile.enable", "torch.compile", flag<&StatedTraining::compiled>, kFlagNeed},
    KnownSetting{"training.compile", "torch.compile", flag<&StatedTraining::compiled>, kFlagNeed},
    KnownSetting{"pipeline_parallel_degree", "pp", whole<&StatedTraining::pipeline>, kCountNeed},
    KnownSetting{"pipeline_parallel_schedule", "schedule", schedule,
                 "1F1B, Interleaved1F1B, GPipe, InterleavedZeroBubble, ZBVZeroBubble or DualPipeV"},
    KnownSetting{"pipeline_parallel_layers_per_stage", "layers of a virtual stage", whole<&StatedTraining::chunkLayers>,
                 kCountNeed},
    KnownSetting{"pipeline_parallel_first_stage_less_layers", "fewer layers in the first stage",
                 lessLayers<&StatedTraining::embeddingLayers>, "a whole number of 0 or more"},
    KnownSetting{"pipeline_parallel_last_stage_less_layers", "fewer layers in the last stage",
                 lessLayers<&StatedTraining::headLayers>, "a whole number of 0 or more"},
    KnownSetting{"module_fqns_per_model_part", "modules of every virtual stage", modulesOfStages, "lists of modules"},
    KnownSetting{"module_names_per_model_part", "modules of every virtual stage", modulesOfStages, "lists of modules"},
    KnownSetting{"pipeline_parallel_microbatch_size", "microbatch", whole<&StatedTraining::microbatch>, kCountNeed},
    KnownSetting{"num_pp_microbatches", "microbatches of a pipeline", whole<&StatedTraining::microbatches>, kCountNeed},
    KnownSetting{"context_parallel_degree", "cp", whole<&StatedTraining::context>, kCountNeed},
    KnownSetting{"context_parallel_rotate_method", "kind of cp", rotation, "allgather or alltoall"},
    KnownSetting{"context_parallel_load_balancer", "balance of cp", nothing},
    KnownSetting{"expert_parallel_degree", "ep", whole<&StatedTraining::expert>, kCountNeed},
    KnownSetting{"override.imports", "dispatch of tokens", imports},
    KnownSetting{"expert_tensor_parallel_degree", "etp", whole<&StatedTraining::expertTensor>, kCountNeed},
    KnownSetting{"fsdp_reshard_after_forward", "parameters after the forward pass", reshard,
                 "default, always or never"},
    KnownSetting{"training.local_batch_size", "batch of a rank", whole<&StatedTraining::localBatch>, kCountNeed},
    KnownSetting{"training.batch_size", "batch of a rank", whole<&StatedTraining::localBatch>, kCountNeed},
    KnownSetting{"training.global_batch_size", "batch", batch, "a whole number of 1 or more, or -1"},
    KnownSetting{"local_batch_size", "batch of a rank", whole<&StatedTraining::localBatch>, kCountNeed},
    KnownSetting{"training.seq_len", "sequence", whole<&StatedTraining::sequence>, kCountNeed},
    KnownSetting{"seq_len", "sequence", whole<&StatedTraining::sequence>, kCountNeed},
    KnownSetting{"max_context_length", "sequence", whole<&StatedTraining::sequence>, kCountNeed},
    KnownSetting{"num_tokens_per_microbatch_per_dp_rank", "tokens of a microbatch",
                 whole<&StatedTraining::microbatchTokens>, kCountNeed},
    KnownSetting{"num_tokens_per_train_step", "tokens of a step", stepTokens, "a whole number of 1 or more, or -1"},
    KnownSetting{"activation_checkpoint.mode", "recomputation", recomputation, "none, selective or full"},
    KnownSetting{"activation_checkpoint", "recomputation", recomputation, "none, selective or full"},
    KnownSetting{"converters", "precision", converters},
    KnownSetting{"model.flavor", "model", settings::modelName},
    KnownSetting{"model.name", "family of the model", nothing},
    KnownSetting{"model_spec", "model", settings::modelName},
};

void finish(StatedTraining& stated) {
  const std::int64_t pipeline = stated.pipeline.value_or(1);
  if (!stated.shards) stated.shards = -1;
  if (stated.sequence && stated.microbatchTokens) stated.microbatch = *stated.microbatchTokens / *stated.sequence;
  if (stated.sequence && stated.stepTokens) stated.globalBatch = *stated.stepTokens / *stated.sequence;
  if (pipeline > 1 && stated.localBatch) {
    if (!stated.microbatch) stated.microbatch = 1;
    if (!stated.globalBatch) stated.microbatches = *stated.localBatch / *stated.microbatch;
  } else if (stated.localBatch) {
    stated.microbatch = stated.localBatch;
  }
  if (pipeline == 1 || stated.globalBatch) stated.microbatches.reset();
  if (!stated.globalBatch && pipeline == 1 && !stated.microbatches) stated.microbatches = 1;
  // All parameters on every rank: plain data parallelism. Context ranks shard as well.
  const bool whole = stated.shards == 1 && stated.replicas.value_or(1) > 1 && stated.context.value_or(1) == 1;
  stated.zero = whole ? 0 : 3;
  if (!stated.sequenceParallel) stated.sequenceParallel = true;
  if (stated.context.value_or(1) > 1 && !stated.contextKind) stated.contextKind = ContextCollective::AllGather;
  if (stated.chunkLayers && pipeline > 1) stated.chunks.reset();
}

void prepare(StatedTraining& stated) { stated.embeddingLayers = stated.headLayers = 1; }

}  // namespace

const FileFormat kTorchTitanFile{.name = "TorchTitan configuration",
                                 .framework = "torchtitan",
                                 .settings = kKnown,
                                 .names = "torchtitan",
                                 .prepare = prepare,
                                 .finish = finish};

}  // namespace p2::inline training_files
