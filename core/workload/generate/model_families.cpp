// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/model_families.h"

#include <algorithm>
#include <array>
#include <utility>

namespace p2::inline workload {
namespace {

using enum ModelTrait;
using Defaults = std::span<const ConfigDefault>;

constexpr std::uint32_t one(ModelTrait trait) { return static_cast<std::uint32_t>(trait); }

// Defaults of the public classes (transformers' configuration_*.py), where configs leave them out.
constexpr std::array kLlamaDefaults{ConfigDefault{"vocab_size", 32000}, ConfigDefault{"hidden_size", 4096},
                                    ConfigDefault{"intermediate_size", 11008}, ConfigDefault{"num_hidden_layers", 32},
                                    ConfigDefault{"num_attention_heads", 32}};
constexpr std::array kMistralDefaults{
    ConfigDefault{"vocab_size", 32000},        ConfigDefault{"hidden_size", 4096},
    ConfigDefault{"intermediate_size", 14336}, ConfigDefault{"num_hidden_layers", 32},
    ConfigDefault{"num_attention_heads", 32},  ConfigDefault{"num_key_value_heads", 8}};
constexpr std::array kMixtralDefaults{
    ConfigDefault{"vocab_size", 32000},        ConfigDefault{"hidden_size", 4096},
    ConfigDefault{"intermediate_size", 14336}, ConfigDefault{"num_hidden_layers", 32},
    ConfigDefault{"num_attention_heads", 32},  ConfigDefault{"num_key_value_heads", 8},
    ConfigDefault{"num_local_experts", 8},     ConfigDefault{"num_experts_per_tok", 2}};
constexpr std::array kQwen2Defaults{
    ConfigDefault{"vocab_size", 151936},       ConfigDefault{"hidden_size", 4096},
    ConfigDefault{"intermediate_size", 22016}, ConfigDefault{"num_hidden_layers", 32},
    ConfigDefault{"num_attention_heads", 32},  ConfigDefault{"num_key_value_heads", 32}};
constexpr std::array kQwen2VlDefaults{
    ConfigDefault{"vocab_size", 152064},       ConfigDefault{"hidden_size", 8192},
    ConfigDefault{"intermediate_size", 29568}, ConfigDefault{"num_hidden_layers", 80},
    ConfigDefault{"num_attention_heads", 64},  ConfigDefault{"num_key_value_heads", 8}};
constexpr std::array kQwen2MoeDefaults{ConfigDefault{"vocab_size", 151936},
                                       ConfigDefault{"hidden_size", 2048},
                                       ConfigDefault{"intermediate_size", 5632},
                                       ConfigDefault{"num_hidden_layers", 24},
                                       ConfigDefault{"num_attention_heads", 16},
                                       ConfigDefault{"num_key_value_heads", 16},
                                       ConfigDefault{"moe_intermediate_size", 1408},
                                       ConfigDefault{"shared_expert_intermediate_size", 5632},
                                       ConfigDefault{"num_experts", 60},
                                       ConfigDefault{"num_experts_per_tok", 4}};
constexpr std::array kQwen3Defaults{ConfigDefault{"vocab_size", 151936},
                                    ConfigDefault{"hidden_size", 4096},
                                    ConfigDefault{"intermediate_size", 22016},
                                    ConfigDefault{"num_hidden_layers", 32},
                                    ConfigDefault{"num_attention_heads", 32},
                                    ConfigDefault{"num_key_value_heads", 32},
                                    ConfigDefault{"head_dim", 128}};
constexpr std::array kQwen3MoeDefaults{
    ConfigDefault{"vocab_size", 151936},         ConfigDefault{"hidden_size", 2048},
    ConfigDefault{"intermediate_size", 6144},    ConfigDefault{"num_hidden_layers", 24},
    ConfigDefault{"num_attention_heads", 32},    ConfigDefault{"num_key_value_heads", 4},
    ConfigDefault{"moe_intermediate_size", 768}, ConfigDefault{"num_experts", 128},
    ConfigDefault{"num_experts_per_tok", 8}};
constexpr std::array kQwen3NextDefaults{
    ConfigDefault{"vocab_size", 151936},         ConfigDefault{"hidden_size", 2048},
    ConfigDefault{"num_hidden_layers", 48},      ConfigDefault{"num_attention_heads", 16},
    ConfigDefault{"num_key_value_heads", 2},     ConfigDefault{"head_dim", 256},
    ConfigDefault{"linear_conv_kernel_dim", 4},  ConfigDefault{"linear_key_head_dim", 128},
    ConfigDefault{"linear_value_head_dim", 128}, ConfigDefault{"linear_num_key_heads", 16},
    ConfigDefault{"linear_num_value_heads", 32}, ConfigDefault{"full_attention_interval", 4}};
constexpr std::array kDeepSeekV2Defaults{
    ConfigDefault{"vocab_size", 32000},        ConfigDefault{"hidden_size", 4096},
    ConfigDefault{"intermediate_size", 11008}, ConfigDefault{"moe_intermediate_size", 1407},
    ConfigDefault{"num_hidden_layers", 32},    ConfigDefault{"num_attention_heads", 32},
    ConfigDefault{"n_routed_experts", 64},     ConfigDefault{"n_shared_experts", 2},
    ConfigDefault{"kv_lora_rank", 512},        ConfigDefault{"q_lora_rank", 1536},
    ConfigDefault{"qk_rope_head_dim", 64},     ConfigDefault{"qk_nope_head_dim", 128},
    ConfigDefault{"v_head_dim", 128}};
constexpr std::array kDeepSeekV3Defaults{ConfigDefault{"vocab_size", 129280},
                                         ConfigDefault{"hidden_size", 7168},
                                         ConfigDefault{"intermediate_size", 18432},
                                         ConfigDefault{"moe_intermediate_size", 2048},
                                         ConfigDefault{"num_hidden_layers", 61},
                                         ConfigDefault{"num_attention_heads", 128},
                                         ConfigDefault{"n_routed_experts", 256},
                                         ConfigDefault{"n_shared_experts", 1},
                                         ConfigDefault{"num_experts_per_tok", 8},
                                         ConfigDefault{"first_k_dense_replace", 3},
                                         ConfigDefault{"kv_lora_rank", 512},
                                         ConfigDefault{"q_lora_rank", 1536},
                                         ConfigDefault{"qk_rope_head_dim", 64},
                                         ConfigDefault{"qk_nope_head_dim", 128},
                                         ConfigDefault{"v_head_dim", 128},
                                         ConfigDefault{"n_group", 8},
                                         ConfigDefault{"topk_group", 4}};
constexpr std::array kGptOssDefaults{ConfigDefault{"vocab_size", 201088},
                                     ConfigDefault{"hidden_size", 2880},
                                     ConfigDefault{"intermediate_size", 2880},
                                     ConfigDefault{"num_hidden_layers", 36},
                                     ConfigDefault{"num_attention_heads", 64},
                                     ConfigDefault{"num_key_value_heads", 8},
                                     ConfigDefault{"head_dim", 64},
                                     ConfigDefault{"num_local_experts", 128},
                                     ConfigDefault{"num_experts_per_tok", 4}};
constexpr std::array kLlama4Defaults{
    ConfigDefault{"vocab_size", 202048},      ConfigDefault{"hidden_size", 5120},
    ConfigDefault{"intermediate_size", 8192}, ConfigDefault{"intermediate_size_mlp", 16384},
    ConfigDefault{"num_hidden_layers", 48},   ConfigDefault{"num_attention_heads", 40},
    ConfigDefault{"num_key_value_heads", 8},  ConfigDefault{"head_dim", 128},
    ConfigDefault{"num_local_experts", 16},   ConfigDefault{"num_experts_per_tok", 1}};
constexpr std::array kGemmaDefaults{ConfigDefault{"vocab_size", 256000},
                                    ConfigDefault{"hidden_size", 3072},
                                    ConfigDefault{"intermediate_size", 24576},
                                    ConfigDefault{"num_hidden_layers", 28},
                                    ConfigDefault{"num_attention_heads", 16},
                                    ConfigDefault{"num_key_value_heads", 16},
                                    ConfigDefault{"head_dim", 256}};
constexpr std::array kGemma2Defaults{ConfigDefault{"vocab_size", 256000},
                                     ConfigDefault{"hidden_size", 2304},
                                     ConfigDefault{"intermediate_size", 9216},
                                     ConfigDefault{"num_hidden_layers", 26},
                                     ConfigDefault{"num_attention_heads", 8},
                                     ConfigDefault{"num_key_value_heads", 4},
                                     ConfigDefault{"head_dim", 256}};
constexpr std::array kGemma3Defaults{ConfigDefault{"vocab_size", 262208},
                                     ConfigDefault{"hidden_size", 2304},
                                     ConfigDefault{"intermediate_size", 9216},
                                     ConfigDefault{"num_hidden_layers", 26},
                                     ConfigDefault{"num_attention_heads", 8},
                                     ConfigDefault{"num_key_value_heads", 4},
                                     ConfigDefault{"head_dim", 256}};
constexpr std::array kGemma4Defaults{ConfigDefault{"vocab_size", 262144},      ConfigDefault{"hidden_size", 2304},
                                     ConfigDefault{"intermediate_size", 9216}, ConfigDefault{"num_hidden_layers", 30},
                                     ConfigDefault{"num_attention_heads", 8},  ConfigDefault{"num_key_value_heads", 4},
                                     ConfigDefault{"head_dim", 256},           ConfigDefault{"global_head_dim", 512}};
constexpr std::array kPhi3Defaults{ConfigDefault{"vocab_size", 32064}, ConfigDefault{"hidden_size", 3072},
                                   ConfigDefault{"intermediate_size", 8192}, ConfigDefault{"num_hidden_layers", 32},
                                   ConfigDefault{"num_attention_heads", 32}};
constexpr std::array kPhiMoeDefaults{ConfigDefault{"vocab_size", 32064},       ConfigDefault{"hidden_size", 4096},
                                     ConfigDefault{"intermediate_size", 6400}, ConfigDefault{"num_hidden_layers", 32},
                                     ConfigDefault{"num_attention_heads", 32}, ConfigDefault{"num_key_value_heads", 8},
                                     ConfigDefault{"num_local_experts", 16},   ConfigDefault{"num_experts_per_tok", 2}};
constexpr std::array kCohereDefaults{ConfigDefault{"vocab_size", 256000}, ConfigDefault{"hidden_size", 8192},
                                     ConfigDefault{"intermediate_size", 22528}, ConfigDefault{"num_hidden_layers", 40},
                                     ConfigDefault{"num_attention_heads", 64}};
constexpr std::array kSmolDefaults{ConfigDefault{"vocab_size", 128256},       ConfigDefault{"hidden_size", 2048},
                                   ConfigDefault{"intermediate_size", 11008}, ConfigDefault{"num_hidden_layers", 36},
                                   ConfigDefault{"num_attention_heads", 16},  ConfigDefault{"num_key_value_heads", 4}};
constexpr std::array kMambaDefaults{ConfigDefault{"mamba_d_conv", 4},        ConfigDefault{"mamba_expand", 2},
                                    ConfigDefault{"mamba_d_state", 16},      ConfigDefault{"num_key_value_heads", 8},
                                    ConfigDefault{"attn_layer_period", 8},   ConfigDefault{"attn_layer_offset", 4},
                                    ConfigDefault{"expert_layer_period", 2}, ConfigDefault{"expert_layer_offset", 1},
                                    ConfigDefault{"num_experts", 16},        ConfigDefault{"num_experts_per_tok", 2}};
constexpr std::array kMamba2Defaults{ConfigDefault{"mamba_d_conv", 4}, ConfigDefault{"mamba_expand", 2},
                                     ConfigDefault{"mamba_d_state", 256}, ConfigDefault{"mamba_n_groups", 1}};
constexpr std::array kNemotronHDefaults{ConfigDefault{"mamba_d_conv", 4}, ConfigDefault{"mamba_d_state", 128},
                                        ConfigDefault{"mamba_n_groups", 8}};
constexpr std::array kErnieDefaults{ConfigDefault{"num_key_value_heads", 4}, ConfigDefault{"moe_layer_start_index", 1},
                                    ConfigDefault{"moe_layer_interval", 1}, ConfigDefault{"moe_num_shared_experts", 2}};
constexpr std::array kLfmDefaults{ConfigDefault{"conv_L_cache", 3}, ConfigDefault{"block_multiple_of", 256},
                                  ConfigDefault{"num_dense_layers", 2}};
constexpr std::array kMiniMaxDefaults{ConfigDefault{"num_key_value_heads", 8}};
constexpr std::array kKdaDefaults{ConfigDefault{"first_k_dense_replace", 1}};
constexpr std::array kGraniteDefaults{ConfigDefault{"mamba_d_conv", 4}, ConfigDefault{"mamba_expand", 2},
                                      ConfigDefault{"mamba_d_state", 256}, ConfigDefault{"mamba_n_groups", 1}};

constexpr std::array kFamilies{
    ModelFamily{"llama", "LlamaForCausalLM", 0, kLlamaDefaults},
    ModelFamily{"mistral", "MistralForCausalLM", 0, kMistralDefaults},
    ModelFamily{"mixtral", "MixtralForCausalLM", 0, kMixtralDefaults},
    ModelFamily{"qwen2", "Qwen2ForCausalLM", QkvBias | BiasOnQkvOnly, kQwen2Defaults},
    ModelFamily{"qwen2_vl", "Qwen2VLForConditionalGeneration", QkvBias | BiasOnQkvOnly, kQwen2VlDefaults},
    ModelFamily{"qwen2_moe", "Qwen2MoeForCausalLM", QkvBias | BiasOnQkvOnly | SharedGate, kQwen2MoeDefaults},
    ModelFamily{"qwen3", "Qwen3ForCausalLM", one(HeadNorms), kQwen3Defaults},
    ModelFamily{"qwen3_moe", "Qwen3MoeForCausalLM", one(HeadNorms), kQwen3MoeDefaults},
    ModelFamily{"qwen3_next", "Qwen3NextForCausalLM", HeadNorms | QueryGate | SharedGate, kQwen3NextDefaults},
    ModelFamily{"deepseek", "DeepseekForCausalLM", 0, {}},
    ModelFamily{"deepseek_v2", "DeepseekV2ForCausalLM", 0, kDeepSeekV2Defaults},
    ModelFamily{"deepseek_v3", "DeepseekV3ForCausalLM", one(RouterBias), kDeepSeekV3Defaults},
    ModelFamily{"deepseek_v4", "DeepseekV4ForCausalLM", one(RouterBias), {}},
    ModelFamily{"glm", "GlmForCausalLM", one(BiasOnQkvOnly), {}},
    ModelFamily{"glm4", "Glm4ForCausalLM", BiasOnQkvOnly | FourNorms, {}},
    ModelFamily{"glm4_moe", "Glm4MoeForCausalLM", BiasOnQkvOnly | RouterBias, {}},
    ModelFamily{"gpt_oss", "GptOssForCausalLM", AllBiases | Sinks | RouterBias, kGptOssDefaults},
    ModelFamily{"llama4", "Llama4ForCausalLM", BareNorms | OneSharedExpert, kLlama4Defaults},
    ModelFamily{"gemma", "GemmaForCausalLM", one(Tied), kGemmaDefaults},
    ModelFamily{"gemma2", "Gemma2ForCausalLM", Tied | FourNorms, kGemma2Defaults},
    ModelFamily{"gemma3", "Gemma3ForCausalLM", Tied | FourNorms | HeadNorms, kGemma3Defaults},
    ModelFamily{"gemma4", "Gemma4ForCausalLM", Tied | FourNorms | HeadNorms | ExpertsBesideMlp, kGemma4Defaults},
    ModelFamily{"olmo", "OlmoForCausalLM", one(NoNorms), {}},
    ModelFamily{"olmo2", "Olmo2ForCausalLM", WideNorms | LateNorms, {}},
    ModelFamily{"olmoe", "OlmoeForCausalLM", one(WideNorms), {}},
    ModelFamily{"granite", "GraniteForCausalLM", 0, kLlamaDefaults},
    ModelFamily{"granitemoe", "GraniteMoeForCausalLM", 0, kLlamaDefaults},
    ModelFamily{"granitemoehybrid", "GraniteMoeHybridForCausalLM", one(SharedEverywhere), kGraniteDefaults},
    ModelFamily{"bamba", "BambaForCausalLM", 0, kGraniteDefaults},
    ModelFamily{"phi", "PhiForCausalLM", NormBias | OneNorm | PlainMlp | AllBiases | HeadBias, {}},
    ModelFamily{"phi3", "Phi3ForCausalLM", 0, kPhi3Defaults},
    ModelFamily{"phimoe", "PhiMoEForCausalLM", NormBias | HeadBias, kPhiMoeDefaults},
    ModelFamily{"cohere", "CohereForCausalLM", Tied | OneNorm, kCohereDefaults},
    ModelFamily{"starcoder2", "Starcoder2ForCausalLM", Tied | NormBias | PlainMlp | AllBiases, {}},
    ModelFamily{"stablelm", "StableLmForCausalLM", one(NormBias), {}},
    ModelFamily{"nemotron", "NemotronForCausalLM", NormBias | PlainMlp, {}},
    ModelFamily{"nemotron_h", "NemotronHForCausalLM", OneBlock | PlainMlp, kNemotronHDefaults},
    ModelFamily{"falcon_h1", "FalconH1ForCausalLM", ParallelMamba | BareInner, kMamba2Defaults},
    ModelFamily{"jamba", "JambaForCausalLM", one(InnerNorms), kMambaDefaults},
    ModelFamily{"minimax", "MiniMaxText01ForCausalLM", one(HeadScaledNorms), kMiniMaxDefaults},
    ModelFamily{"minimax_m2", "MiniMaxM2ForCausalLM", WideNorms | RouterBias, kMiniMaxDefaults},
    ModelFamily{"ernie4_5", "Ernie4_5_ForCausalLM", one(Tied), {}},
    ModelFamily{"ernie4_5_moe", "Ernie4_5_MoeForCausalLM", Tied | RouterBias, kErnieDefaults},
    ModelFamily{"hunyuan", "HunYuanMoEV1ForCausalLM", one(HeadNorms), {}},
    ModelFamily{"smollm3", "SmolLM3ForCausalLM", one(Tied), kSmolDefaults},
    ModelFamily{"arcee", "ArceeForCausalLM", one(PlainMlp), {}},
    ModelFamily{"apertus", "ApertusForCausalLM", PlainMlp | HeadNorms | SlopePair, {}},
    ModelFamily{"bitnet", "BitNetForCausalLM", SubNorms | Tied, {}},
    ModelFamily{"seed_oss", "SeedOssForCausalLM", one(BiasOnQkvOnly), {}},
    ModelFamily{"exaone", "ExaoneForCausalLM", 0, {}},
    ModelFamily{"exaone4", "Exaone4ForCausalLM", HeadNorms | LateNorms, {}},
    ModelFamily{"exaone_moe", "ExaoneMoEForCausalLM", HeadNorms | RouterBias, {}},
    ModelFamily{"dots1", "Dots1ForCausalLM", HeadNorms | RouterBias, {}},
    ModelFamily{"bailing_moe", "BailingMoeForCausalLM", 0, {}},
    ModelFamily{"bailing_moe_v2", "BailingMoeV2ForCausalLM", HeadNorms | RouterBias, {}},
    ModelFamily{"lfm2", "Lfm2ForCausalLM", HeadNorms | Tied, kLfmDefaults},
    ModelFamily{"lfm2_moe", "Lfm2MoeForCausalLM", HeadNorms | Tied | RouterBias, kLfmDefaults},
    ModelFamily{"kimi_linear", "KimiLinearForCausalLM", one(RouterBias), kKdaDefaults},
    ModelFamily{"mimo_v2_flash", "MiMoV2FlashForCausalLM", one(RouterBias), {}},
    ModelFamily{"step3p5", "Step3p5ForCausalLM", HeadNorms | RouterBias, {}},
    ModelFamily{"afmoe", "AfmoeForCausalLM", HeadNorms | FourNorms | ElementGate | RouterBias, {}},
    ModelFamily{"longcat_flash", "LongcatFlashForCausalLM", DoubleLayer | RouterBias, {}},
    ModelFamily{"nemotron-nas", "DeciLMForCausalLM", 0, {}},
    ModelFamily{"minicpm3", "MiniCPM3ForCausalLM", 0, {}},
    ModelFamily{"gpt2", "GPT2LMHeadModel", NormBias | AllBiases | PlainMlp | Positions | Tied, {}},
    ModelFamily{"falcon", "FalconForCausalLM", NormBias | PlainMlp, {}},
    ModelFamily{"qwen", "QWenLMHeadModel", one(QkvBias), {}},
    ModelFamily{"gpt_neox", "GPTNeoXForCausalLM", NormBias | AllBiases | PlainMlp, {}},
    ModelFamily{"gptj", "GPTJForCausalLM", NormBias | OneNorm | PlainMlp | HeadBias, {}},
    ModelFamily{"opt", "OPTForCausalLM", NormBias | AllBiases | PlainMlp | Positions | Tied, {}},
    ModelFamily{"bloom", "BloomForCausalLM", NormBias | AllBiases | PlainMlp | EmbeddingNorm | Tied, {}},
    ModelFamily{"mpt", "MPTForCausalLM", PlainMlp | Tied, {}},
    ModelFamily{"dbrx", "DbrxForCausalLM", 0, {}},
};

/// Other names of a type that is built as one of the above.
constexpr std::array<std::pair<std::string_view, std::string_view>, 58> kSameBuild{{
    {"qwen2_5_vl", "qwen2_vl"},
    {"qwen2_5_omni", "qwen2"},
    {"qwen2_audio", "qwen2"},
    {"qwen3_vl", "qwen3"},
    {"qwen3_vl_moe", "qwen3_moe"},
    {"qwen3_omni_moe", "qwen3_moe"},
    {"qwen3_omni_moe_thinker", "qwen3_moe"},
    {"qwen3_5", "qwen3_next"},
    {"qwen3_5_moe", "qwen3_next"},
    {"mimo", "qwen2"},
    {"mistral3", "mistral"},
    {"ministral", "mistral"},
    {"ministral3", "mistral"},
    {"pixtral", "mistral"},
    {"mistral4", "deepseek_v3"},
    {"kimi_k2", "deepseek_v3"},
    {"kimi_k25", "deepseek_v3"},
    {"kimi_vl", "deepseek_v3"},
    {"deepseek_v32", "deepseek_v3"},
    {"glm_moe_dsa", "deepseek_v3"},
    {"glm4_moe_lite", "deepseek_v3"},
    {"deepseek_vl_v2", "deepseek_v2"},
    {"deepseek_vl2", "deepseek_v2"},
    {"deepseek_ocr", "deepseek_v2"},
    {"qwen2_5", "qwen2"},
    {"youtu_llm", "minicpm3"},
    {"glm4v", "glm4"},
    {"glm4v_moe", "glm4_moe"},
    {"glm_ocr", "glm4"},
    {"solar_open", "glm4_moe"},
    {"chatglm", "glm"},
    {"olmo3", "olmo2"},
    {"flex_olmo", "olmoe"},
    {"granitemoeshared", "granitemoe"},
    {"cohere2", "cohere"},
    {"phi4", "phi3"},
    {"phi4mm", "phi3"},
    {"phi4flash", "phi3"},
    {"hunyuan_v1_dense", "hunyuan"},
    {"hunyuan_v1_moe", "hunyuan"},
    {"minimax_text_01", "minimax"},
    {"minimax_m1", "minimax"},
    {"ernie4_5_vl", "ernie4_5_moe"},
    {"ernie4_5_vl_moe", "ernie4_5_moe"},
    {"bailing_moe_v2_5", "bailing_moe_v2"},
    {"step3p7", "step3p5"},
    {"internlm2", "llama"},
    {"internlm3", "llama"},
    {"baichuan", "llama"},
    {"minicpm", "llama"},
    {"smolvlm", "llama"},
    {"aquila", "llama"},
    {"deepseek_v2_5", "deepseek_v2"},
    {"gemma3n", "gemma3"},
    {"mimo_v2", "mimo_v2_flash"},
    {"lfm2_vl", "lfm2"},
    {"falcon3", "llama"},
    {"vaultgemma", "gemma2"},
}};

/// Encoders, models of images and of sound.
constexpr std::array<std::string_view, 22> kOtherKinds{
    "bert",       "roberta", "xlm-roberta", "distilbert", "electra", "albert", "deberta", "deberta-v2",
    "modernbert", "t5",      "mt5",         "umt5",       "bart",    "mbart",  "pegasus", "whisper",
    "wav2vec2",   "vit",     "clip",        "siglip",     "sam",     "dinov2"};

constexpr std::array<std::string_view, 8> kWithoutAttention{"mamba", "mamba2", "falcon_mamba", "rwkv",
                                                            "rwkv5", "rwkv6",  "rwkv7",        "xlstm"};

constexpr ModelFamily kPlain{"transformer", "", 0, {}};

const ModelFamily* exactly(std::string_view type) {
  const auto found =
      std::find_if(kFamilies.begin(), kFamilies.end(), [&](const ModelFamily& family) { return family.type == type; });
  if (found != kFamilies.end()) return &*found;
  const auto same =
      std::find_if(kSameBuild.begin(), kSameBuild.end(), [&](const auto& row) { return row.first == type; });
  return same == kSameBuild.end() ? nullptr : exactly(same->second);
}

}  // namespace

const ModelFamily* familyOfType(std::string_view type) {
  if (const ModelFamily* family = exactly(type)) return family;
  constexpr std::string_view kText = "_text";
  return type.ends_with(kText) ? exactly(type.substr(0, type.size() - kText.size())) : nullptr;
}

const ModelFamily* familyOfArchitecture(std::string_view architecture) {
  const auto found = std::find_if(kFamilies.begin(), kFamilies.end(),
                                  [&](const ModelFamily& family) { return family.architecture == architecture; });
  return found == kFamilies.end() ? nullptr : &*found;
}

const ModelFamily& plainFamily() { return kPlain; }

bool isOtherKindOfModel(std::string_view type) {
  return std::find(kOtherKinds.begin(), kOtherKinds.end(), type) != kOtherKinds.end();
}

bool isWithoutAttention(std::string_view type) {
  return std::find(kWithoutAttention.begin(), kWithoutAttention.end(), type) != kWithoutAttention.end();
}

}  // namespace p2::inline workload
