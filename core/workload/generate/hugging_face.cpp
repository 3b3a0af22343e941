// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/hugging_face.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/counted.h"
#include "text/json_value.h"

namespace p2 {
namespace {

constexpr std::int64_t kMostConfigured = std::int64_t{1} << 32;

/// A number of a config: its key, or the other name that a few models have for it.
struct ConfigNumber {
  const char* key;
  const char* other;
  std::int64_t ModelShape::*value;
  const char* what;
  bool needed;
};

constexpr std::array kNumbers{
    ConfigNumber{"num_hidden_layers", "n_layer", &ModelShape::layers, "layers", true},
    ConfigNumber{"hidden_size", "n_embd", &ModelShape::hidden, "hidden size", true},
    ConfigNumber{"intermediate_size", "n_inner", &ModelShape::ffn, "size of the MLP", true},
    ConfigNumber{"num_attention_heads", "n_head", &ModelShape::heads, "heads", true},
    ConfigNumber{"num_key_value_heads", nullptr, &ModelShape::kvHeads, "heads of keys and values", false},
    ConfigNumber{"head_dim", nullptr, &ModelShape::headSize, "size of a head", false},
    ConfigNumber{"vocab_size", nullptr, &ModelShape::vocabulary, "vocabulary", true},
};
constexpr std::array kExpertNumbers{
    ConfigNumber{"num_local_experts", nullptr, &ModelShape::experts, "experts", false},
    ConfigNumber{"num_experts", "n_routed_experts", &ModelShape::experts, "experts", false},
    ConfigNumber{"num_experts_per_tok", "experts_per_token", &ModelShape::expertsPerToken, "experts of a token", true},
    ConfigNumber{"moe_intermediate_size", nullptr, &ModelShape::expertFfn, "size of an expert", false},
    ConfigNumber{"shared_expert_intermediate_size", nullptr, &ModelShape::sharedFfn, "size of shared experts", false},
    ConfigNumber{"first_k_dense_replace", nullptr, &ModelShape::denseLayers, "dense layers at the start", false},
};
constexpr std::array kLatentNumbers{
    ConfigNumber{"q_lora_rank", nullptr, &ModelShape::qRank, "rank of queries", false},
    ConfigNumber{"kv_lora_rank", nullptr, &ModelShape::kvRank, "rank of keys and values", true},
    ConfigNumber{"qk_rope_head_dim", nullptr, &ModelShape::ropeSize, "rotary part of a head", true},
    ConfigNumber{"qk_nope_head_dim", nullptr, &ModelShape::nopeSize, "other part of a head", true},
    ConfigNumber{"v_head_dim", nullptr, &ModelShape::valueSize, "values of a head", true},
};

/// What a model_type stands for beside its numbers.
struct ModelFamily {
  const char* type;
  const char* architecture;  ///< the class that carries it out
  bool experts = false;
  bool latent = false;
  bool gpt = false;  ///< biases, norms with two vectors, an MLP of two matrices
  bool qkvBias = false;
  bool qkNorm = false;
  bool routerBias = false;
  bool sharedGate = false;
  bool matrixBiases = false;
  bool sinks = false;
  bool positions = false;  ///< learned ones
  bool tied = false;       ///< unless the config says otherwise
};

constexpr std::array kFamilies{
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
    ModelFamily{.type = "phi3", .architecture = "Phi3ForCausalLM"},
    ModelFamily{.type = "gpt2", .architecture = "GPT2LMHeadModel", .gpt = true, .positions = true, .tied = true},
    ModelFamily{.type = "gpt_neox", .architecture = "GPTNeoXForCausalLM", .gpt = true},
};

class ConfigReader {
 public:
  explicit ConfigReader(const JsonValue& in) : m_in(in) {}

  ConfiguredModel read() {
    const ModelFamily* family = familyOf();
    if (family == nullptr) return {};
    if (m_in.has("_name_or_path")) m_model.shape.name = nameFrom("_name_or_path");
    if (m_model.shape.name.empty()) m_model.shape.name = family->type;
    for (const ConfigNumber& number : kNumbers) take(number, family->positions);
    if (family->experts) readExperts(*family);
    if (family->latent) {
      for (const ConfigNumber& number : kLatentNumbers) take(number, false);
      m_used.insert("num_key_value_heads");
      m_model.shape.kvHeads = m_model.shape.heads;
    }
    readTraits(*family);
    for (const auto& [key, value] : m_in.members({})) {
      if (m_used.count(key) == 0) m_model.ignored.push_back(key);
    }
    return m_model;
  }

 private:
  const ModelFamily* familyOf() {
    const JsonValue type = m_in.at("model_type", "a config.json says what kind of model it is");
    const std::string name = type.text("a model_type is a word, as in llama");
    m_used.insert("model_type");
    std::string known;
    for (const ModelFamily& family : kFamilies) {
      if (name == family.type) return &family;
      known += (known.empty() ? "" : ", ") + std::string(family.type);
    }
    if (const ModelFamily* family = familyByArchitecture(name)) return family;
    type.fail("the model_type \"" + name + "\" is not known; use one of " + known);
    return nullptr;
  }

  /// Models that are built as others are have a model_type of their own and say so by their architecture.
  const ModelFamily* familyByArchitecture(const std::string& name) {
    if (m_in.failed() || !says("architectures") || !m_in.at("architectures", {}).json().is_array()) return nullptr;
    for (const JsonValue& item : m_in.at("architectures", {}).items({})) {
      if (!item.json().is_string()) return nullptr;
      const std::string architecture = item.text({});
      for (const ModelFamily& family : kFamilies) {
        if (architecture != family.architecture) continue;
        m_used.insert("architectures");
        m_model.shape.name = name;
        m_model.assumed.push_back(name + " is built as " + family.type + " is, as its architecture " + architecture +
                                  " says");
        return &family;
      }
    }
    return nullptr;
  }

  std::string nameFrom(const char* key) {
    m_used.insert(key);
    return m_in.at(key, {}).text("a name is a text");
  }

  [[nodiscard]] bool says(const char* key) const { return m_in.has(key) && !m_in.at(key, {}).json().is_null(); }

  /// `isGpt2`: the keys are called otherwise, and the size of the MLP may be left to the reader.
  void take(const ConfigNumber& number, bool isGpt2) {
    const bool hasOther = number.other != nullptr && !says(number.key) && (isGpt2 || says(number.other));
    const char* key = hasOther ? number.other : number.key;
    const std::string need = std::string("it gives the ") + number.what;
    m_used.insert(number.key);
    if (number.other != nullptr) m_used.insert(number.other);
    if (!says(key)) {
      if (isGpt2 && number.value == &ModelShape::ffn) {
        m_model.shape.ffn = 4 * m_model.shape.hidden;
        m_model.assumed.push_back("the MLP is 4 times as wide as the hidden size");
      } else if (number.needed) {
        (void)m_in.at(key, need).whole(0, 1, need);
      }
      return;
    }
    m_model.shape.*number.value = m_in.at(key, {}).whole(number.needed ? 1 : 0, kMostConfigured, need);
    m_model.understood.push_back(std::string(number.what) + ": " + std::to_string(m_model.shape.*number.value) + " (" +
                                 key + ")");
  }

  void readExperts(const ModelFamily& family) {
    ModelShape& shape = m_model.shape;
    for (const ConfigNumber& number : kExpertNumbers) take(number, false);
    if (shape.experts == 0 && !m_in.failed())
      m_in.fail("it gives no number of experts; " + std::string(family.type) +
                " has num_local_experts, num_experts or n_routed_experts");
    if (says("n_shared_experts")) {
      m_used.insert("n_shared_experts");
      const std::int64_t shared = m_in.at("n_shared_experts", {}).whole(0, 1 << 20, "it gives the shared experts");
      shape.sharedFfn = shared * shape.expertFfn;
      m_model.understood.push_back(countedText(shared, "shared expert") + " (n_shared_experts)");
    }
    shape.routerBias = family.routerBias;
    shape.sharedGate = family.sharedGate && shape.sharedFfn > 0;
    readGroups();
    for (const char* key : {"decoder_sparse_step", "moe_layer_freq"}) {
      if (!says(key)) continue;
      m_used.insert(key);
      const std::int64_t step = m_in.at(key, {}).whole(1, kMostConfigured, "every so many layers have experts");
      if (step != 1)
        m_model.assumed.push_back("every layer behind the dense ones has experts, though " + std::string(key) + " is " +
                                  std::to_string(step));
    }
    if (says("mlp_only_layers") && m_in.at("mlp_only_layers", {}).json() != Json::array()) {
      m_used.insert("mlp_only_layers");
      m_model.assumed.push_back("every layer has experts, though mlp_only_layers names some that have none");
    }
  }

  void readGroups() {
    if (!says("n_group") || !says("topk_group")) return;
    const std::int64_t groups = m_in.at("n_group", {}).whole(1, kMostConfigured, "it gives the groups of experts");
    const std::int64_t chosen =
        m_in.at("topk_group", {}).whole(1, kMostConfigured, "of so many groups a token has experts");
    m_used.insert("n_group");
    m_used.insert("topk_group");
    if (groups <= 1 || chosen >= groups) return;
    m_model.shape.expertGroups = groups;
    m_model.shape.groupsPerToken = chosen;
    m_model.understood.push_back("experts of " + std::to_string(chosen) + " of " + countedText(groups, "group") +
                                 " for a token (topk_group, n_group)");
  }

  bool flag(const char* key, bool otherwise, const char* what) {
    if (says(key)) {
      m_used.insert(key);
      const bool value = m_in.at(key, {}).boolean("use true or false");
      if (value) m_model.understood.push_back(std::string(what) + " (" + key + ")");
      return value;
    }
    return otherwise;
  }

  void readTraits(const ModelFamily& family) {
    ModelShape& shape = m_model.shape;
    shape.gatedMlp = !family.gpt;
    shape.biases = family.gpt;
    shape.matrixBiases = family.matrixBiases;
    shape.sinks = family.sinks;
    shape.qkNorm = flag("use_qk_norm", family.qkNorm, "norms of queries and keys");
    const bool attentionBias = flag("attention_bias", false, "biases of attention");
    shape.qkvBias = family.qkvBias || (attentionBias && !family.matrixBiases);
    if (shape.qkvBias && !family.qkvBias) m_model.assumed.push_back("the output of attention has no bias");
    if (!says("tie_word_embeddings")) {
      m_model.assumed.push_back(family.tied ? "the head is the embedding, as usual for " + std::string(family.type)
                                            : "the head is another matrix than the embedding");
    }
    shape.tiedEmbeddings = flag("tie_word_embeddings", family.tied, "the head is the embedding");
    if (family.positions) {
      const ConfigNumber positions{"n_positions", "n_ctx", &ModelShape::positions, "learned positions", true};
      take(positions, true);
    }
    readWindow();
    if (!says("num_nextn_predict_layers")) return;
    m_used.insert("num_nextn_predict_layers");
    m_model.assumed.push_back("modules that predict further tokens are not trained");
  }

  /// A window counts unless the config switches it off beside it, as those of Qwen do.
  void readWindow() {
    if (!m_in.has("sliding_window") || !m_in.at("sliding_window", {}).json().is_number_integer()) return;
    if (!flag("use_sliding_window", true, "a window of attention")) return;
    m_used.insert("sliding_window");
    m_model.assumed.push_back("every token attends to all before it, though sliding_window is " +
                              m_in.at("sliding_window", {}).json().dump());
  }

  const JsonValue& m_in;
  ConfiguredModel m_model;
  std::set<std::string, std::less<>> m_used;
};

}  // namespace

Result<ConfiguredModel> modelFromConfig(std::string_view text) {
  P2_TRY_ASSIGN(const auto json, parseJson(text));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  if (!json.is_object()) in.refuse("an object", "a config.json is one");
  if (problem) return *problem;
  ConfiguredModel model = ConfigReader(in).read();
  if (problem) return *problem;
  P2_TRY(checkModel(model.shape));
  return model;
}

}  // namespace p2
