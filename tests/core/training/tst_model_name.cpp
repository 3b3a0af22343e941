// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "training/model_name.h"

using namespace p2;

class TestModelName : public QObject {
  Q_OBJECT

 private slots:
  void models_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("name");
    const QString glm = R"({"model_type": "glm4_moe", "architectures": ["Glm4MoeForCausalLM"]})";
    const QString llama = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"]})";
    const QString hash = "9e64fea5b2a0b4a0f4b6b2a2e2f2b7a1c0d9e8f7";
    QTest::newRow("folder of anything") << "/models/mine/config.json" << glm << "Glm4Moe";
    QTest::newRow("folder of a repository") << "/models/GLM-4.5/config.json" << glm << "GLM-4.5";
    QTest::newRow("hub cache") << "/c/hub/models--zai-org--GLM-4.5-Air/snapshots/" + hash + "/config.json" << glm
                               << "GLM-4.5-Air";
    QTest::newRow("snapshot alone") << "/c/snapshots/" + hash + "/config.json" << glm << "Glm4Moe";
    QTest::newRow("other family's name") << "/models/Yi-34B/config.json" << llama << "Yi-34B";
    QTest::newRow("experts") << "/m/Mixtral-8x22B-v0.1/config.json"
                             << R"({"model_type": "mixtral"})"
                             << "Mixtral-8x22B-v0.1";
    QTest::newRow("checkpoint") << "/runs/checkpoint-500/config.json" << llama << "Llama";
    QTest::newRow("folder of a date") << "/runs/2024-10-05/config.json" << llama << "Llama";
    QTest::newRow("stated") << "/runs/out/config.json"
                            << R"({"model_type": "llama", "_name_or_path": "meta-llama/Llama-2-7b-hf"})"
                            << "Llama-2-7b-hf";
    QTest::newRow("stated folder") << "/models/Yi-34B/config.json"
                                   << R"({"model_type": "llama", "_name_or_path": "/raid/checkpoints/ours"})"
                                   << "Yi-34B";
    QTest::newRow("task of old classes") << "/x/config.json"
                                         << R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]})"
                                         << "GPT2";
    QTest::newRow("type alone") << "/x/config.json"
                                << R"({"model_type": "qwen3_moe"})"
                                << "qwen3_moe";
    QTest::newRow("own file") << "/x/ours.json" << glm << "ours";
    QTest::newRow("pasted") << "/scratch/p2-1a2b3c/pasted" << glm << "Glm4Moe";
    QTest::newRow("p2-model") << "/x/config.json"
                              << R"({"format": "p2-model", "version": 1, "name": "Ours 7B", "model": {"layers": 2,
                                 "hidden": 64, "heads": 2, "vocabulary": 100}})"
                              << "Ours 7B";
    QTest::newRow("wrong types") << "/x/config.json"
                                 << R"({"model_type": 4, "architectures": [1]})"
                                 << "";
    QTest::newRow("no JSON") << "/x/config.json"
                             << "layers: 4"
                             << "";
  }
  void models() {
    QFETCH(QString, path);
    QFETCH(QString, config);
    QFETCH(QString, name);
    QCOMPARE(QString::fromStdString(modelNameOf(path.toStdString(), config.toStdString())), name);
  }
};

QTEST_APPLESS_MAIN(TestModelName)
#include "tst_model_name.moc"
