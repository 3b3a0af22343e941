// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/hugging_face.h"

#include <algorithm>
#include <array>

#include "base/counted.h"
#include "text/foreign_json.h"
#include "workload/generate/config_blocks.h"
#include "workload/generate/config_fields.h"
#include "workload/generate/config_layers.h"
#include "workload/generate/config_window.h"

namespace p2::inline workload {
namespace {

/// A part of a model that is not counted, by a key that gives it away.
struct Uncounted {
  const char* key;
  const char* part;
};
constexpr std::array kUncounted{
    Uncounted{"ngram_vocab_size_ratio", "the n-gram embeddings"},
    Uncounted{"attn_res_block_size", "the attention over blocks of layers"},
    Uncounted{"hybrid_layer_ids", "the shared blocks of attention"},
};

class ConfigReader {
 public:
  /// `name`: of the model where the config gives none; may be empty. `outer` is the config around this one, or null.
  ConfigReader(const JsonValue& in, std::string name, const JsonValue* outer)
      : m_in(in), m_name(std::move(name)), m_outer(outer) {}

  ConfiguredModel read() {
    const ModelFamily* family = familyOf();
    if (family == nullptr) return {};
    ConfigFields fields(m_in, *family, m_model);
    for (const char* key : {"model_type", "architectures"}) {
      if (m_usedNames.count(key) > 0) fields.use(key);
    }
    nameModel(fields, *family);
    ModelBlocks blocks;
    blocks.shape.name = m_model.shape.name;
    readBlocks(fields, *family, blocks);
    readTies(fields, *family, blocks.shape);
    readLayers(fields, *family, blocks);
    readWindow(m_in, fields, m_alias.empty() ? family->type : m_alias, blocks);
    noteRest(fields);
    fields.noteUnused();
    m_model.shape = blocks.shape;
    if (m_in.failed()) return m_model;
    if (const auto valid = checkModel(blocks.shape); valid.ok()) m_model.shape = shapeOfBlocks(blocks);
    return m_model;
  }

 private:
  /// By model_type, else by the class that carries it out; other types are read by their blocks.
  const ModelFamily* familyOf() {
    const bool typed = m_in.has("model_type");
    std::string type;
    if (typed) type = m_in.at("model_type", {}).text("a model_type is a word, as in llama");
    if (!typed && m_outer != nullptr && m_outer->has("model_type")) {
      type = m_outer->at("model_type", {}).text("a model_type is a word, as in llama");
    }
    if (m_in.failed()) return nullptr;
    if (typed) m_usedNames.insert("model_type");
    if (const ModelFamily* family = familyOfType(type)) {
      if (type != family->type) m_alias = type;
      return family;
    }
    if (const ModelFamily* family = familyByArchitecture(type)) return family;
    if (!typed && !m_in.has("architectures") && !m_in.has("hidden_size")) {
      (void)m_in.at("model_type", "a config.json says what kind of model it is");
      return nullptr;
    }
    const bool encodes = m_in.has("type_vocab_size") || m_in.has("encoder_layers") || isTrue("is_encoder_decoder");
    if (isOtherKindOfModel(type) || encodes || type.empty()) {
      const JsonValue at = typed ? m_in.at("model_type", {}) : m_in;
      at.fail("\"" + type + "\" is not a language model that generates text; use the config.json of one, as of llama");
      return nullptr;
    }
    if (isWithoutAttention(type)) {
      m_in.at("model_type", {})
          .fail("models without attention, as " + type +
                ", are not supported; use the config.json of a model with attention, as of jamba");
      return nullptr;
    }
    m_alias = type;
    m_model.assumed.push_back(type +
                              " is not known: counted as a transformer of the blocks that its config declares, " +
                              "with RMSNorm and without parts that no key names");
    return &plainFamily();
  }

  [[nodiscard]] bool isTrue(const char* key) const { return m_in.has(key) && m_in.at(key, {}).json() == Json(true); }

  /// Models that are built as others are have a model_type of their own and say so by their architecture.
  const ModelFamily* familyByArchitecture(const std::string& type) {
    if (!m_in.has("architectures") || !m_in.at("architectures", {}).json().is_array()) return nullptr;
    for (const JsonValue& item : m_in.at("architectures", {}).items({})) {
      if (!item.json().is_string()) return nullptr;
      const std::string architecture = item.text({});
      const ModelFamily* family = familyOfArchitecture(architecture);
      if (family == nullptr) continue;
      m_usedNames.insert("architectures");
      m_alias = type;
      if (!type.empty()) {
        m_model.assumed.push_back(type + " is built as " + std::string(family->type) + " is, as its architecture " +
                                  architecture + " says");
      }
      return family;
    }
    return nullptr;
  }

  void nameModel(ConfigFields& fields, const ModelFamily& family) {
    m_model.shape.name = fields.text("_name_or_path");
    if (!m_model.shape.name.empty()) return;
    m_model.shape.name = !m_name.empty() ? m_name : !m_alias.empty() ? m_alias : std::string(family.type);
  }

  void readTies(ConfigFields& fields, const ModelFamily& family, ModelShape& shape) {
    const bool tied = family.has(ModelTrait::Tied);
    for (const char* key : {"tie_word_embeddings", "tie_embedding"}) {
      if (!fields.says(key)) continue;
      shape.tiedEmbeddings = fields.flag({key}, tied, "the head is the embedding");
      fields.use("tie_word_embeddings");
      fields.use("tie_embedding");
      return;
    }
    const bool outside = m_outer != nullptr && m_outer->has("tie_word_embeddings");
    if (outside && m_outer->at("tie_word_embeddings", {}).json().is_boolean()) {
      shape.tiedEmbeddings = m_outer->at("tie_word_embeddings", {}).json().get<bool>();
      if (shape.tiedEmbeddings) fields.understand("the head is the embedding (tie_word_embeddings)");
      return;
    }
    shape.tiedEmbeddings = tied;
    fields.assume(tied ? "the head is the embedding, the default of " + std::string(family.type)
                       : "the head is another matrix than the embedding");
  }

  void noteRest(ConfigFields& fields) {
    for (const char* key : {"num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers", "mtp_num_layers"}) {
      if (!fields.says(key)) continue;
      fields.use(key);
      if (m_in.at(key, {}).json() == Json(0)) continue;
      fields.assume(kPredictingLayers);
      break;
    }
    for (const Uncounted& each : kUncounted) {
      if (!fields.says(each.key) || m_in.at(each.key, {}).json() == Json(0)) continue;
      fields.use(each.key);
      fields.assume("not counted: " + std::string(each.part) + " (" + each.key + ")");
    }
  }

  const JsonValue& m_in;
  std::string m_name;
  const JsonValue* m_outer;
  std::string m_alias;  // the type, where it is another than the family's
  std::set<std::string, std::less<>> m_usedNames;
  ConfiguredModel m_model;
};

/// The key of the config of the part that reads and writes text; null for none.
const char* languageKey(const JsonValue& in) {
  for (const char* key : {"text_config", "llm_config", "language_config", "thinker_config", "language_model_config"}) {
    if (in.has(key) && in.at(key, {}).json().is_object()) return key;
  }
  return nullptr;
}

/// Models that see or hear keep the part that reads and writes in a config within the config.
ConfiguredModel readConfig(const JsonValue& in, const std::string& name, const JsonValue* outer) {
  const char* key = languageKey(in);
  if (key == nullptr) return ConfigReader(in, name, outer).read();
  const JsonValue language = in.at(key, {});
  const bool named = in.has("model_type") && in.at("model_type", {}).json().is_string();
  ConfiguredModel model = readConfig(language, named && name.empty() ? in.at("model_type", {}).text({}) : name, &in);
  model.assumed.push_back("only " + std::string(key) + " is the model: parts that see or hear are left out");
  for (const auto& [other, value] : in.members({})) {
    if (other != key && other != "model_type" && other != "tie_word_embeddings") model.ignored.push_back(other);
  }
  return model;
}

}  // namespace

Result<ConfiguredModel> modelFromConfig(std::string_view text) {
  P2_TRY_ASSIGN(const auto json, parseForeignJson(text));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  if (!json.is_object()) in.refuse("an object", "a config.json is one");
  if (problem) return *problem;
  ConfiguredModel model = readConfig(in, {}, nullptr);
  if (problem) return *problem;
  P2_TRY(checkModel(model.shape));
  return model;
}

}  // namespace p2::inline workload
