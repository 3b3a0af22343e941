// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "training_files/detail/file_format.h"

namespace p2::inline training_files {
namespace {

using settings::kCountNeed;
using settings::kFlagNeed;
using settings::launchFactor;
using settings::nothing;
using settings::shape;
using settings::shapeFlag;
using settings::whole;

constexpr std::string_view kDegreeNeed = "a whole number of 1 or more, or -1";

/// A degree inside a slice or across slices: the axis is their product, −1 stands for the remaining devices.
template <auto Field>
bool degree(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value);
  if (!number || (*number != -1 && *number < 1)) return false;
  const auto given = stated.*Field;
  const bool rest = *number == -1 || given == -1;
  stated.*Field = rest ? -1 : given.value_or(1) * *number;
  return true;
}

/// Degrees of data parallelism keep their halves apart: −1 means something else in each.
template <auto Field>
bool half(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value);
  if (!number || (*number != -1 && *number < 1)) return false;
  stated.*Field = *number;
  return true;
}

bool deviceBatch(std::string_view value, StatedTraining& stated) {
  const auto number = numberOf(value);
  if (number) stated.deviceBatch = *number;
  return number && *number > 0;
}

/// Policies that keep the outputs of all products recompute cheap parts alone, which counts as none. Others keep a part
/// of a layer, or move it to the host.
bool policy(std::string_view value, StatedTraining& stated) {
  constexpr std::array<std::string_view, 5> kKeepAll{"none", "minimal", "minimal_flash", "minimal_with_context",
                                                     "minimal_with_context_and_quantization"};
  const bool keeps = std::find(kKeepAll.begin(), kKeepAll.end(), value) != kKeepAll.end();
  stated.recomputation = keeps ? RecomputeKind::None : RecomputeKind::Full;
  if (!keeps && value != "full") {
    stated.assumed.push_back("remat_policy " + std::string(value) + " counts as full recomputation");
  }
  return true;
}

bool strategy(std::string_view value, StatedTraining& stated) {
  constexpr std::array<std::pair<std::string_view, ContextCollective>, 4> kKinds{
      {{"all_gather", ContextCollective::AllGather},
       {"ring", ContextCollective::Ring},
       {"ulysses", ContextCollective::AllToAll},
       {"usp", ContextCollective::Hierarchy}}};
  for (const auto& [name, kind] : kKinds) {
    if (name != value) continue;
    stated.contextKind = kind;
    return true;
  }
  return false;
}

bool quantization(std::string_view value, StatedTraining& stated) {
  if (value.find("fp8") != std::string_view::npos) stated.precision = ProductPrecision::Fp8;
  if (value.find("fp4") != std::string_view::npos) stated.precision = ProductPrecision::Fp4;
  return true;
}

bool attention(std::string_view value, StatedTraining& stated) {
  stated.fusedAttention = value != "dot_product";
  return true;
}

bool pipelineMicrobatches(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value);
  if (number && *number > 0) stated.microbatches = *number;
  return number && (*number > 0 || *number == -1);
}

template <auto Field>
bool shapeOrNone(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value);
  if (number && *number > 0) stated.model.*Field = *number;
  return number.has_value();
}

constexpr std::array kKnown{
    KnownSetting{"ici_data_parallelism", "replicas in a slice", half<&StatedTraining::replicasInside>, kDegreeNeed},
    KnownSetting{"dcn_data_parallelism", "replicas across slices", half<&StatedTraining::replicasAcross>, kDegreeNeed},
    KnownSetting{"ici_fsdp_parallelism", "FSDP in a slice", half<&StatedTraining::shardsInside>, kDegreeNeed},
    KnownSetting{"dcn_fsdp_parallelism", "FSDP across slices", half<&StatedTraining::shardsAcross>, kDegreeNeed},
    KnownSetting{"ici_tensor_parallelism", "tp in a slice", degree<&StatedTraining::tensor>, kDegreeNeed},
    KnownSetting{"dcn_tensor_parallelism", "tp across slices", degree<&StatedTraining::tensor>, kDegreeNeed},
    KnownSetting{"ici_pipeline_parallelism", "pp in a slice", degree<&StatedTraining::pipeline>, kDegreeNeed},
    KnownSetting{"dcn_pipeline_parallelism", "pp across slices", degree<&StatedTraining::pipeline>, kDegreeNeed},
    KnownSetting{"ici_context_parallelism", "cp in a slice", degree<&StatedTraining::context>, kDegreeNeed},
    KnownSetting{"dcn_context_parallelism", "cp across slices", degree<&StatedTraining::context>, kDegreeNeed},
    KnownSetting{"ici_expert_parallelism", "ep in a slice", degree<&StatedTraining::expert>, kDegreeNeed},
    KnownSetting{"dcn_expert_parallelism", "ep across slices", degree<&StatedTraining::expert>, kDegreeNeed},
    KnownSetting{"context_parallel_strategy", "kind of cp", strategy, "all_gather, ring, ulysses or usp"},
    KnownSetting{"num_pipeline_microbatches", "microbatches of a pipeline", pipelineMicrobatches,
                 "a whole number of 1 or more, or -1"},
    KnownSetting{"num_layers_per_pipeline_stage", "layers of a virtual stage", whole<&StatedTraining::chunkLayers>,
                 kCountNeed},
    // Once means that parameters are gathered before the first microbatch and kept.
    KnownSetting{"pipeline_fsdp_ag_once", "parameters under a pipeline", settings::noFlag<&StatedTraining::reshard>,
                 kFlagNeed},
    KnownSetting{"gradient_accumulation_steps", "gradient accumulation", whole<&StatedTraining::accumulation>,
                 kCountNeed},
    KnownSetting{"per_device_batch_size", "sequences of a device", deviceBatch, "a number above 0"},
    KnownSetting{"max_target_length", "sequence", whole<&StatedTraining::sequence>, kCountNeed},
    KnownSetting{"remat_policy", "recomputation", policy},
    KnownSetting{"quantization", "precision", quantization},
    KnownSetting{"attention", "kernel of attention", attention},
    KnownSetting{"model_name", "model", settings::modelName},
    KnownSetting{"base_num_decoder_layers", "layers", shape<&ModelShape::layers>, kCountNeed},
    KnownSetting{"base_emb_dim", "width", shape<&ModelShape::hidden>, kCountNeed},
    KnownSetting{"base_mlp_dim", "width of the MLP", shape<&ModelShape::ffn>, kCountNeed},
    KnownSetting{"base_num_query_heads", "heads", shape<&ModelShape::heads>, kCountNeed},
    KnownSetting{"base_num_kv_heads", "heads of keys and values", shape<&ModelShape::kvHeads>, kCountNeed},
    KnownSetting{"head_dim", "head size", shape<&ModelShape::headSize>, kCountNeed},
    KnownSetting{"vocab_size", "vocabulary", shape<&ModelShape::vocabulary>, kCountNeed},
    KnownSetting{"logits_via_embedding", "head is the embedding", shapeFlag<&ModelShape::tiedEmbeddings>, kFlagNeed},
    KnownSetting{"rope_max_timescale", "base of rotary positions", settings::rotaryBase},
    KnownSetting{"partial_rotary_factor", "share of a head that rotates", settings::rotaryShare},
    KnownSetting{"normalization_layer_epsilon", "epsilon of norms", launchFactor<&ModelShape::normEpsilon>},
    KnownSetting{"load_balance_loss_weight", "loss that balances experts", launchFactor<&ModelShape::auxiliaryLoss>},
    KnownSetting{"num_experts", "experts", shape<&ModelShape::experts>, kCountNeed},
    KnownSetting{"num_experts_per_tok", "experts of a token", shape<&ModelShape::expertsPerToken>, kCountNeed},
    KnownSetting{"base_moe_mlp_dim", "width of an expert", shapeOrNone<&ModelShape::expertFfn>, "a whole number"},
};

void finish(StatedTraining& stated) {
  if (stated.model.experts <= 1) {
    stated.model.experts = stated.model.expertsPerToken = stated.model.expertFfn = 0;
    stated.model.auxiliaryLoss = 0;
  }
  if (stated.model.experts > 0 && stated.model.expertFfn == 0) stated.model.expertFfn = stated.model.ffn;
  stated.sequenceParallel = true;
  stated.slices = true;
  if (!stated.recomputation) stated.recomputation = RecomputeKind::Full;
  if (stated.context.value_or(1) > 1 && !stated.contextKind) stated.contextKind = ContextCollective::AllGather;
  if (stated.pipeline.value_or(1) > 1 && !stated.chunkLayers) stated.chunkLayers = 1;
  if (stated.pipeline.value_or(1) == 1) stated.chunkLayers.reset();
}

}  // namespace

const FileFormat kMaxTextFile{
    .name = "MaxText configuration", .framework = "maxtext", .settings = kKnown, .names = "maxtext", .finish = finish};

}  // namespace p2::inline training_files
