// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "exporters/exporters.h"
#include "graphs/strategy_json.h"
#include "support/warnings.h"
#include "tests/support/fixtures.h"

using namespace p2;

namespace {

/// A whole file in which `from` is replaced by `to`.
std::string fileWith(const QString& from = {}, const QString& to = {}) {
  QString text = R"({"format": "strategy-tables", "version": 1, "name": "two", "devices": 4, "maker": {"x": [1, "]"]},
"vertices": [["a", 0], ["b", 1]],
"domains": [{"configs": [[1, 1], [2, 2]], "cost": [4, 1.5]}, {"cost": [3, 2, 1e3], "configs": [[1], [2], [4]]}],
"edges": [[0, 1, 0], [0, 1, 0]],
"tables": [[[0, 5, 6], [7, 0, 123456789012345678]]],
"best_cost": 6.5, "best_index": [0, 0]})";
  if (!from.isEmpty()) {
    if (text.count(from) != 1) qFatal("%s is not there once", qPrintable(from));
    text.replace(from, to);
  }
  return text.toStdString();
}

}  // namespace

class TestStrategyJson : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void readsEverything() {
    const StrategyFile file = test::valueOf(strategyFileFromJson(fileWith()));
    const StrategyProblem& problem = file.problem;
    QCOMPARE(problem.name, std::string("two"));
    QCOMPARE(problem.devices, std::int64_t{4});
    QCOMPARE(problem.vertices, (std::vector<StrategyProblem::Vertex>{{"a", 0}, {"b", 1}}));
    QCOMPARE(problem.edges, (std::vector<StrategyProblem::Edge>{{0, 1, 0}, {0, 1, 0}}));
    QCOMPARE(problem.domains[0], (ConfigurationDomain{{{1, 1}, {2, 2}}, {4, 1.5}}));
    QCOMPARE(problem.domains[1], (ConfigurationDomain{{{1}, {2}, {4}}, {3, 2, 1000}}));
    QCOMPARE(problem.tables, (std::vector<EdgeCosts>{{2, 3, {0, 5, 6, 7, 0, 123456789012345678.0}}}));
    QCOMPARE(file.bestCost, std::optional(6.5));
    QCOMPARE(file.bestChoice, std::optional(std::vector<std::size_t>{0, 0}));
  }

  void readsWhatItWrote() {
    StrategyFile file = test::valueOf(strategyFileFromJson(fileWith()));
    file.problem.vertices[0].name = "\"é\"\n";
    file.problem.domains[0].costs = {0.1, 1.0 / 3};
    QCOMPARE(test::valueOf(strategyFileFromJson(strategyFileToJson(file))), file);
    QCOMPARE(test::valueOf(strategyProblemFromJson(strategyFileToJson({file.problem, {}, {}}))), file.problem);
  }

  void readsNumbersExactly_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    for (const char* text : {"0", "7", "-0", "0.1", "999999999999999", "1000000000000001", "9007199254740993", "1e-400",
                             "1.5E+3", "2e2", "123456789012345.678"}) {
      QTest::newRow(text) << text << QByteArray(text).toDouble();
    }
  }
  void readsNumbersExactly() {
    QFETCH(QString, text);
    QFETCH(double, value);
    const auto problem = strategyProblemFromJson(fileWith("[7, 0,", "[7, " + text + " ,"));
    QCOMPARE(test::valueOf(problem).tables[0].costs[4], value);
  }

  void refusesWrongFiles_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const char* from, const char* to, const char* error) {
      QTest::newRow(name) << from << to << error;
    };
    row("another format", "strategy-tables", "p2-plan", "/format: \"p2-plan\" is not a format that can be read here");
    row("newer version", "\"version\": 1", "\"version\": 2",
        "/version: 2 is out of range; this program reads version 1");
    row("no devices", "\"devices\": 4, ", "", "the key \"devices\" is missing; say for how many devices");
    row("no tables", "\"tables\"", "\"tabels\"", "the key \"tables\" is missing; a table has a row");
    row("negative cost", "4, 1.5", "4, -1.5", "/domains/0/cost/1: -1.5 is not a cost");
    row("negative edge cost", "7, 0,", "7, -3,", "/tables/0/1/1: -3 is not a cost");
    row("text for a cost", "[7, 0,", "[7, \"0\",", "/tables/0/1/1: \"0\" is not a number; a table has a row");
    row("null for a cost", "[7, 0,", "[7, null,", "/tables/0/1/1: null is not a number");
    row("list for a cost", "[7, 0,", "[7, [0],", "/tables/0/1/1: a list is not a number");
    row("ragged table", "[7, 0,", "[7,", "/tables/0/1: 2 costs in this row, 3 in the first");
    row("table of other size", "[0, 5, 6], ", "", "/edges/0: table 0 has 1 row of 3");
    row("empty domain", "[[1, 1], [2, 2]], \"cost\": [4, 1.5]", "[], \"cost\": []", "/domains/0: a domain without");
    row("no costs", ", \"cost\": [4, 1.5]", "", "/domains/0: the key \"cost\" is missing");
    row("costs missing", "4, 1.5", "4", "/domains/0: 1 cost for 2 configurations");
    row("half a part", "[2, 2]", "[2, 0.5]", "/domains/0/configs/1/1: 0.5 is not a whole number");
    row("no part", "[2, 2]", "[2, 0]", "/domains/0/configs/1/1: 0 is out of range; a dimension is divided");
    row("unknown domain", "[\"b\", 1]", "[\"b\", 2]", "/vertices/1: there is no domain 2");
    row("vertex without domain", "[\"b\", 1]", "[\"b\"]", "/vertices/1: 1 item for a vertex");
    row("vertex as text", "[\"b\", 1]", "\"b\"", "/vertices/1: \"b\" is not a list; vertices are a list of");
    row("unknown vertex", "[[0, 1, 0], ", "[[0, 9, 0], ", "/edges/0: there is no vertex 9");
    row("edge of two", "[[0, 1, 0], ", "[[0, 1], ", "/edges/0: 2 items for an edge");
    row("best of another size", "[0, 0]}", "[0]}", "/best_index: 1 configuration for 2 vertices");
    row("best out of range", "[0, 0]}", "[0, 3]}", "/best_index/1: vertex 1 has no configuration 3");
    row("key twice", "\"maker\"", "\"name\": \"x\", \"maker\"", "the key \"name\" appears twice");
    row("nan", "[7, 0,", "[7, NaN,", "line 5, column 28: unexpected 'N'");
    row("leading zero", "[7, 0,", "[7, 01,", "line 5, column 29: unexpected '1'");
    row("no fraction", "[7, 0,", "[7, 0.,", "unexpected ");
    row("comma at the end", "[7, 0,", "[7, 0,,", "unexpected ");
    row("too large a number", "[7, 0,", "[7, 1e999,", "a number is too large to be read");
    row("something behind", "[0, 0]}", "[0, 0]} x", "unexpected 'x'");
    row("cut off", "0, 123456789012345678]]],\n\"best_cost\": 6.5, \"best_index\": [0, 0]}", "0, 12", "ends too early");
    row("deep", "{\"x\": [1, \"]\"]}", QByteArray(10'000, '[').constData(), "nested deeper than 64 levels");
  }
  void refusesWrongFiles() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, error);
    const auto file = strategyFileFromJson(fileWith(from, to));
    QVERIFY(!file.ok());
    QVERIFY2(QString::fromStdString(file.error().text()).contains(error), file.error().text().c_str());
  }

  void refusesWhatIsNoFile() {
    for (const char* text : {"", " ", "[]", "7", "{", "{}"}) QVERIFY(!strategyFileFromJson(text).ok());
    QCOMPARE(QString::fromStdString(strategyFileFromJson("[]").error().text()),
             QString("a list is not an object; a file of cost tables begins with \"format\": \"strategy-tables\", "
                     "\"version\": 1"));
  }

  /// Every beginning of a file is refused, and none is read beyond its end.
  void refusesEveryBeginning() {
    const std::string text = fileWith();
    for (std::size_t length = 0; length < text.size(); ++length) {
      const std::vector<char> exactly(text.begin(), text.begin() + static_cast<long>(length));
      QVERIFY(!strategyFileFromJson({exactly.data(), exactly.size()}).ok());
    }
  }

  void exportsWcsp() {
    StrategyProblem problem = test::valueOf(strategyProblemFromJson(fileWith("123456789012345678", "9")));
    problem.name = "two parts";
    // Steps of a half. Domains and the one table are written at their first use and then referred to.
    QCOMPARE(QString::fromStdString(strategyProblemToWcsp(problem)),
             QString("two_parts_step=0.5 2 3 4 2045\n2 3\n"
                     "-1 0 0 2\n0 8\n1 3\n"
                     "-1 1 0 3\n0 6\n1 4\n2 2000\n"
                     "-2 0 1 0 4\n0 1 10\n0 2 12\n1 0 14\n1 2 18\n"
                     "2 0 1 0 -3\n"));
    QVERIFY(!exportCostTables(problem, "xls").ok());
    QCOMPARE(exportFormats(ExportSubject::CostTables).size(), std::size_t{2});
    const std::string tables = test::valueOf(exportCostTables(problem, "tables"));
    QCOMPARE(test::valueOf(strategyProblemFromJson(tables)), problem);
  }
};

QTEST_APPLESS_MAIN(TestStrategyJson)
#include "tst_strategy_json.moc"
