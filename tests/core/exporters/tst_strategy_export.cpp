// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "exporters/exporters.h"

using namespace p2;
using nlohmann::json;

namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

bool accepts(const json& document) {
  std::ifstream file(P2_RESOURCES "/schemas/p2-strategy.schema.json");
  const json text = json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(text), schema);
  valijson::Validator validator;
  return validator.validate(schema, Adapter(document), nullptr);
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
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

  void writesJson() {
    const StrategyProblem problem = pair();
    const ComputationGraph graph = pairGraph();
    const json document = json::parse(strategyToJson({problem, &graph, kChosen}));
    QVERIFY(accepts(document));
    QCOMPARE(document["cost"].get<double>(), 6.75);
    QVERIFY((document["vertices"][1]["parts"] == json{{"batch", 2}, {"k", 2}}));
    QCOMPARE(document["vertices"][1]["name"].get<std::string>(), std::string("b, \"last\""));
    QCOMPARE(document["vertices"][0]["index"].get<int>(), 1);
    QCOMPARE(document["edges"][0]["cost"].get<double>(), 5.0);
    const json nameless = json::parse(strategyToJson({problem, nullptr, kChosen}));
    QVERIFY(accepts(nameless));
    QVERIFY((nameless["vertices"][0]["parts"] == json{{"d0", 4}, {"d1", 1}}));
  }

  // What a cost does not count, or takes for granted, is in every file.
  void reservationsAreRepeated() {
    const StrategyProblem problem = pair();
    ComputationGraph graph = pairGraph();
    graph.unpriced = {"Loop (2 times)", "NonZero, and what follows"};
    graph.assumed = {"tokens go to all experts alike"};
    const StrategyReport report{problem, &graph, kChosen};
    for (const ExportFormat& format : exportFormats(ExportSubject::Strategy)) {
      const std::string text = exportStrategy(report, format.name).value();
      for (const std::string& each : graph.unpriced)
        QVERIFY2(text.find(each) != std::string::npos, format.name.c_str());
      QVERIFY2(text.find(graph.assumed[0]) != std::string::npos, format.name.c_str());
    }
    const json document = json::parse(strategyToJson(report));
    QVERIFY(accepts(document));
    QVERIFY((document["unpriced"] == json(graph.unpriced)));
    QVERIFY(QString::fromStdString(strategyToCsv(report))
                .endsWith("\nnot priced,Loop (2 times),,\n"
                          "not priced,\"NonZero, and what follows\",,\n"
                          "assumed,tokens go to all experts alike,,\n"));
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
