// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "support/damages.h"
#include "workload/generate/hugging_face.h"
#include "workload/sources.h"

using namespace p2;

namespace {

QByteArray contentOf(const char* name) {
  QFile file(QStringLiteral(P2_TEST_DATA) + "/" + name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString sentencesOf(const std::vector<std::string>& sentences) {
  QStringList list;
  for (const std::string& sentence : sentences) list << QString::fromStdString(sentence);
  return list.join('\n');
}

/// A config with some keys replaced; null takes one out.
std::string withChanges(const char* file, const QJsonObject& changes) {
  QJsonObject config = QJsonDocument::fromJson(contentOf(file)).object();
  for (auto change = changes.begin(); change != changes.end(); ++change) {
    if (change.value().isNull()) {
      config.remove(change.key());
    } else {
      config[change.key()] = change.value();
    }
  }
  return QJsonDocument(config).toJson().toStdString();
}

}  // namespace

/// Configs of public models, read by their blocks.
class TestPublicModels : public QObject {
  Q_OBJECT
 private slots:
  void haveTheirParameters_data() {
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<qint64>("parameters");
    const QJsonArray models = QJsonDocument::fromJson(contentOf("models/public.json")).array();
    QVERIFY(models.size() > 100);
    QJsonArray all = models;
    // Whole configs of public repositories, with totals of their weights.
    for (const QJsonValue& model : QJsonDocument::fromJson(contentOf("models/published.json")).array()) all << model;
    QVERIFY(all.size() >= models.size() + 44);
    for (const QJsonValue& model : std::as_const(all)) {
      QTest::addRow("%s, %s", qPrintable(model["name"].toString()), qPrintable(model["source"].toString().left(40)))
          << QJsonDocument(model["config"].toObject()).toJson() << qint64(model["parameters"].toDouble());
    }
  }
  void haveTheirParameters() {
    QFETCH(QByteArray, config);
    QFETCH(qint64, parameters);
    const auto model = modelFromConfig(config.toStdString());
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
    QCOMPARE(modelParameters(resolved(model->shape)), parameters);
  }

  void nameBlocksInThePlaceOfAttention() {
    const QMap<QString, QString> blocks{{"jamba", "Mamba blocks"},
                                        {"nemotron_h", "Mamba-2 blocks"},
                                        {"falcon_h1", "Mamba-2 blocks"},
                                        {"qwen3_next", "gated delta blocks"},
                                        {"kimi_linear", "Kimi delta blocks"},
                                        {"lfm2", "short convolutions"},
                                        {"llama", ""},
                                        {"gemma3_text", ""},
                                        {"deepseek_v3", ""},
                                        {"nemotron-nas", ""}};
    QSet<QString> seen;
    for (const QJsonValue& each : QJsonDocument::fromJson(contentOf("models/public.json")).array()) {
      const QString type = each["config"]["model_type"].toString();
      if (!blocks.contains(type)) continue;
      const auto model = modelFromConfig(QJsonDocument(each["config"].toObject()).toJson().toStdString());
      QVERIFY(model.ok());
      QVERIFY2(QString::fromStdString(model->shape.otherBlocks) == blocks[type], qPrintable(each["name"].toString()));
      seen << type;
    }
    QVERIFY(seen.size() >= 7);
  }

  // The blocks decide: the same parameters under a name that nobody has heard of, where no property lacks a key.
  void typesThatAreNotKnownAreReadByTheirBlocks() {
    const auto known = modelFromConfig(withChanges("pasted/cfg14_llama7b.json", {}));
    const auto other = modelFromConfig(
        withChanges("pasted/cfg14_llama7b.json", {{"model_type", "brandnew"}, {"architectures", QJsonValue()}}));
    QVERIFY2(other.ok(), other.ok() ? "" : other.error().text().c_str());
    QCOMPARE(modelParameters(resolved(other->shape)), modelParameters(resolved(known->shape)));
    QVERIFY2(sentencesOf(other->assumed).contains("brandnew is not known"), qPrintable(sentencesOf(other->assumed)));
    // A key for norms of queries and keys is heard.
    const auto normed = modelFromConfig(
        withChanges("pasted/cfg14_llama7b.json",
                    {{"model_type", "brandnew"}, {"architectures", QJsonValue()}, {"use_qk_norm", true}}));
    QCOMPARE(modelParameters(resolved(normed->shape)), modelParameters(resolved(known->shape)) + 32 * 2 * 128);
  }

  void pastedConfigs_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<qint64>("parameters");
    QTest::newRow("nested Qwen2.5-VL") << "cfg04_qwen25_vl_3b_nested.json" << qint64(3'085'938'688);
    QTest::newRow("Qwen3-VL") << "cfg08_qwen3_vl_8b.json" << qint64(8'190'735'360);
    QTest::newRow("DeepSeek-V3.2") << "cfg10_deepseek_v32.json" << qint64(671'026'419'200 + 61 * 13'959'424LL);
    QTest::newRow("Infinity") << "cfg11_infinity.json" << qint64(30'532'122'624);
    QTest::newRow("Qwen3 30B") << "cfg13_qwen3_30b_a3b.json" << qint64(30'532'122'624);
    QTest::newRow("Llama 7B") << "cfg14_llama7b.json" << qint64(6'738'415'616);
  }
  void pastedConfigs() {
    QFETCH(QString, file);
    QFETCH(qint64, parameters);
    const auto model = modelFromConfig(contentOf(qPrintable("pasted/" + file)).toStdString());
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
    QCOMPARE(modelParameters(resolved(model->shape)), parameters);
  }

  // Public case q03: ZeRO-3 under a pipeline, as the published runs have it, gathers and reduces once a step. Two
  // replicas then halve what crosses the network; with a gather per microbatch they cost more.
  void shardedParametersUnderPipelines() {
    const auto read = [](std::vector<PlanChange> more) {
      std::vector<PlanChange> changes{{"pp", "4"},   {"dp", "16"},           {"ep", "8"},
                                      {"zero", "3"}, {"microbatches", "64"}, {"sequence", "4096"}};
      changes.insert(changes.end(), more.begin(), more.end());
      const auto source =
          workloadFromText(contentOf("pasted/cfg13_qwen3_30b_a3b.json").toStdString(), "qwen3", {changes, {}});
      if (!source.ok()) qFatal("%s", source.error().text().c_str());
      return *source;
    };
    const auto bytesOf = [](const WorkloadSource& source, std::string_view name) {
      double bytes = 0;
      for (const WorkloadEntry& entry : source.workload.collectives) {
        if (entry.name.find(name) != std::string::npos) bytes += double(entry.bytes) * double(entry.count);
      }
      return bytes;
    };
    const WorkloadSource plain = read({});
    QVERIFY2(sentencesOf(plain.assumed).contains("gradients are reduced once a step (accumulate)"),
             qPrintable(sentencesOf(plain.assumed)));
    QVERIFY(sentencesOf(plain.assumed).contains("parameters stay gathered between passes (reshard)"));
    QVERIFY(plain.workload == read({{"accumulate", "yes"}, {"reshard", "no"}}).workload);
    const WorkloadSource every = read({{"accumulate", "no"}, {"reshard", "yes"}});
    QVERIFY(!sentencesOf(every.assumed).contains("accumulate"));
    QVERIFY(!sentencesOf(every.assumed).contains("reshard"));
    QVERIFY(bytesOf(every, "gradients") > 30 * bytesOf(plain, "gradients"));
    // Without a pipeline the default stays, and is named.
    const auto flat = workloadFromText(contentOf("pasted/cfg14_llama7b.json").toStdString(), "llama",
                                       {{{"dp", "8"}, {"zero", "3"}}, {}});
    QVERIFY(flat.ok());
    QVERIFY2(sentencesOf(flat->assumed).contains("gradients are reduced in every microbatch (accumulate)"),
             qPrintable(sentencesOf(flat->assumed)));
  }

  // What Python and people write into JSON.
  void lenientJson() {
    const std::string config = withChanges("pasted/cfg14_llama7b.json", {});
    const auto read = [&](const std::string& extra) {
      std::string text = config;
      text.insert(text.find('{') + 1, extra);
      const auto model = modelFromConfig(text);
      return model.ok() ? modelParameters(resolved(model->shape)) : 0;
    };
    QCOMPARE(read("\"a\": NaN, \"b\": -Infinity, \"c\": [Infinity, 1,],"), 6'738'415'616);
    QCOMPARE(read("// a comment\n/* and\n another */ \"a\": \"// none\","), 6'738'415'616);
    std::string labels;
    for (int i = 0; i < 5000; ++i) labels += "\"" + std::to_string(i) + "\": \"label\",";
    QCOMPARE(read("\"id2label\": {" + labels + "},"), 6'738'415'616);
    QVERIFY(!modelFromConfig("{\"model_type\": \"llama\",, }").ok());
    QVERIFY(!modelFromConfig(std::string(100, '[')).ok());
  }

  // Hyper-connections: six weights a stream for attention and for the MLP of every layer, and a head.
  void hyperConnectionsAndCrossAttention() {
    const auto count = [](const QJsonObject& more) {
      const auto model = modelFromConfig(withChanges("pasted/cfg14_llama7b.json", more));
      return model.ok() ? modelParameters(resolved(model->shape)) : -1;
    };
    const qint64 plain = 6'738'415'616;
    const qint64 streams = 32LL * 2 * (24 * (4 * 4096 + 1) + 3) + 4 * (4 * 4096 + 1) + 1;
    QCOMPARE(count({{"hc_mult", 4}}), plain + streams);
    QCOMPARE(count({{"hc_mult", 1}}), plain);
    // As in transformers' MllamaTextModel: norms of queries and keys and two gates a layer, 8 more embeddings.
    QCOMPARE(count({{"cross_attention_layers", QJsonArray{3, 8, 13}}}), plain + 3 * (2 * 128 + 2) + 8 * 4096);
  }

  // DeepSeek-V4 by the blocks of its modelling code: queries from 1,024 elements, one key that is the value, an output
  // in 8 groups, keys compressed by 4 (with an indexer, overlapping) or 128, experts by a table in 3 layers.
  void deepSeekV4() {
    const auto model = modelFromConfig(contentOf("models/deepseek-v4-flash.json").toStdString());
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
    const qint64 h = 4096, d = 512, wide = 64 * d, rank = 1024;
    const qint64 attention = rank * (h + 1 + wide) + h * d + d + (wide + 8 * h) * 1024 + 64;
    const qint64 indexer = rank * 64 * 128 + h * 64 + (2 * h + 4) * 2 * 128 + 128;
    const qint64 by4 = (2 * h + 4) * 2 * d + d + indexer, by128 = (2 * h + 128) * d + d;
    const qint64 experts = 256 * 3 * h * 2048 + 256 * h + 256 + 3 * h * 2048;
    const qint64 streams = 2 * (24 * (4 * h + 1) + 3);
    const qint64 all = 43 * (attention + experts + 2 * h + streams) - 3 * 256 + 21 * by4 + 20 * by128 + 2 * 129280 * h +
                       h + 4 * (4 * h + 1) + 1;
    QCOMPARE(modelParameters(resolved(model->shape)), all);
    // The page counts 290,944,616,402: also a module that predicts a second token (a layer, a matrix of 2h × h, three
    // norms, a head of the streams) and, for three layers, the six experts of every word of the vocabulary.
    const qint64 next = attention + experts + 2 * h + streams + 2 * h * h + 3 * h + 4 * (4 * h + 1) + 1;
    QCOMPARE(all, 290'944'616'402 - next - 3 * 129280 * 6);
  }

  // Gemma 4: heads of their own over all tokens, where keys are values; layers that take keys and values from others.
  void gemma4() {
    const auto count = [](const char* more) {
      const std::string start = R"({"model_type": "gemma4_text", "hidden_size": 64, "intermediate_size": 128,
        "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "global_head_dim": 32,
        "vocab_size": 100, "tie_word_embeddings": true,
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention"])";
      const auto model = modelFromConfig(start + more + "}");
      return model.ok() ? modelParameters(resolved(model->shape)) : -1;
    };
    const qint64 h = 64, near = h * (4 + 2 + 2 + 4) * 16 + 2 * 16, far = h * (4 + 2 + 2 + 4) * 32 + 2 * 32;
    const qint64 rest = 100 * h + h + 3 * (3 * h * 128 + 4 * h);
    QCOMPARE(count(""), rest + 2 * near + far);
    const qint64 same = h * (4 + 1 + 4) * 32 + 2 * 32;
    QCOMPARE(count(R"(, "attention_k_eq_v": true, "num_global_key_value_heads": 1)"), rest + 2 * near + same);
    // Two layers lack keys, values and the keys' norm, and have MLPs of twice the width.
    const qint64 borrowed = h * 2 * 2 * 16 + 16 + h * 2 * 2 * 32 + 32;
    QCOMPARE(count(R"(, "num_kv_shared_layers": 2)"), rest + 2 * near + far - borrowed);
    QCOMPARE(count(R"(, "num_kv_shared_layers": 2, "use_double_wide_mlp": true)"),
             rest + 2 * near + far - borrowed + 2 * 3 * h * 128);
    // Experts next to the MLP, with three norms, a scale of the router's input and one of every expert.
    const qint64 experts = 3 * (8 * 3 * h * 32 + 8 * h + h + 8 + 3 * h);
    const char* declared =
        R"(, "enable_moe_block": true, "num_experts": 8, "top_k_experts": 2, "moe_intermediate_size": 32)";
    QCOMPARE(count(declared), rest + 2 * near + far + experts);
    QCOMPARE(count(R"(, "enable_moe_block": false, "num_experts": 8, "top_k_experts": 2, "moe_intermediate_size": 32)"),
             rest + 2 * near + far);
  }

  // Layers that a search has left different, two blocks in a layer, embeddings of every layer.
  void layersThatDiffer() {
    const auto count = [](const char* config) {
      const auto model = modelFromConfig(config);
      return model.ok() ? modelParameters(resolved(model->shape)) : -1;
    };
    // Attention of 4 and 2 heads of keys and values, none, and MLPs of 256, none and 512.
    const qint64 embeddings = 2 * 100 * 64 + 64;
    const qint64 first = 64 * (64 + 64) + 2 * 64 * 64 + 3 * 64 * 256 + 2 * 64;
    const qint64 second = 64 * (64 + 64) + 2 * 64 * 32 + 64;
    const qint64 third = 3 * 64 * 512 + 64;
    QCOMPARE(
        count(R"({"model_type": "nemotron-nas", "hidden_size": 64, "intermediate_size": null, "num_hidden_layers": 3,
        "num_attention_heads": 4, "num_key_value_heads": null, "vocab_size": 100, "tie_word_embeddings": false, "block_configs": [
        {"attention": {"n_heads_in_group": 1}, "ffn": {"ffn_mult": 5.0}},
        {"attention": {"n_heads_in_group": 2}, "ffn": {"no_op": true}},
        {"attention": {"no_op": true}, "ffn": {"intermediate_size": 512}}]})"),
        embeddings + first + second + third);
    QCOMPARE(
        count(R"({"model_type": "olmo3", "hidden_size": 64, "intermediate_size": [128, 256], "num_hidden_layers": 2,
        "num_attention_heads": 4, "vocab_size": 100, "tie_word_embeddings": true, "use_qk_norm": false})"),
        100 * 64 + 64 + 2 * (4 * 64 * 64 + 2 * 64) + 3 * 64 * (128 + 256));
  }

  // Whatever happens to a config, it gives a shape or a sentence.
  void damagedConfigsAreAnswered() {
    const QJsonArray models = QJsonDocument::fromJson(contentOf("models/public.json")).array();
    for (qsizetype i = 0; i < models.size(); i += 3) {
      const std::string whole = QJsonDocument(models[i].toObject()["config"].toObject()).toJson().toStdString();
      std::mt19937 random(static_cast<unsigned>(whole.size()));
      for (int k = 0; k < 30; ++k) {
        const auto model = modelFromConfig(test::damaged(whole, random, {}));
        if (model.ok()) {
          QVERIFY(modelParameters(resolved(model->shape)) > 0);
        } else {
          QVERIFY(!model.error().text().empty());
        }
      }
    }
  }

  void namesWhatItCannotCount() {
    const auto model = modelFromConfig(
        withChanges("pasted/cfg14_llama7b.json", {{"model_type", "strange"}, {"attn_res_block_size", 4}}));
    QVERIFY(model.ok());
    QVERIFY2(
        sentencesOf(model->assumed).contains("not counted: the attention over blocks of layers (attn_res_block_size)"),
        qPrintable(sentencesOf(model->assumed)));
  }
};

QTEST_APPLESS_MAIN(TestPublicModels)
#include "tst_public_models.moc"
