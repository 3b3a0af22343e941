// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "support/filled.h"
#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::jsonFrom;
using p2::test::runP2;

namespace {

QString graphFile(const char* name) { return QString(P2_RESOURCES "/graphs/%1.json").arg(name); }

}  // namespace

class TestCliGraph : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void listsTheBundledGraphs() {
    const QJsonArray graphs = jsonFrom({"strategy", "--list"})["graphs"].toArray();
    QCOMPARE(graphs.size(), 21);
    const QString text = runP2({"strategy", "--list"}).out;
    for (const auto& graph : graphs) {
      const QString name = graph.toObject()["name"].toString();
      QVERIFY(text.contains('\n' + name + ' '));
      const bool isModel = graph.toObject()["description"].toString().contains(" layers of width ");
      QVERIFY(isModel || QFile::exists(graphFile(qPrintable(name))));
    }
  }

  // Some names have a point, as paths do.
  void everyNameIsFound() {
    for (const auto& graph : p2::test::filled(jsonFrom({"strategy", "--list"})["graphs"].toArray())) {
      const QString name = graph.toObject()["name"].toString();
      const auto answer = runP2({"strategy", name, "--devices", "1"});
      QVERIFY2(answer.status == 0, qPrintable(name + ": " + answer.err));
    }
  }

  void aNameAndItsFileAreTheSame() {
    const QJsonObject named = jsonFrom({"strategy", "alexnet", "--devices", "4"});
    QVERIFY(named["cost"].toDouble() > 0);
    QCOMPARE(named["devices"].toInt(), 4);
    QCOMPARE(named["configuration"].toObject().size(), 13);
    QCOMPARE(jsonFrom({"strategy", graphFile("alexnet"), "--devices", "4"}), named);
  }

  // One device cuts nothing, so the cost is the work alone: 10 times the speed, a tenth of the time.
  void optionsAreTaken() {
    const double cost = jsonFrom({"strategy", "mlp", "--devices", "1"})["cost"].toDouble();
    QCOMPARE(jsonFrom({"strategy", "mlp", "--devices", "1", "--flops", "1e14"})["cost"].toDouble(), cost / 10);
    const QJsonObject exact =
        jsonFrom({"strategy", "alexnet", "--devices", "8", "--exactly", "--space", "powers-of-two"});
    const QJsonObject parts = exact["parts"].toObject();
    for (const auto& configuration : p2::test::filled(parts)) {
      int product = 1;
      for (const auto& part : configuration.toArray()) product *= part.toInt();
      QCOMPARE(product, 8);
    }
    QVERIFY(jsonFrom({"strategy", "alexnet", "--bandwidth", "8GB/s"})["cost"].toDouble() <
            jsonFrom({"strategy", "alexnet"})["cost"].toDouble());
    QVERIFY(jsonFrom({"strategy", "alexnet", "--space", "divisors", "--cutoff", "100"})["cost"].toDouble() >
            jsonFrom({"strategy", "alexnet"})["cost"].toDouble());
  }

  void theHierarchicalModelTakesTheDevicesOfItsSystem() {
    const QJsonObject slow =
        jsonFrom({"strategy", "lstm", "--model", "hierarchical", "--system", "node:2@8Gbps gpu:4@1Tbps"});
    const QJsonObject fast =
        jsonFrom({"strategy", "lstm", "--model", "hierarchical", "--system", "node:2@1Tbps gpu:4@1Tbps"});
    QCOMPARE(slow["devices"].toInt(), 8);
    QVERIFY(fast["cost"].toDouble() > 0);
    QVERIFY(slow["cost"].toDouble() > fast["cost"].toDouble());
  }

  // Every operator's own work and all-reduces are part of the cost.
  void saysWhatTheStrategyNeeds_data() {
    QTest::addColumn<QStringList>("model");
    QTest::addColumn<bool>("placed");
    QTest::newRow("flat") << QStringList() << false;
    QTest::newRow("hierarchical") << QStringList{"--model", "hierarchical", "--system", "node:2@8GB/s gpu:4"} << true;
  }
  void saysWhatTheStrategyNeeds() {
    QFETCH(QStringList, model);
    QFETCH(bool, placed);
    const QStringList command = QStringList{"strategy", "lstm"} + model;
    const QJsonObject found = jsonFrom(command);
    double seconds = 0;
    for (const QJsonValue& need : found["needs"].toArray()) {
      int devices = 1;
      bool reduces = false;
      for (const QJsonValue& axis : need["axes"].toArray()) {
        devices *= axis["size"].toInt();
        reduces = reduces || axis["reduce"].toBool();
      }
      QVERIFY(reduces);
      QCOMPARE(8 % devices, 0);
      QVERIFY(need["bytes"].toDouble() > 0);
      for (const QJsonValue& name : p2::test::filled(need["operators"].toArray())) {
        QVERIFY(found["configuration"].toObject().contains(name.toString()));
      }
      QCOMPARE(need.toObject().contains("matrix"), placed);
      QCOMPARE(need.toObject().contains("program"), placed);
      seconds += need["seconds"].toDouble();
    }
    QVERIFY(seconds > 0 && seconds < found["cost"].toDouble());
    const QString text = runP2(command).out;
    QVERIFY2(QRegularExpression("\ncost [0-9.]+ ms, optimal\nmemory [0-9.]+ MB a device: ").match(text).hasMatch(),
             qPrintable(text));
    QVERIFY(text.contains("\nnote: the minimum shard size (8) limits a batch of 20 to 2 ways"));
    QVERIFY(found["note"].toString().startsWith("the minimum shard size (8)"));
    QVERIFY2(QRegularExpression("\ncollective +axes +reduce +bytes +time +operators").match(text).hasMatch(),
             qPrintable(text));
    QCOMPARE(text.contains("best program"), placed);
  }

  // What is listed adds up to the cost, on every mesh: compute, and what operators and edges send.
  void aMeshSaysWhereItsTimeGoes() {
    const QJsonObject found =
        jsonFrom({"strategy", "mlp", "--model", "hierarchical", "--system", "node:4@8GB/s gpu:4", "--compare"});
    const double cost = found["cost"].toDouble();
    double sum = 0;
    for (const char* list : {"operators", "edges"}) {
      for (const QJsonValue& each : found[list].toArray()) {
        sum += each["compute"].toDouble();
        for (const QJsonValue& transfer : each["transfers"].toArray()) sum += transfer["seconds"].toDouble();
      }
    }
    QVERIFY(qAbs(sum - cost) <= 1e-12 * cost);
    QVERIFY(!found["mesh"]["axes"].toArray().isEmpty());
    QCOMPARE(found["meshes"]["all"].toInt(), 9);
    QCOMPARE(found["mapping"]["devices"].toArray().size(), 16);
    // Every tensor's parts go through its indices.
    for (const QJsonValue& tensor : p2::test::filled(found["mapping"]["tensors"].toArray())) {
      for (const QJsonValue& dimension : p2::test::filled(tensor["dimensions"].toArray())) {
        int at = 0;
        for (const QJsonValue& range : p2::test::filled(dimension["parts"].toArray())) {
          QCOMPARE(range[0].toInt(), at);
          at = range[1].toInt();
        }
      }
    }
    const QJsonArray baselines = found["baselines"].toArray();
    QCOMPARE(baselines.size(), 4);
    for (const QJsonValue& each : baselines) {
      const double other = each["cost"].toDouble();
      const double parts = each["compute"].toDouble() + each["reduce"].toDouble() + each["exchange"].toDouble();
      QVERIFY(qAbs(parts - other) <= 1e-9 * other);
      QVERIFY(each["name"] == "FSDP" || other >= cost * (1 - 1e-12));
    }
  }

  // A strategy that was written is priced as it was found.
  void evaluatesAStrategy_data() {
    QTest::addColumn<QStringList>("model");
    QTest::newRow("flat") << QStringList();
    QTest::newRow("hierarchical") << QStringList{"--model", "hierarchical", "--system", "node:2@8GB/s gpu:4"};
  }
  void evaluatesAStrategy() {
    QFETCH(QStringList, model);
    const QTemporaryDir folder;
    const QString saved = folder.filePath("strategy.json");
    const QStringList command = QStringList{"strategy", "mlp"} + model;
    QCOMPARE(runP2(command + QStringList{"-o", saved}).status, 0);
    const double cost = jsonFrom(command)["cost"].toDouble();
    QCOMPARE(jsonFrom(command + QStringList{"--evaluate", saved})["cost"].toDouble(), cost);
    QVERIFY(runP2(command + QStringList{"--evaluate", saved}).out.contains(", evaluated\n"));
    QFile file(saved);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray text = file.readAll();
    QVERIFY(text.contains("\"fc1\""));
    text.replace("\"fc1\"", "\"other\"");
    file.resize(0);
    file.write(text);
    file.close();
    const Answer answer = runP2(command + QStringList{"--evaluate", saved});
    QCOMPARE(answer.status, 2);
    QVERIFY2(answer.err.contains("the graph has no vertex \"other\""), qPrintable(answer.err));
  }

  void costTablesHaveNoNeeds() {
    const QString tables = P2_TEST_DATA "/strategy/alexnet_p8.json";
    QVERIFY(!jsonFrom({"strategy", tables}).contains("needs"));
    QVERIFY(!runP2({"strategy", tables}).out.contains("reduce"));
  }

  // A strategy is never the best of what is not priced.
  void whatIsNotPricedIsSaid() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("graph.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"json({"format": "p2-graph", "version": 1, "name": "part", "element_bytes": 2,
      "unpriced": ["Loop (2 times)", "NonMaxSuppression"],
      "operators": [{"name": "fc", "kind": "gemm", "dimensions": {"m": 64, "n": 64, "k": 64},
        "inputs": {"x": ["m", "k"]}, "parameters": {"w": ["k", "n"]}, "outputs": {"y": ["m", "n"]}}]})json");
    file.close();
    const QString text = runP2({"strategy", path}).out;
    QVERIFY2(text.contains(", optimal for the priced operators\nnot priced: Loop (2 times); NonMaxSuppression\n"),
             qPrintable(text));
    const QJsonObject json = jsonFrom({"strategy", path});
    QCOMPARE(json["unpriced"].toArray(), (QJsonArray{"Loop (2 times)", "NonMaxSuppression"}));
    QVERIFY(!json["optimal"].toBool() && json["optimal_for_priced"].toBool() && !json.contains("lower_bound"));
    const QJsonObject all = jsonFrom({"strategy", "mlp"});
    QVERIFY(all["optimal"].toBool() && !all.contains("unpriced") && !all.contains("optimal_for_priced"));
    // Nor does a file keep it to itself.
    const QString written = folder.filePath("strategy.json");
    QCOMPARE(runP2({"strategy", path, "-o", written}).status, 0);
    QFile strategy(written);
    QVERIFY(strategy.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(strategy.readAll())["unpriced"].toArray(), json["unpriced"].toArray());
    QVERIFY(
        runP2({"strategy", path, "--exactly", "--as-workload"}).err.contains("ignored: not priced: Loop (2 times)"));
    // Its numbers take two bytes, unless it is said otherwise.
    const auto parameters = [](const QJsonObject& from) { return from["memory"].toObject()["parameters"].toDouble(); };
    QCOMPARE(parameters(json), 2.0 * 64 * 64 / json["parts"].toObject()["fc"].toArray()[1].toDouble() /
                                   json["parts"].toObject()["fc"].toArray()[2].toDouble());
    QCOMPARE(parameters(jsonFrom({"strategy", path, "--dtype", "fp32"})), 2 * parameters(json));
  }

  // Data parallelism splits every batch over all devices, also where computing everything everywhere would be cheaper.
  void dataParallelismSplitsTheBatch() {
    const QJsonObject found =
        jsonFrom({"strategy", "mlp", "--model", "hierarchical", "--system", "node:2@8GB/s gpu:4@100GB/s", "--compare"});
    const QJsonObject exactly = jsonFrom({"strategy", "mlp", "--model", "hierarchical", "--system",
                                          "node:2@8GB/s gpu:4@100GB/s", "--compare", "--exactly"});
    for (int row : {0, 1}) {
      const QJsonObject baseline = found["baselines"].toArray()[row].toObject();
      QVERIFY(baseline["reduce"].toDouble() > 0);
      QCOMPARE(baseline["cost"].toDouble(), exactly["baselines"].toArray()[row].toObject()["cost"].toDouble());
    }
    const auto memory = [&](int row) { return found["baselines"].toArray()[row].toObject()["memory"].toDouble(); };
    QVERIFY(memory(1) < memory(0) / 4);
  }

  // What a search under one stage of ZeRO has found is not the cheapest that there is under another.
  void anotherStageOfZeroIsNamed() {
    const QStringList question{"strategy",    "llama3-8b", "--batch",      "64",       "--sequence",
                               "2048",        "--model",   "hierarchical", "--system", "dgx-h100:1",
                               "--recompute", "selective", "--cutoff",     "1",        "--compare"};
    const QString note =
        "FSDP costs less at stage 3 of ZeRO; the search above used stage 0. Use --zero 3 to find the cheapest";
    QVERIFY(runP2(question).out.contains(note));
    QVERIFY(!runP2(question + QStringList{"--zero", "3"}).out.contains("of ZeRO"));
    const auto fsdp = jsonFrom(question)["baselines"].toArray()[1].toObject();
    QCOMPARE(fsdp["name"].toString(), QString("FSDP"));
    QCOMPARE(fsdp["zero"].toInt(), 3);
    QVERIFY(!jsonFrom(question)["baselines"].toArray()[0].toObject().contains("zero"));
    QVERIFY(jsonFrom(question + QStringList{"--zero", "3"})["cost"].toDouble() <= fsdp["cost"].toDouble());
  }

  // Tokens go to experts and back by all-to-alls, which is compared with what frameworks do, and exported.
  void expertsAreSharded() {
    const QStringList question{"strategy",        "mixtral-8x7b", "--batch",  "64",         "--sequence", "1024",
                               "--model",         "hierarchical", "--system", "dgx-h100:2", "--zero",     "1",
                               "--device-memory", "any",          "--cutoff", "1"};
    const QJsonObject json = jsonFrom(question + QStringList{"--compare"});
    QVERIFY(json["assumed"].toArray()[0].toString().startsWith("all experts get the same number of tokens"));
    QVERIFY(json["mesh"].toObject()["leaves_out"].toString().contains("64 for the tokens of experts"));
    std::map<QString, double> costs;
    for (const auto& each : p2::test::filled(json["baselines"].toArray()))
      costs[each.toObject()["name"].toString()] = each.toObject()["cost"].toDouble();
    QVERIFY(costs.count("expert parallelism") == 1 && costs["expert parallelism"] < costs["Megatron TP"]);
    QVERIFY(json["cost"].toDouble() <= costs["expert parallelism"]);
    int exchanged = 0;
    for (const auto& edge : json["edges"].toArray()) {
      const QString ends = edge.toObject()["from"].toString() + " " + edge.toObject()["to"].toString();
      for (const auto& transfer : edge.toObject()["transfers"].toArray()) {
        const bool all = transfer.toObject()["collective"].toString() == "AllToAll";
        if (all && (ends.startsWith("layer1_dispatch ") || ends.endsWith(" layer1_combine"))) ++exchanged;
      }
    }
    QCOMPARE(exchanged, 4);
    const auto workload = runP2(question + QStringList{"--as-workload"});
    QVERIFY(workload.out.contains("\"gradients of dispatch\"") && workload.out.contains("\"AllToAll\""));
    QVERIFY(
        !jsonFrom({"strategy", "mlp", "--model", "hierarchical", "--system", "dgx-h100:1", "--compare"})["baselines"]
             .toVariant()
             .toString()
             .contains("expert"));
    const auto more = jsonFrom(question + QStringList{"--capacity-factor", "1.25"});
    QVERIFY(more["cost"].toDouble() > json["cost"].toDouble());
    QCOMPARE(runP2(question + QStringList{"--capacity-factor", "much"}).err,
             QString("p2: --capacity-factor: \"much\" is not a number; use 1 to 64, or 0 for none\n"));
  }

  // A layer for all that are divided as it is, the others counted; every one of them where that is asked for.
  void foldsLayersThatAreAlike() {
    const QStringList asked{"strategy", "gpt2-medium", "--model", "hierarchical", "--system", "dgx-h100:2"};
    const QString folded = runP2(asked).out;
    QVERIFY2(folded.contains(QRegularExpression("\nlayer 2–24 +as layer 1\n")), qPrintable(folded));
    QVERIFY(folded.contains("\nlayer1_merge ") && folded.contains("\nnorm ") && !folded.contains("layer7_merge"));
    const QString full = runP2(asked + QStringList{"--unfold"}).out;
    QCOMPARE(full.count("_merge "), 24);
    QVERIFY(!full.contains("as layer 1"));
    // 269 operators, and 72 shares of tensors that several operators read.
    QCOMPARE(jsonFrom(asked)["parts"].toObject().size(), 341);
    // With bytes that do not suffice for all, layers differ, and what they exchange alike is one row.
    const QString tight = runP2(asked + QStringList{"--device-memory", "24GB"}).out;
    const QString all = runP2(asked + QStringList{"--device-memory", "24GB", "--unfold"}).out;
    QVERIFY2(tight.count('\n') < all.count('\n') / 2, qPrintable(tight));
    QVERIFY2(tight.contains("  ×"), qPrintable(tight));
  }

  // Who leaves the number of sequences open is told what was taken.
  void saysThatOneSequenceIsFew() {
    const QStringList asked{"strategy", "mixtral-8x22b", "--model", "hierarchical", "--system", "dgx-h100:8"};
    QVERIFY(runP2(asked).out.contains("\nnote: a microbatch has 1 sequence for 64 devices; choose a larger batch\n"));
    QVERIFY(!runP2(asked + QStringList{"--batch", "1"}).out.contains("note: "));
  }
};

QTEST_APPLESS_MAIN(TestCliGraph)
#include "tst_cli_graph.moc"
