// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "workload/generate/hugging_face.h"
#include "workload/sources.h"

using namespace p2;

namespace {

/// What real configs say of their shape, and a few keys beside it.
QString configOf(const char* keys) {
  return QString("{\"torch_dtype\": \"bfloat16\", \"rope_theta\": 1e4, %1}").arg(QString::fromUtf8(keys));
}

const char* const kLlama3 =
    R"("model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "intermediate_size": 14336,
  "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": false, "attention_bias": false)";
const char* const kUnknown =
    R"("model_type": "unheard", "num_hidden_layers": 32, "hidden_size": 4096, "intermediate_size": 14336,
  "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256)";
const char* const kMixtral =
    R"("model_type": "mixtral", "num_hidden_layers": 32, "hidden_size": 4096, "intermediate_size": 14336,
  "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2)";
const char* const kDeepSeekV3 = R"("model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168,
  "intermediate_size": 18432, "num_attention_heads": 128, "num_key_value_heads": 128, "vocab_size": 129280, "n_routed_experts": 256,
  "n_shared_experts": 1, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "first_k_dense_replace": 3, "moe_layer_freq": 1,
  "n_group": 8, "topk_group": 4, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
  "v_head_dim": 128, "num_nextn_predict_layers": 1, "tie_word_embeddings": false)";

}  // namespace

class TestHuggingFace : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // The numbers of parameters that the weights of these models have.
  void countsWhatModelsHave_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<qint64>("parameters");
    const auto row = [](const char* name, const char* keys, qint64 parameters) {
      QTest::newRow(name) << configOf(keys) << parameters;
    };
    row("Llama 3 8B", kLlama3, 8'030'261'248);
    row("Mistral 7B",
        R"("model_type": "mistral", "num_hidden_layers": 32, "hidden_size": 4096, "intermediate_size": 14336,
           "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "sliding_window": 4096)",
        7'241'732'096);
    row("Mixtral 8x7B", kMixtral, 46'702'792'704);
    row("Qwen2.5 7B",
        R"("model_type": "qwen2", "num_hidden_layers": 28, "hidden_size": 3584, "intermediate_size": 18944,
           "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152064, "tie_word_embeddings": false)",
        7'615'616'512);
    row("Qwen3 8B",
        R"("model_type": "qwen3", "num_hidden_layers": 36, "hidden_size": 4096, "intermediate_size": 12288,
           "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936)",
        8'190'735'360);
    row("Qwen3 30B-A3B",
        R"("model_type": "qwen3_moe", "num_hidden_layers": 48, "hidden_size": 2048, "intermediate_size": 6144,
           "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 151936, "num_experts": 128,
           "num_experts_per_tok": 8, "moe_intermediate_size": 768, "decoder_sparse_step": 1, "mlp_only_layers": [])",
        30'532'122'624);
    row("Qwen1.5 MoE A2.7B",
        R"("model_type": "qwen2_moe", "num_hidden_layers": 24, "hidden_size": 2048, "intermediate_size": 5632,
           "num_attention_heads": 16, "num_key_value_heads": 16, "vocab_size": 151936, "num_experts": 60,
           "num_experts_per_tok": 4, "moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632)",
        14'315'784'192);
    row("DeepSeek-V2 Lite",
        R"("model_type": "deepseek_v2", "num_hidden_layers": 27, "hidden_size": 2048, "intermediate_size": 10944,
           "num_attention_heads": 16, "num_key_value_heads": 16, "vocab_size": 102400, "n_routed_experts": 64,
           "n_shared_experts": 2, "num_experts_per_tok": 6, "moe_intermediate_size": 1408, "first_k_dense_replace": 1,
           "q_lora_rank": null, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128,
           "n_group": 1, "topk_group": 1)",
        15'706'484'224);
    row("DeepSeek-V3", kDeepSeekV3, 671'026'419'200);
    // Without the module that predicts a further token: with it the weights have 110'468'824'832 and 358'337'791'296.
    row("GLM-4.5-Air",
        R"("model_type": "glm4_moe", "num_hidden_layers": 46, "hidden_size": 4096, "intermediate_size": 10944,
           "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151552, "attention_bias": true,
           "n_routed_experts": 128, "n_shared_experts": 1, "num_experts_per_tok": 8, "moe_intermediate_size": 1408,
           "first_k_dense_replace": 1, "use_qk_norm": false, "n_group": 1, "topk_group": 1, "num_nextn_predict_layers": 1)",
        106'852'251'264);
    row("GLM-4.5",
        R"("model_type": "glm4_moe", "num_hidden_layers": 92, "hidden_size": 5120, "intermediate_size": 12288,
           "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151552, "attention_bias": true,
           "n_routed_experts": 160, "n_shared_experts": 1, "num_experts_per_tok": 8, "moe_intermediate_size": 1536,
           "first_k_dense_replace": 3, "use_qk_norm": true, "n_group": 1, "topk_group": 1, "num_nextn_predict_layers": 1)",
        352'797'829'024);
    row("gpt-oss 20B",
        R"("model_type": "gpt_oss", "num_hidden_layers": 24, "hidden_size": 2880, "intermediate_size": 2880,
           "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 201088, "attention_bias": true,
           "num_local_experts": 32, "num_experts_per_tok": 4, "experts_per_token": 4, "tie_word_embeddings": false)",
        20'914'757'184);
    row("gpt-oss 120B",
        R"("model_type": "gpt_oss", "num_hidden_layers": 36, "hidden_size": 2880, "intermediate_size": 2880,
           "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 201088, "attention_bias": true,
           "num_local_experts": 128, "experts_per_token": 4, "tie_word_embeddings": false)",
        116'829'156'672);
    row("Llama 4 Scout",
        R"("model_type": "llama4", "vision_config": {"model_type": "llama4_vision_model"}, "text_config": {
           "model_type": "llama4_text", "num_hidden_layers": 48, "hidden_size": 5120, "intermediate_size": 8192,
           "intermediate_size_mlp": 16384, "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128,
           "vocab_size": 202048, "num_local_experts": 16, "num_experts_per_tok": 1, "interleave_moe_layer_step": 1,
           "use_qk_norm": true})",
        107'769'861'120);
    row("Llama 4 Maverick",
        R"("model_type": "llama4_text", "num_hidden_layers": 48, "hidden_size": 5120, "intermediate_size": 8192,
           "intermediate_size_mlp": 16384, "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128,
           "vocab_size": 202048, "num_local_experts": 128, "num_experts_per_tok": 1, "interleave_moe_layer_step": 2)",
        400'711'848'960);
    row("Gemma 7B",
        R"("model_type": "gemma", "num_hidden_layers": 28, "hidden_size": 3072, "intermediate_size": 24576,
           "num_attention_heads": 16, "num_key_value_heads": 16, "head_dim": 256, "vocab_size": 256000)",
        8'537'680'896);
    row("Gemma 2 27B",
        R"("model_type": "gemma2", "num_hidden_layers": 46, "hidden_size": 4608, "intermediate_size": 36864,
           "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128, "vocab_size": 256000)",
        27'227'128'320);
    row("Gemma 3 1B",
        R"("model_type": "gemma3_text", "num_hidden_layers": 26, "hidden_size": 1152, "intermediate_size": 6912,
           "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256, "vocab_size": 262144)",
        999'885'952);
    // Without what sees; the 4B leaves its heads and vocabulary to the library.
    row("Gemma 3 27B",
        R"("model_type": "gemma3", "vision_config": {}, "text_config": {"model_type": "gemma3_text", "head_dim": 128,
           "hidden_size": 5376, "intermediate_size": 21504, "num_attention_heads": 32, "num_hidden_layers": 62,
           "num_key_value_heads": 16})",
        27'009'346'304);
    row("Gemma 3 4B",
        R"("model_type": "gemma3", "vision_config": {}, "text_config": {"model_type": "gemma3_text", "hidden_size": 2560,
           "intermediate_size": 10240, "num_hidden_layers": 34})",
        3'880'263'168);
    row("OLMo 2 13B",
        R"("model_type": "olmo2", "num_hidden_layers": 40, "hidden_size": 5120, "intermediate_size": 13824,
           "num_attention_heads": 40, "num_key_value_heads": 40, "vocab_size": 100352, "tie_word_embeddings": false)",
        13'716'198'400);
    row("OLMoE 1B-7B",
        R"("model_type": "olmoe", "num_hidden_layers": 16, "hidden_size": 2048, "intermediate_size": 1024,
           "num_attention_heads": 16, "num_key_value_heads": 16, "vocab_size": 50304, "num_experts": 64,
           "num_experts_per_tok": 8, "tie_word_embeddings": false)",
        6'919'161'856);
    row("Granite 3.1 8B",
        R"("model_type": "granite", "num_hidden_layers": 40, "hidden_size": 4096, "intermediate_size": 12800,
           "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 49155, "tie_word_embeddings": true)",
        8'170'848'256);
    row("Phi-3 mini",
        R"("model_type": "phi3", "num_hidden_layers": 32, "hidden_size": 3072, "intermediate_size": 8192,
           "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32064, "tie_word_embeddings": false)",
        3'821'079'552);
    row("GPT-2",
        R"("model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12, "vocab_size": 50257, "n_positions": 1024,
           "n_ctx": 1024)",
        124'439'808);
    row("GPT-NeoX 20B",
        R"("model_type": "gpt_neox", "num_hidden_layers": 44, "hidden_size": 6144, "intermediate_size": 24576,
           "num_attention_heads": 64, "vocab_size": 50432, "tie_word_embeddings": false)",
        20'554'567'680);
    // Totals of the published weights.
    row("BLOOM",
        R"("model_type": "bloom", "n_layer": 70, "hidden_size": 14336, "num_attention_heads": 112, "vocab_size": 250880)",
        176'247'271'424);
    row("OPT 6.7B",
        R"("model_type": "opt", "num_hidden_layers": 32, "hidden_size": 4096, "ffn_dim": 16384,
           "num_attention_heads": 32, "vocab_size": 50272, "max_position_embeddings": 2048)",
        6'658'473'984);
    row("GPT-J 6B",
        R"("model_type": "gptj", "n_layer": 28, "n_embd": 4096, "n_head": 16, "n_inner": null, "vocab_size": 50400,
           "tie_word_embeddings": false)",
        6'050'882'784);
    row("MPT 7B",
        R"("model_type": "mpt", "n_layers": 32, "d_model": 4096, "n_heads": 32, "expansion_ratio": 4,
           "vocab_size": 50432, "no_bias": true, "attn_config": {"alibi": true, "attn_type": "multihead_attention"})",
        6'649'286'656);
    row("DBRX",
        R"("model_type": "dbrx", "n_layers": 40, "d_model": 6144, "n_heads": 48, "vocab_size": 100352,
           "tie_word_embeddings": false, "attn_config": {"kv_n_heads": 8},
           "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4})",
        131'596'523'520);
  }
  void countsWhatModelsHave() {
    QFETCH(QString, config);
    QFETCH(qint64, parameters);
    const auto model = modelFromConfig(config.toStdString());
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
    QCOMPARE(modelParameters(resolved(model->shape)), parameters);
  }

  void saysWhatItDidWithEveryKey() {
    const auto model = modelFromConfig(configOf(kDeepSeekV3).toStdString());
    QVERIFY(model.ok());
    QCOMPARE(model->ignored, (std::vector<std::string>{"torch_dtype"}));
    QCOMPARE(model->shape.expertGroups, 8);
    QCOMPARE(model->shape.groupsPerToken, 4);
    QCOMPARE(model->shape.sharedFfn, 2048);
    const auto has = [](const std::vector<std::string>& sentences, const char* part) {
      return std::any_of(sentences.begin(), sentences.end(),
                         [&](const std::string& sentence) { return sentence.find(part) != std::string::npos; });
    };
    QVERIFY(has(model->understood, "experts: 256 (n_routed_experts)"));
    QVERIFY(has(model->assumed, "predict further tokens"));
    const auto windowed = [](const char* keys) {
      return modelFromConfig(configOf((std::string(kLlama3) + keys).c_str()).toStdString())->assumed;
    };
    QVERIFY(has(windowed(", \"sliding_window\": 128"), "though sliding_window is 128"));
    for (const char* none :
         {"", ", \"sliding_window\": null", ", \"sliding_window\": 128, \"use_sliding_window\": false"}) {
      QVERIFY2(!has(windowed(none), "sliding_window"), none);
    }
    const auto gpt = modelFromConfig(
        R"({"model_type": "gpt2", "n_layer": 2, "n_embd": 8, "n_head": 2, "vocab_size": 9, "n_positions": 4})");
    QVERIFY2(gpt.ok(), gpt.ok() ? "" : gpt.error().text().c_str());
    QCOMPARE(gpt->shape.ffn, 32);
    QVERIFY(has(gpt->assumed, "4 times as wide"));
    QVERIFY(has(gpt->assumed, "the head is the embedding"));
  }

  // The last of every so many layers, as Qwen and Llama 4 count them.
  void layersWithExpertsMayAlternate() {
    const auto withStep = [](const char* keys) {
      return test::valueOf(modelFromConfig(configOf((std::string(kMixtral) + keys).c_str()).toStdString()));
    };
    const auto has = [](const std::vector<std::string>& sentences, const std::string& sentence) {
      return std::find(sentences.begin(), sentences.end(), sentence) != sentences.end();
    };
    const ConfiguredModel third = withStep(R"(, "decoder_sparse_step": 3)");
    QCOMPARE(expertLayers(third.shape, 32), 10);
    QCOMPARE(expertLayers(third.shape, 2), 0);
    QCOMPARE(expertLayers(third.shape, 3), 1);
    QCOMPARE(denseLayers(third.shape), 22);
    QVERIFY(has(third.understood, "interval of layers with experts: 3 (decoder_sparse_step)"));
    const std::string named = "the 2 layers with experts stand behind the others";
    QVERIFY(!has(withStep(R"(, "interleave_moe_layer_step": 16, "moe_layers": [15, 31])").assumed, named));
    const ConfiguredModel uneven = withStep(R"(, "interleave_moe_layer_step": 16, "moe_layers": [15, 30])");
    QVERIFY(has(uneven.assumed, named));
    QCOMPARE(expertLayers(uneven.shape, 32), 2);
    const auto never =
        modelFromConfig(configOf((std::string(kMixtral) + R"(, "decoder_sparse_step": 33)").c_str()).toStdString());
    QVERIFY(!never.ok());
    QCOMPARE(never.error().text(),
             std::string("expert_step: none of 32 layers has experts if one of 33 has; use a smaller step"));
  }

  void modelsThatSeeAreReadWithoutWhatSees() {
    const auto model = test::valueOf(modelFromConfig(
        R"({"model_type": "gemma3", "vision_config": {}, "mm_tokens_per_image": 256, "text_config": {"model_type":
            "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "rope_theta": 1}})"));
    QCOMPARE(model.shape.name, std::string("gemma3"));
    QCOMPARE(model.assumed,
             (std::vector<std::string>{
                 "heads: 8, the default of gemma3", "heads of keys and values: 4, the default of gemma3",
                 "size of a head: 256, the default of gemma3", "vocabulary: 262208, the default of gemma3",
                 "the head is the embedding, the default of gemma3",
                 "only text_config is the model: parts that see or hear are left out"}));
    QCOMPARE(model.ignored, (std::vector<std::string>{"vision_config", "mm_tokens_per_image"}));
    const auto unknown = modelFromConfig(R"({"model_type": "seer", "text_config": {"model_type": "teller"}})");
    QVERIFY(!unknown.ok());
    QCOMPARE(unknown.error().text(),
             std::string("/text_config: the key \"num_hidden_layers\" is missing; it gives the layers"));
  }

  // A model_type of its own, built as another is: Kimi K2 carries the architecture of DeepSeek-V3.
  void goesByTheArchitectureWhereTheTypeIsUnknown() {
    QString config = configOf(kDeepSeekV3);
    config.replace("\"deepseek_v3\"", "\"kimi_k2\", \"architectures\": [\"DeepseekV3ForCausalLM\"]");
    const auto known = modelFromConfig(configOf(kDeepSeekV3).toStdString());
    const auto other = modelFromConfig(config.toStdString());
    QVERIFY2(other.ok(), other.ok() ? "" : other.error().text().c_str());
    QCOMPARE(other->shape.name, std::string("kimi_k2"));
    QCOMPARE(modelParameters(other->shape), modelParameters(known->shape));
    config.replace("\"kimi_k2\"", "\"kimi_k9\"");
    QCOMPARE(modelFromConfig(config.toStdString())->assumed.front(),
             std::string("kimi_k9 is built as deepseek_v3 is, as its architecture DeepseekV3ForCausalLM says"));
    // Another class: its blocks are known, its router's bias is not.
    config.replace("DeepseekV3ForCausalLM", "SomethingElse");
    const auto plain = modelFromConfig(config.toStdString());
    QVERIFY2(plain.ok(), plain.ok() ? "" : plain.error().text().c_str());
    QVERIFY(plain->assumed.front().starts_with("kimi_k9 is not known: counted as a transformer of the blocks"));
    QCOMPARE(modelParameters(plain->shape), modelParameters(known->shape) - 58 * 256);
  }

  void becomesAWorkload() {
    const std::string config = configOf(kLlama3).toStdString();
    const auto source = workloadFromText(config, "config.json", {{{"tp", "8"}, {"dp", "32"}, {"zero", "3"}}, {}});
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().text().c_str());
    QCOMPARE(source->workload.axes, (std::vector<Axis>{{"data", 32}, {"tensor", 8}}));
    QCOMPARE(source->ignored, (std::vector<std::string>{"torch_dtype"}));
    QVERIFY(std::any_of(source->assumed.begin(), source->assumed.end(), [](const std::string& sentence) {
      return sentence.find("sequence 4096, microbatch 1") != std::string::npos;
    }));
    const auto alone = workloadFromText(config, "config.json");
    QVERIFY(!alone.ok());
    QCOMPARE(alone.error().text(),
             std::string("config.json: dp: a single device has no communication; give a degree, as in dp = 8"));
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* from, const char* to, const char* error, const char* keys = kLlama3) {
      QTest::addRow("%s → %s", from, to) << configOf(keys).replace(from, to) << QString::fromUtf8(error);
    };
    row("llama", "bert", "/model_type: \"bert\" is not a language model that generates text");
    row("llama", "mamba2", "/model_type: models without attention, as mamba2, are not supported");
    row("\"model_type\"", "\"kind\"", "\"\" is not a language model");
    row("\"hidden_size\": 4096,", "", "the key \"hidden_size\" is missing", kUnknown);
    row("\"hidden_size\": 4096", "\"hidden_size\": \"4096\"", "/hidden_size: \"4096\" is not a whole number");
    row("\"hidden_size\": 4096", "\"hidden_size\": -1", "/hidden_size: -1 is out of range");
    row("\"hidden_size\": 4096", "\"hidden_size\": null",
        "/hidden_size: null is not a whole number; it gives the hidden size");
    row("\"hidden_size\": 4096", "\"hidden_size\": 1e300", "/hidden_size: 1e+300 is out of range");
    row("\"num_key_value_heads\": 8", "\"num_key_value_heads\": 7", "cannot share 7 of keys and values");
    row("\"attention_bias\": false", "\"attention_bias\": 1", "/attention_bias: 1 is not true or false");
    row("\"num_experts_per_tok\": 8", "\"num_experts_per_tok\": 300", "300 of 256 experts", kDeepSeekV3);
    row("\"first_k_dense_replace\": 3", "\"first_k_dense_replace\": 300", "300 dense layers", kDeepSeekV3);
    row("\"n_group\": 8", "\"n_group\": []", "/n_group: a list is not a whole number", kDeepSeekV3);
  }
  void saysWhatIsWrong() {
    QFETCH(QString, config);
    QFETCH(QString, error);
    const auto model = modelFromConfig(config.toStdString());
    QVERIFY(!model.ok());
    QVERIFY2(QString::fromStdString(model.error().text()).contains(error), model.error().text().c_str());
  }

  void refusesEveryBeginning() {
    const std::string text = configOf(kDeepSeekV3).toStdString();
    for (std::size_t length = 0; length < text.size(); ++length) {
      const auto model = modelFromConfig(std::string_view(text).substr(0, length));
      QVERIFY(!model.ok());
      QVERIFY(!model.error().text().empty());
    }
    QVERIFY(!modelFromConfig("[1]").ok());
    QVERIFY(!modelFromConfig("\"model_type\"").ok());
  }
};

QTEST_APPLESS_MAIN(TestHuggingFace)
#include "tst_hugging_face.moc"
