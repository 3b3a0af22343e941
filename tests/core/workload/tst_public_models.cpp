// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "support/damages.h"
#include "workload/generate/hugging_face.h"

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
    for (const QJsonValue& model : models) {
      QTest::newRow(qPrintable(model["name"].toString()))
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
    const auto model =
        modelFromConfig(withChanges("pasted/cfg14_llama7b.json", {{"model_type", "strange"}, {"hc_mult", 4}}));
    QVERIFY(model.ok());
    QVERIFY2(sentencesOf(model->assumed).contains("not counted: hyper-connections (hc_mult)"),
             qPrintable(sentencesOf(model->assumed)));
  }
};

QTEST_APPLESS_MAIN(TestPublicModels)
#include "tst_public_models.moc"
