// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training_files/detail/file_format.h"

namespace p2::inline training_files {
namespace {

using settings::flag;
using settings::kCountNeed;
using settings::kFlagNeed;
using settings::nothing;
using settings::shape;
using settings::shapeFlag;
using settings::whole;

bool mode(std::string_view value, StatedTraining& stated) {
  const bool scatters = value == "REDUCE_SCATTER" || value == "reduce_scatter";
  stated.sequenceParallel = scatters;
  return scatters || isNone(value) || value == "ALL_REDUCE" || value == "all_reduce";
}

bool engine(std::string_view value, StatedTraining& stated) {
  stated.schedule = value == "1f1b" ? ScheduleKind::OneF1B : ScheduleKind::GPipe;
  return value == "1f1b" || value == "afab" || isNone(value);
}

bool recomputes(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) stated.recomputation = RecomputeKind::Full;
  return flagOf(value).has_value();
}

constexpr std::array kKnown{
    KnownSetting{"parallelism.dp", "dp", whole<&StatedTraining::data>, kCountNeed},
    KnownSetting{"parallelism.pp", "pp", whole<&StatedTraining::pipeline>, kCountNeed},
    KnownSetting{"parallelism.tp", "tp", whole<&StatedTraining::tensor>, kCountNeed},
    KnownSetting{"parallelism.context_parallel_size", "cp", whole<&StatedTraining::context>, kCountNeed},
    KnownSetting{"parallelism.expert_parallel_size", "ep", whole<&StatedTraining::expert>, kCountNeed},
    KnownSetting{"parallelism.pp_engine", "schedule", engine, "1f1b or afab"},
    KnownSetting{"parallelism.tp_mode", "sp", mode, "REDUCE_SCATTER or ALL_REDUCE"},
    KnownSetting{"parallelism.tp_linear_async_communication", "tp overlapped", flag<&StatedTraining::tensorOverlap>,
                 kFlagNeed},
    KnownSetting{"parallelism.recompute_layer", "recomputation", recomputes, kFlagNeed},
    KnownSetting{"optimizer.zero_stage", "ZeRO stage", whole<&StatedTraining::zero, 0>, "0 or 1"},
    KnownSetting{"optimizer.accumulate_grad_in_fp32", "gradients summed in fp32",
                 flag<&StatedTraining::fullPrecisionSums>, kFlagNeed},
    KnownSetting{"tokens.micro_batch_size", "microbatch", whole<&StatedTraining::microbatch>, kCountNeed},
    KnownSetting{"tokens.batch_accumulation_per_replica", "microbatches", whole<&StatedTraining::microbatches>,
                 kCountNeed},
    KnownSetting{"tokens.sequence_length", "sequence", whole<&StatedTraining::sequence>, kCountNeed},
    KnownSetting{"model.dtype", "precision", nothing},
    KnownSetting{"model_config.num_hidden_layers", "layers", shape<&ModelShape::layers>, kCountNeed},
    KnownSetting{"model_config.hidden_size", "width", shape<&ModelShape::hidden>, kCountNeed},
    KnownSetting{"model_config.intermediate_size", "width of the MLP", shape<&ModelShape::ffn>, kCountNeed},
    KnownSetting{"model_config.num_attention_heads", "heads", shape<&ModelShape::heads>, kCountNeed},
    KnownSetting{"model_config.num_key_value_heads", "heads of keys and values", shape<&ModelShape::kvHeads>,
                 kCountNeed},
    KnownSetting{"model_config.vocab_size", "vocabulary", shape<&ModelShape::vocabulary>, kCountNeed},
    KnownSetting{"model_config.tie_word_embeddings", "head is the embedding", shapeFlag<&ModelShape::tiedEmbeddings>,
                 kFlagNeed},
    KnownSetting{"moe_config.num_experts", "experts", shape<&ModelShape::experts>, kCountNeed},
    KnownSetting{"moe_config.top_k", "experts of a token", shape<&ModelShape::expertsPerToken>, kCountNeed},
    KnownSetting{"moe_config.moe_intermediate_size", "width of an expert", shape<&ModelShape::expertFfn>, kCountNeed},
};

void finish(StatedTraining& stated) {
  stated.byCost = true;
  stated.assumed.push_back("nanotron is priced with the rules and constants of Megatron-Core");
  if (!stated.zero) stated.zero = 0;
  if (!stated.sequenceParallel) stated.sequenceParallel = false;
  if (!stated.recomputation) stated.recomputation = RecomputeKind::None;
  if (stated.pipeline.value_or(1) == 1) stated.schedule.reset();
  // Overlap of tensor parallelism needs the sequence split.
  if (!*stated.sequenceParallel || stated.tensor.value_or(1) == 1) stated.tensorOverlap.reset();
  if (stated.model.experts > 0 && stated.model.expertFfn == 0) stated.model.expertFfn = stated.model.ffn;
}

}  // namespace

const FileFormat kNanotronFile{.name = "nanotron configuration",
                               .framework = "megatron",
                               .settings = kKnown,
                               .names = "nanotron",
                               .finish = finish};

}  // namespace p2::inline training_files
