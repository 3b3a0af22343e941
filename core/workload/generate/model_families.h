// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: the meanings of keys and model_types of a config.json.
#pragma once

#include <array>
#include <span>

#include "workload/generate/model_shape.h"

namespace p2 {

/// A number of a config: its key, or the other name that a few models have for it.
struct ConfigNumber {
  const char* key;
  const char* other;
  std::int64_t ModelShape::*value;
  const char* what;
  bool needed;
};

inline constexpr std::array kConfigNumbers{
    ConfigNumber{"num_hidden_layers", "n_layer", &ModelShape::layers, "layers", true},
    ConfigNumber{"hidden_size", "n_embd", &ModelShape::hidden, "hidden size", true},
    ConfigNumber{"intermediate_size", "n_inner", &ModelShape::ffn, "size of the MLP", true},
    ConfigNumber{"num_attention_heads", "n_head", &ModelShape::heads, "heads", true},
    ConfigNumber{"num_key_value_heads", nullptr, &ModelShape::kvHeads, "heads of keys and values", false},
    ConfigNumber{"head_dim", nullptr, &ModelShape::headSize, "size of a head", false},
    ConfigNumber{"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", true},
};
inline constexpr std::array kExpertNumbers{
    ConfigNumber{"num_local_experts", nullptr, &ModelShape::experts, "experts", false},
    ConfigNumber{"num_experts", "n_routed_experts", &ModelShape::experts, "experts", false},
    ConfigNumber{"num_experts_per_tok", "experts_per_token", &ModelShape::expertsPerToken, "experts of a token", true},
    ConfigNumber{"moe_intermediate_size", nullptr, &ModelShape::expertFfn, "size of an expert", false},
    ConfigNumber{"shared_expert_intermediate_size", nullptr, &ModelShape::sharedFfn, "size of shared experts", false},
    ConfigNumber{"first_k_dense_replace", nullptr, &ModelShape::denseLayers, "dense layers at the start", false},
};
inline constexpr std::array kLatentNumbers{
    ConfigNumber{"q_lora_rank", nullptr, &ModelShape::qRank, "rank of queries", false},
    ConfigNumber{"kv_lora_rank", nullptr, &ModelShape::kvRank, "rank of keys and values", true},
    ConfigNumber{"qk_rope_head_dim", nullptr, &ModelShape::ropeSize, "rotary part of a head", true},
    ConfigNumber{"qk_nope_head_dim", nullptr, &ModelShape::nopeSize, "other part of a head", true},
    ConfigNumber{"v_head_dim", nullptr, &ModelShape::valueSize, "values of a head", true},
};

/// A default of the library for a key of a config.
struct ConfigDefault {
  const char* key;
  std::int64_t value;
};

/// Properties of a model_type in addition to its numbers.
struct ModelFamily {
  const char* type;
  const char* architecture;  ///< the class that carries it out
  bool experts = false;
  bool latent = false;
  bool gpt = false;  ///< biases, norms with two vectors, an MLP of two matrices
  bool qkvBias = false;
  bool qkNorm = false;
  bool bareQkNorm = false;  ///< where there are such norms they have no parameters
  bool wideQkNorm = false;
  bool postNorms = false;
  bool lateNorms = false;  ///< behind attention and MLP only
  bool routerBias = false;
  bool sharedGate = false;
  bool matrixBiases = false;
  bool sinks = false;
  bool positions = false;          ///< learned ones
  bool tied = false;               ///< unless the config says otherwise
  bool sharedExpert = false;       ///< one, as large as the others
  const char* denseFfn = nullptr;  ///< the key of the MLP's size in layers without experts, where it is another
  std::span<const ConfigDefault> defaults = {};
};

inline constexpr std::array kGemmaDefaults{ConfigDefault{"head_dim", 256}};
inline constexpr std::array kGemma3Defaults{ConfigDefault{"head_dim", 256}, ConfigDefault{"num_attention_heads", 8},
                                            ConfigDefault{"num_key_value_heads", 4},
                                            ConfigDefault{"vocab_size", 262208}};

inline constexpr std::array kModelFamilies{
    ModelFamily{.type = "llama", .architecture = "LlamaForCausalLM"},
    ModelFamily{.type = "mistral", .architecture = "MistralForCausalLM"},
    ModelFamily{.type = "mixtral", .architecture = "MixtralForCausalLM", .experts = true},
    ModelFamily{.type = "qwen2", .architecture = "Qwen2ForCausalLM", .qkvBias = true},
    ModelFamily{.type = "qwen2_moe",
                .architecture = "Qwen2MoeForCausalLM",
                .experts = true,
                .qkvBias = true,
                .sharedGate = true},
    ModelFamily{.type = "qwen3", .architecture = "Qwen3ForCausalLM", .qkNorm = true},
    ModelFamily{.type = "qwen3_moe", .architecture = "Qwen3MoeForCausalLM", .experts = true, .qkNorm = true},
    ModelFamily{.type = "deepseek_v2", .architecture = "DeepseekV2ForCausalLM", .experts = true, .latent = true},
    ModelFamily{.type = "deepseek_v3",
                .architecture = "DeepseekV3ForCausalLM",
                .experts = true,
                .latent = true,
                .routerBias = true},
    ModelFamily{.type = "glm4_moe", .architecture = "Glm4MoeForCausalLM", .experts = true, .routerBias = true},
    ModelFamily{.type = "gpt_oss",
                .architecture = "GptOssForCausalLM",
                .experts = true,
                .routerBias = true,
                .matrixBiases = true,
                .sinks = true},
    ModelFamily{.type = "llama4_text",
                .architecture = "Llama4ForCausalLM",
                .experts = true,
                .bareQkNorm = true,
                .sharedExpert = true,
                .denseFfn = "intermediate_size_mlp"},
    ModelFamily{.type = "gemma", .architecture = "GemmaForCausalLM", .tied = true, .defaults = kGemmaDefaults},
    ModelFamily{.type = "gemma2",
                .architecture = "Gemma2ForCausalLM",
                .postNorms = true,
                .tied = true,
                .defaults = kGemmaDefaults},
    ModelFamily{.type = "gemma3_text",
                .architecture = "Gemma3ForCausalLM",
                .qkNorm = true,
                .postNorms = true,
                .tied = true,
                .defaults = kGemma3Defaults},
    ModelFamily{.type = "olmo2", .architecture = "Olmo2ForCausalLM", .wideQkNorm = true, .lateNorms = true},
    ModelFamily{.type = "olmoe", .architecture = "OlmoeForCausalLM", .experts = true, .wideQkNorm = true},
    ModelFamily{.type = "granite", .architecture = "GraniteForCausalLM"},
    ModelFamily{.type = "phi3", .architecture = "Phi3ForCausalLM"},
    ModelFamily{.type = "gpt2", .architecture = "GPT2LMHeadModel", .gpt = true, .positions = true, .tied = true},
    ModelFamily{.type = "gpt_neox", .architecture = "GPTNeoXForCausalLM", .gpt = true},
};

}  // namespace p2
