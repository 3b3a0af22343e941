// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training_files/detail/file_format.h"
#include "training_files/detail/megatron_settings.h"

namespace p2::inline training_files {
namespace {

using settings::flag;
using settings::kCountNeed;
using settings::kFlagNeed;
using settings::nothing;
using settings::whole;

bool sixteenBits(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) stated.precision = ProductPrecision::Bf16;
  return flagOf(value).has_value() || isNone(value);
}

bool stage(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  const auto number = wholeOf(value);
  if (number) stated.zero = *number;
  return number && *number >= 0 && *number <= 3;
}

/// An AllToAll of heads: Ulysses.
bool sequenceDegree(std::string_view value, StatedTraining& stated) {
  if (isNone(value)) return true;
  const auto number = wholeOf(value);
  if (!number || *number < 1) return false;
  stated.context = *number;
  stated.contextKind = ContextCollective::AllToAll;
  return true;
}

bool full(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) stated.recomputation = RecomputeKind::Full;
  return flagOf(value).has_value();
}

bool zeroBubble(std::string_view value, StatedTraining& stated) {
  if (flagOf(value).value_or(false)) stated.schedule = ScheduleKind::ZeroBubble1;
  return flagOf(value).has_value();
}

/// --expert-... of Megatron-DeepSpeed is a list with a number for every group of layers.
bool experts(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value.substr(0, value.find(',')));
  if (number) stated.model.experts = *number;
  return number.has_value();
}

constexpr std::array kKnown{
    KnownSetting{"train_batch_size", "batch", whole<&StatedTraining::globalBatch>, kCountNeed},
    KnownSetting{"train_micro_batch_size_per_gpu", "microbatch", whole<&StatedTraining::microbatch>, kCountNeed},
    KnownSetting{"gradient_accumulation_steps", "microbatches", whole<&StatedTraining::microbatches>, kCountNeed},
    KnownSetting{"zero_optimization.stage", "ZeRO stage", stage, "0, 1, 2 or 3"},
    KnownSetting{"zero_stage", "ZeRO stage", stage, "0, 1, 2 or 3"},
    KnownSetting{"zero_optimization.overlap_comm", "dp overlapped", flag<&StatedTraining::overlapsData>, kFlagNeed},
    KnownSetting{"zero_optimization.contiguous_gradients", "gradients in one buffer", nothing},
    KnownSetting{"zero_optimization.mics_shard_size", "ranks of a shard", whole<&StatedTraining::shards>, kCountNeed},
    KnownSetting{"bf16.enabled", "16 bits", sixteenBits, kFlagNeed},
    KnownSetting{"fp16.enabled", "16 bits", sixteenBits, kFlagNeed},
    KnownSetting{"tensor_parallel.autotp_size", "tp", whole<&StatedTraining::tensor>, kCountNeed},
    KnownSetting{"sequence_parallel_size", "cp", sequenceDegree, kCountNeed},
    KnownSetting{"ds_sequence_parallel_size", "cp", sequenceDegree, kCountNeed},
    KnownSetting{"moe_expert_parallel_size", "ep", whole<&StatedTraining::expert>, kCountNeed},
    KnownSetting{"ep_size", "ep", whole<&StatedTraining::expert>, kCountNeed},
    KnownSetting{"deepspeed_activation_checkpointing", "full recomputation", full, kFlagNeed},
    KnownSetting{"gradient_checkpointing", "full recomputation", full, kFlagNeed},
    KnownSetting{"enable_zbh1_pipeline", "schedule", zeroBubble, kFlagNeed},
    KnownSetting{"num_experts", "experts", experts, "whole numbers"},
    KnownSetting{"topk", "experts of a token", settings::shape<&ModelShape::expertsPerToken>, kCountNeed},
    KnownSetting{"deepspeed", "", nothing},
    KnownSetting{"deepspeed_config", "", nothing},
};

void finish(StatedTraining& stated) {
  const bool zeroBubbles = stated.schedule == ScheduleKind::ZeroBubble1;
  finishMegatron(stated);
  stated.sequenceParallel = false;
  if (stated.recomputation == RecomputeKind::Selective) stated.recomputation = RecomputeKind::None;
  if (zeroBubbles) stated.schedule = ScheduleKind::ZeroBubble1;
  // Megatron-DeepSpeed derives the accumulation from the batches.
  if (stated.globalBatch && stated.microbatch) stated.microbatches.reset();
}

}  // namespace

const FileFormat kDeepSpeedFile{.name = "DeepSpeed configuration",
                                .framework = "deepspeed",
                                .settings = kKnown,
                                .also = megatronSettings,
                                .names = "megatron-deepspeed",
                                .prepare = prepareMegatron,
                                .finish = finish};

}  // namespace p2::inline training_files
