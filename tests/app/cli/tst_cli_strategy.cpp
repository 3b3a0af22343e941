// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <map>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::jsonFrom;
using p2::test::notRefused;
using p2::test::runP2;

namespace {

QString data(const char* name) { return QString(P2_TEST_DATA "/strategy/%1.json").arg(name); }

/// Two vertices that would rather be alike; a cost that the literal algorithm can hold.
const char* const kSmall = R"({"format": "strategy-tables", "version": 1, "name": "small", "devices": 2,
"vertices": [["a", 0], ["b=c", 0]], "domains": [{"configs": [[1, 2], [2, 1]], "cost": [3, 2]}],
"edges": [[0, 1, 0]], "tables": [[[0, 4], [4, 1]]]})";

}  // namespace

class TestCliStrategy : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    m_small = m_folder.filePath("small.json");
    QFile file(m_small);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(kSmall);
  }
  void init() { p2::test::failOnWarnings(); }

  // As everywhere else: a strategy that is the best under another model is none to act on.
  void collectivesArePricedByTheSystemsOwnModel() {
    const auto onMachine = [](const QStringList& more) {
      return jsonFrom(QStringList{"strategy", "lstm", "--model", "hierarchical", "--system", "dgx-h100:1"} + more +
                      QStringList{"--json"});
    };
    const QJsonObject own = onMachine({});
    const QJsonObject nccl = onMachine({"--cost-model", "nccl"});
    const QJsonObject paper = onMachine({"--cost-model", "paper"});
    QCOMPARE(own["pricing"].toObject()["model"].toString(), QStringLiteral("nccl"));
    QCOMPARE(own["cost"].toDouble(), nccl["cost"].toDouble());
    QCOMPARE(paper["pricing"].toObject()["model"].toString(), QStringLiteral("paper"));
    const auto communication = [](const QJsonObject& answer) {
      const QJsonObject split = answer["split"].toObject();
      return split["reduce"].toDouble() + split["exchange"].toDouble();
    };
    QVERIFY(communication(nccl) > 3 * communication(paper));
    const Answer flat = runP2({"strategy", "transformer", "--cost-model", "nccl"});
    QCOMPARE(flat.status, 2);
    QVERIFY2(flat.err.startsWith("p2: --cost-model: the flat model"), qPrintable(flat.err));
  }

  // Twice the nodes can always do what one half of them does, also where that takes three axes.
  void largerMachinesCostNoMore() {
    for (const QStringList& graph : {QStringList{"lstm", "--flops", "5e14"}, QStringList{"mlp", "--flops", "1e15"},
                                     QStringList{"alexnet", "--flops", "1e15", "--cutoff", "1"}}) {
      double before = std::numeric_limits<double>::infinity();
      for (const char* nodes : {"", "node:2@50GB/s,2us ", "node:4@50GB/s,2us ", "node:8@50GB/s,2us "}) {
        const QString system = QString("%1gpu:8@300GB/s,1us").arg(nodes);
        const QJsonObject answer =
            jsonFrom(QStringList{"strategy"} + graph + QStringList{"--model", "hierarchical", "--system", system});
        const double cost = answer["cost"].toDouble();
        QVERIFY2(cost > 0 && cost <= before * (1 + 1e-9), qPrintable(graph[0] + " on " + system));
        before = cost;
      }
    }
  }

  // No mesh of six nodes holds a strategy of five; the answer says where fewer nodes alone would be faster.
  void fewerNodesThatAreFasterAreNamed() {
    const QStringList graph{"strategy", "alexnet", "--flops", "5e13", "--cutoff", "1", "--model", "hierarchical"};
    std::map<int, QJsonObject> answers;
    for (int nodes = 1; nodes <= 7; ++nodes) {
      const QString node = nodes > 1 ? QString("node:%1@50GB/s,2us ").arg(nodes) : QString();
      answers[nodes] = jsonFrom(graph + QStringList{"--system", node + "gpu:8@300GB/s,1us"});
      QVERIFY(!answers[nodes].isEmpty());
    }
    int named = 0;
    for (int nodes = 2; nodes <= 7; ++nodes) {
      int best = nodes;
      for (int fewer = nodes - 1; fewer >= 1; --fewer) {
        if (answers[fewer]["cost"].toDouble() < answers[best]["cost"].toDouble() * (1 - 1e-5)) best = fewer;
      }
      const QString note = answers[nodes]["note"].toString();
      if (best == nodes) {
        QVERIFY2(!note.contains("alone would take"), qPrintable(note));
      } else {
        const QString stated = QString("%1 of the %2 nodes alone would take").arg(best).arg(nodes);
        QVERIFY2(note.contains(stated), qPrintable(stated + ": \"" + note + "\""));
        // The window asks for ten.
        const QString system = QString("node:%1@50GB/s,2us gpu:8@300GB/s,1us").arg(nodes);
        const QJsonObject ten = jsonFrom(graph + QStringList{"--system", system, "--best", "10"});
        QCOMPARE(ten["note"].toString(), note);
        ++named;
      }
    }
    QVERIFY(named > 1);
  }

  // What a file of a strategy says of its step is what it is priced with again.
  void filesKeepTheirStep() {
    const QString path = m_folder.filePath("step.json");
    const QStringList graph{"strategy", "llama3-8b", "--model", "hierarchical", "--system", "dgx-h100:1"};
    const QStringList choices{"--batch", "8",       "--sequence", "2048",        "--passes", "4",        "--zero",
                              "2",       "--dtype", "fp8",        "--recompute", "full",     "--cutoff", "1"};
    QCOMPARE(runP2(graph + choices + QStringList{"-o", path}).status, 0);
    const QJsonObject found = jsonFrom(graph + choices);
    const QJsonObject again = jsonFrom(graph + QStringList{"--cutoff", "1", "--evaluate", path});
    QCOMPARE(again["cost"].toDouble(), found["cost"].toDouble());
    QCOMPARE(again["memory"], found["memory"]);
    const QJsonObject other = jsonFrom(graph + QStringList{"--cutoff", "1", "--evaluate", path, "--passes", "8"});
    QVERIFY(other["cost"].toDouble() > 1.5 * again["cost"].toDouble());
  }

  void plansOfTrainings() {
    const QString path = m_folder.filePath("training.json");
    const QStringList graph{"strategy", "llama3-8b", "--model", "hierarchical", "--system", "dgx-h100:1", "--batch",
                            "8",        "--passes",  "4",       "--zero",       "1"};
    const Answer flags = runP2(graph + QStringList{"--recompute", "full", "--flags"});
    QCOMPARE(flags.status, 0);
    for (const char* line : {"--micro-batch-size 1\n", "--global-batch-size 32\n", "--recompute-granularity full\n",
                             "--use-distributed-optimizer\n"}) {
      QVERIFY2(flags.out.contains(line), qPrintable(flags.out));
    }
    QVERIFY2(flags.err.contains("note: the plan is data parallelism by Megatron-Core"), qPrintable(flags.err));
    QCOMPARE(runP2(graph + QStringList{"--recompute", "full", "--as-training", "-o", path}).status, 0);
    QCOMPARE(runP2({"export", path, "--to", "megatron"}).out, flags.out);
    QVERIFY(runP2({"export", path, "--to", "workload"}).out.contains("\"data\": 8"));
    const QStringList torchtitan{"--recompute", "full", "--flags", "--framework", "torchtitan"};
    QVERIFY(runP2(graph + torchtitan).err.contains("by TorchTitan"));
    const Answer refused = runP2({"strategy", "alexnet", "--flags"});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("a plan needs the devices of a system"), qPrintable(refused.err));
    QVERIFY(runP2(graph + QStringList{"--framework", "fsdp"}).err.contains("add --as-training or --flags"));
  }

  void findsTheGivenOptimum_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(P2_TEST_DATA "/strategy");
    for (const QString& name : folder.entryList({"*.json"})) QTest::newRow(qPrintable(name)) << folder.filePath(name);
  }
  void findsTheGivenOptimum() {
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject given = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonObject found = jsonFrom({"strategy", path, "--devices", QString::number(given["devices"].toInt())});
    QVERIFY(std::abs(found["cost"].toDouble() - given["best_cost"].toDouble()) < 1);
    QVERIFY(found["optimal"].toBool());
    QCOMPARE(found["configuration"].toObject().size(), given["vertices"].toArray().size());
  }

  void printsTheStrategy() {
    const QJsonObject one = jsonFrom({"strategy", m_small});
    QCOMPARE(one["cost"].toDouble(), 5.0);
    QCOMPARE(one["configuration"].toObject(), (QJsonObject{{"a", 1}, {"b=c", 1}}));
    QCOMPARE(one["parts"].toObject()["a"].toArray(), (QJsonArray{2, 1}));
    QVERIFY(!one.contains("strategies"));
    const QString text = runP2({"strategy", m_small, "--best", "2"}).out;
    QVERIFY2(text.startsWith("small: 2 operators, 1 edge, 2 devices\ncost 5, optimal\n"), qPrintable(text));
    QVERIFY2(text.contains("a         2 × 1"), qPrintable(text));
    QVERIFY2(text.contains("2     6  a 1 × 2, b=c 1 × 2"), qPrintable(text));
  }

  // Where the tables do not fit, bounds and a search find the same, and the plan says so.
  void searchesWhereTablesDoNotFit() {
    const QString file = data("transformer_p16");
    const QJsonObject wide = jsonFrom({"strategy", file});
    QCOMPARE(wide["plan"].toObject()["method"].toString(), QString("elimination"));
    const QJsonObject narrow = jsonFrom({"strategy", file, "--memory", "1kB", "--time-limit", "600"});
    const QJsonObject plan = narrow["plan"].toObject();
    QVERIFY(narrow["optimal"].toBool());
    QCOMPARE(narrow["cost"], wide["cost"]);
    QVERIFY(plan["method"].toString() != "elimination" && plan["excluded"].toInt() > 0);
    const QString text = runP2({"strategy", file, "--memory", "1kB"}).out;
    QVERIFY2(text.contains("\nfound by " + plan["text"].toString() + '\n'), qPrintable(text));
  }

  void ranksStrategies() {
    const QJsonArray all = jsonFrom({"strategy", m_small, "--best", "9"})["strategies"].toArray();
    QList<double> costs;
    for (const QJsonValue& each : all) costs.append(each.toObject()["cost"].toDouble());
    QCOMPARE(costs, (QList<double>{5, 6, 9, 9}));
  }

  void pinsVertices_data() {
    QTest::addColumn<QString>("pin");
    QTest::newRow("by number") << "b=c=0";
    QTest::newRow("by parts") << "b=c=1,2";
    QTest::newRow("in brackets") << "b=c=[1, 2]";
  }
  void pinsVertices() {
    QFETCH(QString, pin);
    const QJsonObject found = jsonFrom({"strategy", m_small, "--pin", pin});
    QCOMPARE(found["cost"].toDouble(), 6.0);
    QCOMPARE(found["configuration"].toObject(), (QJsonObject{{"a", 0}, {"b=c", 0}}));
  }

  void solvesLiterally() {
    const QJsonObject found = jsonFrom({"strategy", m_small, "--solver", "literal"});
    QCOMPARE(found["cost"].toDouble(), 5.0);
    QCOMPARE(found["configuration"].toObject(), (QJsonObject{{"a", 1}, {"b=c", 1}}));
  }

  void exportsCostTables() {
    const QString list = runP2({"export", "--list"}).out;
    QVERIFY(list.contains("wcsp") && list.contains("cost tables"));
    const QString file = m_folder.filePath("small.wcsp");
    QCOMPARE(runP2({"export", m_small, "--to", "wcsp", "-o", file}).status, 0);
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readAll().startsWith("small_step=1 2 2 3 11\n"));
  }

  void refusesInOneLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const QStringList& arguments, const char* part) {
      QTest::newRow(name) << arguments << part;
    };
    const QString file = data("alexnet_p8");
    row("no file", {"nothing.json"}, "nothing.json: there is no such file");
    row("other devices", {file, "--devices", "16"}, "--devices: the cost tables are for 8 devices, not 16");
    row("no devices", {file, "--devices", "0"}, "--devices: 0 is out of range");
    row("solver", {file, "--solver", "magic"}, "--solver: \"magic\" is not a solver; use exact or literal");
    row("none", {file, "--best", "0"}, "--best: 0 is out of range");
    row("memory", {file, "--memory", "much"}, "--memory: ");
    row("no time", {file, "--time-limit", "0"}, "--time-limit: 0 is out of range");
    row("literal in time", {file, "--solver", "literal", "--time-limit", "1"},
        "--time-limit: the literal solver takes no time limit");
    row("no pin", {file, "--pin", "10:FC"}, "--pin: \"10:FC\" is not a pin; use vertex=configuration");
    row("pinned vertex", {file, "--pin", "FC=1"}, "--pin: there is no vertex \"FC\"; the first is \"0:Conv\"");
    row("pinned number", {file, "--pin", "10:FC=9999"}, "--pin: 10:FC: configuration: 9999 is out of range");
    row("pinned parts", {file, "--pin", "10:FC=3,3,3"},
        "--pin: 10:FC: there is no configuration 3,3,3; the vertex has ");
    row("pinned word", {file, "--pin", "10:FC=x"}, "--pin: 10:FC: \"x\" is not a configuration");
    row("pinned twice", {file, "--pin", "10:FC=0", "--pin", "10:FC=0"}, "--pin: the vertex \"10:FC\" is pinned twice");
    row("literal with pins", {file, "--solver", "literal", "--pin", "a=1"}, "--pin: the literal solver takes no pins");
    row("literal and large", {data("resnet101_p8"), "--solver", "literal"}, "rows");
  }
  void refusesInOneLine() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    QCOMPARE(notRefused(QStringList{"strategy"} + arguments, part), QString());
  }

  void refusesHugeFilesUnread() {
    QFile file(m_folder.filePath("huge.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64{1} << 31));
    const Answer answer = runP2({"strategy", file.fileName()});
    QCOMPARE(answer.status, 2);
    QVERIFY2(answer.err.contains("larger than 64 MiB"), qPrintable(answer.err));
  }

 private:
  QTemporaryDir m_folder;
  QString m_small;
};

QTEST_GUILESS_MAIN(TestCliStrategy)
#include "tst_cli_strategy.moc"
