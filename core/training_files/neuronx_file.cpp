// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "training_files/detail/file_format.h"
#include "training_files/detail/megatron_settings.h"
#include "training_files/detail/megatron_values.h"

namespace p2::inline training_files {
namespace {

using settings::flag;
using settings::kCountNeed;
using settings::kFlagNeed;
using settings::nothing;
using settings::shape;
using settings::shapeFlag;

bool ringAttention(std::string_view value, StatedTraining& stated) {
  const auto flag = flagOf(value);
  if (flag.value_or(false)) stated.contextKind = ContextCollective::Ring;
  return flag.has_value();
}

/// Published lists all have the core of attention; some add the MLP, which is not priced.
bool recomputedModules(std::string_view value, StatedTraining& stated) {
  if (value.find("MLP") != std::string_view::npos) {
    stated.assumed.push_back("recomputed modules " + std::string(value) + " count as the core of attention");
  }
  return true;
}

bool activation(std::string_view value, StatedTraining& stated) {
  stated.model.gatedMlp = value == "swiglu";
  return true;
}

bool precision(std::string_view value, StatedTraining& stated) {
  constexpr std::array<std::string_view, 3> kHalfSums{"bf16SR", "autocast", "manual"};
  stated.precision = ProductPrecision::Bf16;
  stated.fullPrecisionSums = std::find(kHalfSums.begin(), kHalfSums.end(), value) == kHalfSums.end();
  if (value == "fp32") stated.assumed.push_back("precision fp32 counts as bf16");
  return true;
}

constexpr std::array kKnown{
    KnownSetting{"zero1", "ZeRO 1", megatron_values::zeroOne, kFlagNeed},
    KnownSetting{"kv_replicator", "copies of heads of keys and values", nothing},
    KnownSetting{"token_shuffle_group_size", "shuffled tokens", nothing},
    KnownSetting{"ring_attention", "kind of cp", ringAttention, kFlagNeed},
    KnownSetting{"flash_attention", "fused attention", flag<&StatedTraining::fusedAttention>, kFlagNeed},
    KnownSetting{"activations_checkpoint_recompute", "recomputed modules", recomputedModules},
    KnownSetting{"precision.type", "precision", precision},
    KnownSetting{"model.activation", "gated MLP", activation},
    KnownSetting{"has_bias", "biases", shapeFlag<&ModelShape::biases>, kFlagNeed},
    KnownSetting{"num_kv_heads", "heads of keys and values", shape<&ModelShape::kvHeads>, kCountNeed},
    KnownSetting{"moe.top_k", "experts of a token", shape<&ModelShape::expertsPerToken>, kCountNeed},
    KnownSetting{"model_config", "model", nothing},
    KnownSetting{"model_source", "", nothing},
    KnownSetting{"qkv_linear", "", nothing},
    KnownSetting{"fuse_qkv", "", nothing},
    KnownSetting{"lnc", "", nothing},
    KnownSetting{"bucket_size_collectives", "", nothing},
    KnownSetting{"neuron_rt_exec_timeout", "", nothing},
};

void finish(StatedTraining& stated) {
  // Models of Hugging Face have their sizes in another file; a few of them may be repeated here.
  if (stated.model.heads == 0) stated.model = {};
  const bool ring = stated.contextKind == ContextCollective::Ring;
  finishMegatron(stated);
  if (ring) stated.fusedAttention = true;
  if (stated.context.value_or(1) > 1) stated.contextKind = ContextCollective::Ring;
}

}  // namespace

const FileFormat kNeuronxFile{.name = "NxD Training configuration",
                              .framework = "neuronx",
                              .settings = kKnown,
                              .also = megatronSettings,
                              .names = "neuronx",
                              .prepare = prepareMegatron,
                              .finish = finish};

}  // namespace p2::inline training_files
