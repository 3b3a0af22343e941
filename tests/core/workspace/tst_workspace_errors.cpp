// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/fixtures.h"
#include "support/schemas.h"
#include "support/warnings.h"
#include "tests/core/workspace/examples.h"
#include "tests/core/workspace/small_workspace.h"

using namespace p2;

namespace {

/// "{…}, {…}, ": so many levels of a file, each of one instance.
QString levels(int count) {
  QString text;
  for (int i = 0; i < count; ++i) text += QStringLiteral(R"({"name": "level%1", "count": 1}, )").arg(i);
  return text;
}

}  // namespace

/// Files of workspaces that cannot be read say where and why.
class TestWorkspaceErrors : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void namesWhatIsWrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const QString& text, const QString& error) {
      QTest::newRow(name) << text << error;
    };
    row("empty", "", "the text is empty; a JSON object is expected");
    row("blank", " \n\t", "the text is empty; a JSON object is expected");
    row("truncated", QString::fromUtf8(test::kSmallWorkspace).chopped(20),
        "line 3, column 67: the JSON text ends too early; the file may be truncated");
    row("syntax", test::replaced("\"count\": 2", "\"count\" 2"),
        "line 2, column 50: unexpected '2'; the text is not valid JSON");
    row("not a number", test::replaced("\"count\": 2", "\"count\": NaN"),
        "line 2, column 51: unexpected 'N'; the text is not valid JSON");
    row("number too large", test::replaced("\"count\": 2", "\"count\": 1e999"),
        "a number is too large to be read; use numbers below 1e308");
    row("key twice", test::replaced("\"count\": 2", "\"count\": 2, \"count\": 3"),
        "/system/levels/0: the key \"count\" appears twice; keep one");
    row("too deep", QString(100000, '['), "nested deeper than 64 levels; P² files need 6");
    row("no object", "[1]",
        "a list is not an object; a P² file begins with \"format\": \"p2-workspace\", \"version\": 1");
    row("no format", "{}",
        "the key \"format\" is missing; a P² file begins with \"format\": \"p2-workspace\", "
        "\"version\": 1");
    row("other format", test::replaced("p2-workspace", "p3"),
        "/format: \"p3\" is not a format that can be read here; it needs p2-workspace or p2-plan");
    row("newer", test::replaced("\"version\": 1", "\"version\": 2"),
        "/version: written by a newer version (2); this one reads version 1");
    row("version 0", test::replaced("\"version\": 1", "\"version\": 0"),
        "/version: 0 is out of range; versions count from 1");
    row("version text", test::replaced("\"version\": 1", "\"version\": \"1\""),
        "/version: \"1\" is not a whole number; versions count from 1");
    row("size text", test::replaced("\"size\": 2", "\"size\": \"x\""),
        "/axes/1/size: \"x\" is not a whole number; an axis needs size 1 or more");
    row("size fraction", test::replaced("\"size\": 2", "\"size\": 2.5"),
        "/axes/1/size: 2.5 is not a whole number; an axis needs size 1 or more");
    row("size 0", test::replaced("\"size\": 2", "\"size\": 0"),
        "/axes/1/size: 0 is out of range; an axis needs size 1 or more");
    row("size huge", test::replaced("\"size\": 2", "\"size\": 1e30"),
        "/axes/1/size: 1e+30 is out of range; an axis needs size 1 or more");
    row("size missing", test::replaced(", \"size\": 2", ""),
        "/axes/1: the key \"size\" is missing; a workspace needs a list of "
        "axes, each with a name and a size");
    row("axes text", test::replaced(R"([{"name": "data", "size": 4}, {"name": "shards", "size": 2}])", "\"8,2\""),
        "/axes: \"8,2\" is not a list; a workspace needs a list of axes, each with a name and a size");
    row("axis list", test::replaced(R"({"name": "shards", "size": 2})", "[2]"),
        "/axes/1: a list is not an object; a workspace needs a list of axes, each with a name and a size");
    row("no such axis", test::replaced("\"reduce\": [0]", "\"reduce\": [2]"),
        "/reduce/0: there is no axis 2; the workspace has 2");
    row("axis reduced twice", test::replaced("\"reduce\": [0]", "\"reduce\": [0, 0]"),
        "/reduce/1: axis 0 is listed twice; keep one");
    const char* const kRs = R"("reduce": [0, 1], "options": {"goal": "rs"}, "scatter": )";
    const auto scatter = [&](const char* over) {
      return test::replaced("\"reduce\": [0]", (std::string(kRs) + over).c_str());
    };
    row("scatter of another goal", test::replaced("\"reduce\": [0]", "\"reduce\": [0, 1], \"scatter\": [0]"),
        "/scatter: only a ReduceScatter is scattered over some axes alone; leave it out");
    row("scatter elsewhere", scatter("[2]"),
        "/scatter/0: axis 2 is not reduced over, so no sum can be scattered over it");
    row("scatter twice", scatter("[1, 1]"), "/scatter/1: axis 1 is listed twice; keep one");
    row("scatter over none", scatter("[]"),
        "/scatter: it is empty; leave it out to scatter over all axes that are reduced over");
    row("scatter by name", scatter("[\"data\"]"),
        "/scatter/0: \"data\" is not a whole number; \"scatter\" lists the numbers of the axes that a ReduceScatter "
        "scatters over, of those in \"reduce\"");
    row("levels without end", test::replaced("\"levels\": [", ("\"levels\": [" + levels(12)).toUtf8().constData()),
        "/system: the system has 14 levels; at most 12 can be worked with");
    row("kind", test::replaced("\"count\": 4", "\"count\": 4, \"interconnect\": {\"kind\": \"tube\"}"),
        "/system/levels/1/interconnect/kind: \"tube\" is not a kind of interconnect; "
        "use switch, ring, mesh, bus or none");
    row("network without members", test::replaced("\"levels\"", "\"networks\": [{\"name\": \"NIC\"}], \"levels\""),
        "/system/networks/0: the key \"members\" is missing; a network needs a name, an interconnect and members");
    row("flag", test::replaced("\"count\": 4", "\"count\": 4, \"interconnect\": {\"forwards\": \"yes\"}"),
        "/system/levels/1/interconnect/forwards: \"yes\" is not true or false; use true or false");
    row("bandwidth", test::replaced("\"count\": 4", "\"count\": 4, \"interconnect\": {\"bandwidth\": \"fast\"}"),
        "/system/levels/1/interconnect/bandwidth: \"fast\" is not a number; a bandwidth is a positive number of "
        "bytes/s");
    row("library text", test::replaced("\"levels\"", "\"library\": \"2.18\", \"levels\""),
        "/system/library: \"2.18\" is not an object; a library has generation, version and launch");
    row("generation", test::replaced("\"levels\"", "\"library\": {\"generation\": \"pascal\"}, \"levels\""),
        "/system/library/generation: \"pascal\" is not a generation of GPUs; use volta, turing, ampere, ada, hopper, "
        "blackwell, cdna2, cdna3 or cdna4");
    row("library version", test::replaced("\"levels\"", "\"library\": {\"version\": 2.18}, \"levels\""),
        "/system/library/version: 2.18 is not a string; a version is a string, as in 2.18");
    row("rules", test::replaced("\"reduce\": [0]", "\"options\": {\"rules\": 3}"),
        "/options/rules: 3 is not a string; use paper or all");
    row("model", test::replaced("\"reduce\": [0]", "\"options\": {\"model\": \"magic\"}"),
        "/options/model: \"magic\" is not a cost model of this version, which has: " +
            QString::fromStdString(knownCostModels()));
    row("limit", test::replaced("\"reduce\": [0]", "\"options\": {\"limit\": 99}"),
        "/options/limit: 99 is out of range; use 1 to 44 steps");
    row("options list", test::replaced("\"reduce\": [0]", "\"options\": []"),
        "/options: a list is not an object; options has goal, rules, limit, model, algorithm, bytes, repeat and "
        "overlap");
    row("ragged matrix", test::replaced("\"reduce\": [0]", "\"matrix\": [[1, 4], [2]]"),
        "/matrix/1: this row has another length; a matrix needs one list of positive whole numbers per axis, all as "
        "long");
    row("matrix factor", test::replaced("\"reduce\": [0]", "\"matrix\": [[1, 4], [2, -1]]"),
        "/matrix/1/1: -1 is out of range; a matrix needs one list of positive whole numbers per axis, all as long");
    row("matrix empty", test::replaced("\"reduce\": [0]", "\"matrix\": []"),
        "/matrix: the matrix is empty; leave the key out to choose none");
    row("program", test::replaced("\"reduce\": [0]", "\"program\": 1"),
        "/program: 1 is not a string; a program is a string, as in root:InsideGroup:AllReduce");
    const auto strategy = [&row](const char* name, const char* json, const char* error) {
      row(name, test::replaced("\"reduce\": [0]", json), error);
    };
    strategy("strategy text", R"("strategy": "mlp")",
             "/strategy: \"mlp\" is not an object; a strategy has graph, devices, space, model, flops, bandwidth and "
             "pins");
    strategy("devices 0", R"("strategy": {"devices": 0})",
             "/strategy/devices: 0 is out of range; use 1 or more devices");
    strategy("dimensions", R"("strategy": {"dimensions": {"N": 0}})",
             "/strategy/dimensions/N: 0 is out of range; a dimension has a size of 1 or more");
    strategy("capacity", R"("strategy": {"capacity_factor": 0.5})",
             "/strategy/capacity_factor: 0.5 is out of range; experts have room for 1 to 64 times");
    strategy("exactly", R"("strategy": {"exactly": 1})",
             "/strategy/exactly: 1 is not true or false; exactly asks for all devices to be used");
    strategy("parts", R"("strategy": {"pins": [{"name": "a", "parts": [0]}]})",
             "/strategy/pins/0/parts/0: 0 is out of range; a pin is a vertex' name and its parts, as in {\"name\": "
             "\"fc1\", \"parts\": [4, 1]}");
    strategy("pinned twice", R"("strategy": {"pins": [{"name": "a", "parts": [1]}, {"name": "a", "parts": [2]}]})",
             "/strategy/pins/1: the vertex \"a\" is pinned twice; keep one");
  }
  void namesWhatIsWrong() {
    QFETCH(QString, text);
    QFETCH(QString, error);
    const auto workspace = workspaceFromJson(text.toStdString());
    QVERIFY(!workspace.ok());
    QCOMPARE(QString::fromStdString(workspace.error().text()), error);
  }

  // A document is put down and taken up again as it is; a system that is used must be whole.
  void unfinishedDocumentsAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const QString& text, const char* error) {
      QTest::newRow(name) << text << QString::fromUtf8(error);
    };
    row("level twice", test::replaced("\"gpu\"", "\"node\""),
        "/system: level 2: the name \"node\" is used twice; give every level its own");
    row("no levels", test::replaced(R"([{"name": "node", "count": 2}, {"name": "gpu", "count": 4}])", "[]"),
        "/system: the system has no levels; name at least one, as in gpu:8");
    row("devices", test::replaced("\"count\": 4", "\"count\": 16000000"),
        "/system: the system has more than 16777216 devices; "
        "lower the counts, level gpu has 16000000");
    row("nodes nowhere", test::replaced("\"levels\"", "\"node\": \"rack\", \"levels\""),
        "/system: there is no level \"rack\" whose instances could be the nodes; use node, or none for the innermost");
    row("nodes of one device", test::replaced("\"levels\"", "\"node\": \"gpu\", \"levels\""),
        "/system: the nodes cannot be gpu, which are the devices; use node, or none for the innermost");
    row("no members",
        test::replaced("\"levels\"",
                       "\"networks\": [{\"name\": \"NIC\", \"members\": [], \"interconnect\": {\"bandwidth\": 1e9}}], "
                       "\"levels\""),
        "/system: network NIC: it has no members; name a level or a network");
  }
  void unfinishedDocumentsAreRead() {
    QFETCH(QString, text);
    QFETCH(QString, error);
    const Workspace workspace = test::valueOf(workspaceFromJson(text.toStdString()));
    const std::string written = workspaceToJson(workspace);
    QCOMPARE(workspaceToJson(test::valueOf(workspaceFromJson(written))), written);
    QVERIFY(test::schemaAccepts("p2-workspace", written));
    QCOMPARE("/system: " + QString::fromStdString(checkWorkspace(workspace).error().text()), error);
    QCOMPARE(QString::fromStdString(systemFromJson(text.toStdString()).error().text()), error);
  }

  // A word that the program writes and the schema does not know would make a saved document invalid.
  void everyRecomputationIsInTheSchema() {
    for (std::size_t i = 0; i < kRecomputationNames.size(); ++i) {
      Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=8", "data");
      workspace.strategy.options.memory.recomputation = static_cast<Recomputation>(i);
      const std::string written = workspaceToJson(workspace);
      QVERIFY2(test::schemaAccepts("p2-workspace", written), written.c_str());
      QCOMPARE(test::valueOf(workspaceFromJson(written)).strategy.options.memory.recomputation,
               workspace.strategy.options.memory.recomputation);
    }
  }

  void survivesDamage() {
    // Whatever byte is lost or changed, the answer is a value or one sentence.
    const std::string whole = workspaceToJson(test::chosenWorkspace());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (const char c : {'\0', '"', '}', '9', '\xff'}) {
        std::string damaged = whole;
        damaged[i] = c;
        const auto read = workspaceFromJson(damaged);
        QVERIFY(read.ok() || !read.error().text().empty());
      }
      QVERIFY(i == whole.size() - 1 || !workspaceFromJson(whole.substr(0, i)).ok());
    }
  }
};

QTEST_APPLESS_MAIN(TestWorkspaceErrors)
#include "tst_workspace_errors.moc"
