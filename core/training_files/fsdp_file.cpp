// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training_files/detail/file_format.h"

namespace p2::inline training_files {
namespace {

using settings::kCountNeed;
using settings::kFlagNeed;
using settings::nothing;
using settings::whole;

/// "FULL_SHARD", "ShardingStrategy.HYBRID_SHARD", or accelerate's number of it.
bool strategy(std::string_view value, StatedTraining& stated) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kStrategies{
      {{"FULL_SHARD", 3}, {"SHARD_GRAD_OP", 2}, {"NO_SHARD", 0}, {"_HYBRID_SHARD_ZERO2", 2}, {"HYBRID_SHARD", 3}}};
  constexpr std::array<std::string_view, 5> kNumbers{"1", "2", "3", "5", "4"};
  for (std::size_t i = 0; i < kStrategies.size(); ++i) {
    if (value != kNumbers[i] && !value.ends_with(kStrategies[i].first)) continue;
    // HYBRID_SHARD is the end of no other name, but the beginning of one.
    if (i == 4 && value.ends_with("ZERO2")) continue;
    stated.zero = kStrategies[i].second;
    return true;
  }
  return isNone(value);
}

bool reshard(std::string_view value, StatedTraining& stated) {
  const auto flag = flagOf(value);
  if (flag) stated.zero = *flag ? 3 : 2;
  return true;
}

bool recomputation(std::string_view value, StatedTraining& stated) {
  if (const auto flag = flagOf(value)) {
    stated.recomputation = *flag ? RecomputeKind::Full : RecomputeKind::None;
    return true;
  }
  const auto kind = recomputeKindFrom(isNone(value) ? "none" : value);
  if (kind.ok()) stated.recomputation = kind.value();
  return kind.ok();
}

/// "2,8", of init_device_mesh("cuda", (2, 8)): replicas and shards.
bool mesh(std::string_view value, StatedTraining& stated) {
  const std::size_t comma = value.find(',');
  if (comma == std::string_view::npos) return true;
  stated.replicas = wholeOf(value.substr(0, comma));
  return stated.replicas.has_value();
}

bool precision(std::string_view value, StatedTraining& stated) {
  if (value.find("fp8") != std::string_view::npos) stated.precision = ProductPrecision::Fp8;
  if (value.find("16") != std::string_view::npos) stated.precision = ProductPrecision::Bf16;
  return true;
}

constexpr std::array kKnown{
    KnownSetting{"sharding_strategy", "ZeRO stage", strategy,
                 "FULL_SHARD, SHARD_GRAD_OP, HYBRID_SHARD, _HYBRID_SHARD_ZERO2 or NO_SHARD"},
    KnownSetting{"fsdp_sharding_strategy", "ZeRO stage", strategy,
                 "FULL_SHARD, SHARD_GRAD_OP, HYBRID_SHARD, HYBRID_SHARD_ZERO2 or NO_SHARD"},
    KnownSetting{"fsdp_reshard_after_forward", "ZeRO stage", reshard},
    KnownSetting{"device_mesh", "replicas", mesh},
    KnownSetting{"dp_replicate_size", "replicas", whole<&StatedTraining::replicas>, kCountNeed},
    KnownSetting{"mixed_precision", "precision", precision},
    KnownSetting{"fsdp_config.mixed_precision", "precision", nothing},
    KnownSetting{"precision", "precision", precision},
    KnownSetting{"activation_checkpointing", "recomputation", recomputation, "none, full, true or false"},
    KnownSetting{"fsdp_activation_checkpointing", "recomputation", recomputation, kFlagNeed},
    KnownSetting{"gradient_checkpointing", "recomputation", recomputation, kFlagNeed},
    KnownSetting{"batch_size", "microbatch", whole<&StatedTraining::microbatch>, kCountNeed},
    KnownSetting{"per_device_train_batch_size", "microbatch", whole<&StatedTraining::microbatch>, kCountNeed},
    KnownSetting{"device_train_microbatch_size", "microbatch", whole<&StatedTraining::microbatch>, kCountNeed},
    KnownSetting{"global_train_batch_size", "batch", whole<&StatedTraining::globalBatch>, kCountNeed},
    KnownSetting{"gradient_accumulation_steps", "microbatches", whole<&StatedTraining::microbatches>, kCountNeed},
    KnownSetting{"sequence_length", "sequence", whole<&StatedTraining::sequence>, kCountNeed},
    KnownSetting{"max_seq_len", "sequence", whole<&StatedTraining::sequence>, kCountNeed},
    KnownSetting{"num_processes", "devices", whole<&StatedTraining::processes>, kCountNeed},
    KnownSetting{"num_machines", "nodes", whole<&StatedTraining::nodes>, kCountNeed},
    KnownSetting{"distributed_type", "", nothing},
    KnownSetting{"fsdp_version", "", nothing},
    KnownSetting{"fsdp_auto_wrap_policy", "", nothing},
};

void finish(StatedTraining& stated) {
  if (!stated.zero) stated.zero = 3;
  if (!stated.recomputation) stated.recomputation = RecomputeKind::None;
  stated.sequenceParallel = false;
}

}  // namespace

const FileFormat kFsdpFile{
    .name = "PyTorch FSDP configuration", .framework = "fsdp", .settings = kKnown, .finish = finish};

}  // namespace p2::inline training_files
