// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/hugging_face.h"

#include <algorithm>
#include <set>

#include "base/counted.h"
#include "text/json_value.h"
#include "workload/generate/model_families.h"

namespace p2 {
namespace {

constexpr std::int64_t kMostConfigured = std::int64_t{1} << 32;
constexpr std::int64_t kMostListed = 4096;  // layers

class ConfigReader {
 public:
  /// `name`: of the model where the config gives none; may be empty.
  ConfigReader(const JsonValue& in, std::string name) : m_in(in), m_name(std::move(name)) {}

  ConfiguredModel read() {
    const ModelFamily* family = familyOf();
    if (family == nullptr) return {};
    if (m_in.has("_name_or_path")) m_model.shape.name = nameFrom("_name_or_path");
    if (m_model.shape.name.empty()) m_model.shape.name = m_name.empty() ? family->type : m_name;
    for (const ConfigNumber& number : kConfigNumbers) take(number, *family);
    if (family->experts) readExperts(*family);
    if (family->latent) {
      for (const ConfigNumber& number : kLatentNumbers) take(number, *family);
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
    for (const ModelFamily& family : kModelFamilies) {
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
      for (const ModelFamily& family : kModelFamilies) {
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

  static const ConfigDefault* defaultOf(const ModelFamily& family, std::string_view key) {
    const auto found = std::find_if(family.defaults.begin(), family.defaults.end(),
                                    [&](const ConfigDefault& usual) { return key == usual.key; });
    return found == family.defaults.end() ? nullptr : &*found;
  }

  std::string nameFrom(const char* key) {
    m_used.insert(key);
    return m_in.at(key, {}).text("a name is a text");
  }

  [[nodiscard]] bool says(const char* key) const { return m_in.has(key) && !m_in.at(key, {}).json().is_null(); }

  void take(const ConfigNumber& number, const ModelFamily& family) {
    // GPT-2 calls the keys otherwise, and leaves the size of the MLP to the reader.
    const bool isGpt2 = family.positions;
    const bool hasOther = number.other != nullptr && !says(number.key) && (isGpt2 || says(number.other));
    const char* key = hasOther ? number.other : number.key;
    const std::string need = std::string("it gives the ") + number.what;
    m_used.insert(number.key);
    if (number.other != nullptr) m_used.insert(number.other);
    if (!says(key)) {
      if (isGpt2 && number.value == &ModelShape::ffn) {
        m_model.shape.ffn = 4 * m_model.shape.hidden;
        m_model.assumed.push_back("the MLP is 4 times as wide as the hidden size");
      } else if (const ConfigDefault* usual = defaultOf(family, number.key)) {
        m_model.shape.*number.value = usual->value;
        m_model.assumed.push_back(std::string(number.what) + ": " + std::to_string(usual->value) + ", as usual for " +
                                  family.type);
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
    for (const ConfigNumber& number : kExpertNumbers) take(number, family);
    if (shape.experts == 0 && !m_in.failed())
      m_in.fail("it gives no number of experts; " + std::string(family.type) +
                " has num_local_experts, num_experts or n_routed_experts");
    if (says("n_shared_experts")) {
      m_used.insert("n_shared_experts");
      const std::int64_t shared = m_in.at("n_shared_experts", {}).whole(0, 1 << 20, "it gives the shared experts");
      shape.sharedFfn = shared * shape.expertFfn;
      m_model.understood.push_back(countedText(shared, "shared expert") + " (n_shared_experts)");
    }
    if (family.denseFfn != nullptr) {
      if (shape.expertFfn == 0) shape.expertFfn = shape.ffn;
      take({family.denseFfn, nullptr, &ModelShape::ffn, "size of the MLP without experts", true}, family);
    }
    if (family.sharedExpert) shape.sharedFfn = shape.expertFfn;
    shape.routerBias = family.routerBias;
    shape.sharedGate = family.sharedGate && shape.sharedFfn > 0;
    readGroups();
    readRoutedLayers();
  }

  /// Which layers have experts.
  void readRoutedLayers() {
    ModelShape& shape = m_model.shape;
    const char* const need = "every so many layers have experts";
    for (const char* key : {"decoder_sparse_step", "interleave_moe_layer_step"}) {
      if (!says(key)) continue;
      m_used.insert(key);
      shape.expertStep = m_in.at(key, {}).whole(1, kMostConfigured, need);
      if (shape.expertStep == 1) continue;
      m_model.understood.push_back("one layer of " + std::to_string(shape.expertStep) + " has experts (" + key + ")");
    }
    if (says("moe_layer_freq")) {
      m_used.insert("moe_layer_freq");
      const std::int64_t step = m_in.at("moe_layer_freq", {}).whole(1, kMostConfigured, need);
      if (step != 1) {
        m_model.assumed.push_back("every layer behind the dense ones has experts, though moe_layer_freq is " +
                                  std::to_string(step));
      }
    }
    for (const char* key : {"mlp_only_layers", "moe_layers"}) {
      if (!says(key)) continue;
      m_used.insert(key);
      const Json& listed = m_in.at(key, {}).json();
      if (listed == (key == std::string_view("moe_layers") ? routedLayers() : Json::array())) continue;
      m_model.assumed.push_back("layers have experts as usual, though " + std::string(key) + " names others");
    }
  }

  /// Those with experts, counted from 0.
  [[nodiscard]] Json routedLayers() const {
    Json layers = Json::array();
    const ModelShape& shape = m_model.shape;
    for (std::int64_t layer = 0; layer < std::min(shape.layers, kMostListed); ++layer) {
      if (expertLayers(shape, layer + 1) > expertLayers(shape, layer)) layers.push_back(layer);
    }
    return layers;
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
    const bool qkNorm = flag("use_qk_norm", family.qkNorm, "norms of queries and keys");
    shape.qkNorm = qkNorm && !family.bareQkNorm && !family.wideQkNorm;
    shape.wideQkNorm = family.wideQkNorm;
    shape.postNorms = family.postNorms;
    if (family.lateNorms) m_model.assumed.push_back("norms stand before attention and MLP, not behind them");
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
      take(positions, family);
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
  std::string m_name;
  ConfiguredModel m_model;
  std::set<std::string, std::less<>> m_used;
};

/// Models that see or hear keep what they read and write in a config within the config.
ConfiguredModel readConfig(const JsonValue& in) {
  if (!in.has("text_config") || !in.at("text_config", {}).json().is_object()) return ConfigReader(in, {}).read();
  const JsonValue language = in.at("text_config", {});
  const bool named = in.has("model_type") && in.at("model_type", {}).json().is_string();
  ConfiguredModel model = ConfigReader(language, named ? in.at("model_type", {}).text({}) : std::string()).read();
  model.assumed.emplace_back("only what text_config says is the model: what sees or hears is left out");
  for (const auto& [key, value] : in.members({})) {
    if (key != "text_config" && key != "model_type") model.ignored.push_back(key);
  }
  return model;
}

}  // namespace

Result<ConfiguredModel> modelFromConfig(std::string_view text) {
  P2_TRY_ASSIGN(const auto json, parseJson(text));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  if (!json.is_object()) in.refuse("an object", "a config.json is one");
  if (problem) return *problem;
  ConfiguredModel model = readConfig(in);
  if (problem) return *problem;
  P2_TRY(checkModel(model.shape));
  return model;
}

}  // namespace p2
