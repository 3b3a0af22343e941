// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "exporters/exporters.h"
#include "support/filled.h"
#include "support/warnings.h"
#include "tests/support/schemas.h"

using namespace p2;

namespace {

bool isStrategyFile(const std::string& text) { return test::schemaAccepts("p2-strategy", text); }

QJsonObject objectOf(const std::string& text) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

StrategyProblem pair() {
  StrategyProblem problem;
  problem.name = "pair";
  problem.devices = 4;
  problem.vertices = {{"a", 0}, {"b, \"last\"", 0}};
  problem.domains = {{{{1, 1}, {4, 1}, {2, 2}}, {3, 1.5, 0.25}}};
  problem.tables = {{3, 3, {0, 1, 2, 3, 4, 5, 6, 7, 8}}};
  problem.edges = {{0, 1, 0}};
  return problem;
}

ComputationGraph pairGraph() {
  ComputationGraph graph;
  for (const char* name : {"a", "b, \"last\""}) {
    graph.operators.push_back({name, OperatorKind::Gemm, {{"batch", 8, true}, {"k", 8, true}}, {}});
  }
  return graph;
}

const Strategy kChosen{{1, 2}, 1.5 + 0.25 + 5};

}  // namespace

class TestStrategyExport : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void writesJson() {
    const StrategyProblem problem = pair();
    const ComputationGraph graph = pairGraph();
    const std::string text = strategyToJson({problem, &graph, kChosen});
    QVERIFY(isStrategyFile(text));
    const QJsonObject document = objectOf(text);
    QCOMPARE(document["cost"].toDouble(), 6.75);
    QCOMPARE(document["vertices"][1]["parts"].toObject(), (QJsonObject{{"batch", 2}, {"k", 2}}));
    QCOMPARE(document["vertices"][1]["name"].toString(), QString("b, \"last\""));
    QCOMPARE(document["vertices"][0]["index"].toInt(), 1);
    QCOMPARE(document["edges"][0]["cost"].toDouble(), 5.0);
    const std::string nameless = strategyToJson({problem, nullptr, kChosen});
    QVERIFY(isStrategyFile(nameless));
    QCOMPARE(objectOf(nameless)["vertices"][0]["parts"].toObject(), (QJsonObject{{"d0", 4}, {"d1", 1}}));
  }

  // What a cost does not count, or takes for granted, is in every file.
  void reservationsAreRepeated() {
    const StrategyProblem problem = pair();
    ComputationGraph graph = pairGraph();
    graph.unpriced = {"Loop (2 times)", "NonZero, and what follows"};
    graph.assumed = {"all experts get the same number of tokens"};
    const StrategyReport report{problem, &graph, kChosen};
    for (const ExportFormat& format : exportFormats(ExportSubject::Strategy)) {
      const std::string text = exportStrategy(report, format.name).value();
      for (const std::string& each : test::filled(graph.unpriced))
        QVERIFY2(text.find(each) != std::string::npos, format.name.c_str());
      QVERIFY2(text.find(graph.assumed[0]) != std::string::npos, format.name.c_str());
    }
    const std::string written = strategyToJson(report);
    QVERIFY(isStrategyFile(written));
    QCOMPARE(objectOf(written)["unpriced"].toArray(), (QJsonArray{"Loop (2 times)", "NonZero, and what follows"}));
    QVERIFY(QString::fromStdString(strategyToCsv(report))
                .endsWith("\nnot priced,Loop (2 times),,\n"
                          "not priced,\"NonZero, and what follows\",,\n"
                          "assumed,all experts get the same number of tokens,,\n"));
  }

  void writesCsv() {
    const StrategyProblem problem = pair();
    QCOMPARE(QString::fromStdString(strategyToCsv({problem, nullptr, kChosen})),
             "vertex,configuration,devices,cost\n"
             "a,d0=4 d1=1,4,1.5\n"
             "\"b, \"\"last\"\"\",d0=2 d1=2,4,0.25\n");
  }

  void knowsItsFormats() {
    const StrategyProblem problem = pair();
    for (const ExportFormat& format : exportFormats(ExportSubject::Strategy)) {
      QVERIFY(exportStrategy({problem, nullptr, kChosen}, format.name).ok());
    }
    const auto unknown = exportStrategy({problem, nullptr, kChosen}, "pdf");
    QVERIFY(!unknown.ok());
    QCOMPARE(unknown.error().text(), std::string("\"pdf\" is not a format of strategies; use one of json, csv"));
  }
};

QTEST_APPLESS_MAIN(TestStrategyExport)
#include "tst_strategy_export.moc"
