// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <locale>
#include <string>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "tests/core/workspace/examples.h"
#include "tests/core/workspace/small_workspace.h"

using namespace p2;

namespace {

/// 1.234,5: what a locale can do to streams.
struct CommaNumbers : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

class TestWorkspaceJson : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void readsTheSmallestFile() {
    const auto workspace = workspaceFromJson(test::kSmallWorkspace);
    QVERIFY2(workspace.ok(), workspace.ok() ? "" : workspace.error().text().c_str());
    QCOMPARE(workspace->system.name, std::string("node:2 gpu:4"));
    QCOMPARE(workspace->system.levels[1].interconnect, defaultInterconnect("gpu", true));
    QCOMPARE(workspace->axes, (std::vector<Axis>{{"data", 4, true}, {"shards", 2, false}}));
    QCOMPARE(workspace->options, ExploreOptions{});
    QVERIFY(workspace->matrix.empty());
    QVERIFY(checkWorkspace(*workspace).ok());
  }

  // What nobody named is called after what it is.
  void ringsAndMeshesAreNoSwitches() {
    const auto nameOf = [](const char* system) {
      return QString::fromStdString(test::valueOf(parseSystem(system)).levels[0].interconnect.name);
    };
    QCOMPARE(nameOf("gpu:4@20GB/s"), QString("NVSwitch"));
    QCOMPARE(nameOf("gpu:4@20GB/s,ring"), QString("NVLink"));
    QCOMPARE(nameOf("gpu:4@20GB/s,mesh"), QString("NVLink"));
    QCOMPARE(nameOf("gpu:4@20GB/s,bus"), QString("PCIe"));
    const auto read = [](const std::string& link) {
      const std::string level = R"({"name": "gpu", "count": 4, "interconnect": {)" + link + "}}";
      const auto workspace = workspaceFromJson(R"({"format": "p2-workspace", "version": 1, "system": {"levels": [)" +
                                               level + R"(]}, "axes": [{"name": "a", "size": 4, "reduce": true}]})");
      return QString::fromStdString(test::valueOf(workspace).system.levels[0].interconnect.name);
    };
    QCOMPARE(read(R"("kind": "mesh", "bandwidth": 1e9)"), QString("NVLink"));
    QCOMPARE(read(R"("kind": "mesh", "bandwidth": 1e9, "name": "NVSwitch")"), QString("NVSwitch"));
  }

  void roundTripsEverything() {
    Workspace workspace = test::chosenWorkspace();
    workspace.system.levels[0].interconnect = {InterconnectKind::Ring, 12.5e9 / 3, 2.5e-6, "rail \"A\"\n"};
    workspace.options = {kAllReduceGoal, RuleSet::All, 7, {Algorithm::Auto, Bytes(1e9 / 7), 3}};
    workspace.notes = "Größe ✓\tsecond line\n";
    workspace.strategy.graph = "graphs/my \"graph\".json";
    workspace.strategy.batch = 96;
    workspace.strategy.capacityFactor = 1.25;
    workspace.strategy.stages = 16;
    workspace.strategy.options = {
        12, {SpaceKind::PowersOfTwo, 3, true}, StrategyCostModel::Hierarchical, 1e15 / 7, 2.5e11, Bytes(2)};
    workspace.strategy.pins = {{"fc1", {4, 1, 3}}, {"scalar", {}}};
    const std::string text = workspaceToJson(workspace);
    auto read = workspaceFromJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(workspaceToJson(*read), text);
    read.value().source.clear();
    QCOMPARE(*read, workspace);
  }

  void whatAxesStayInsideIsKeptAndTakenBack() {
    Workspace workspace = test::chosenWorkspace();
    workspace.axes[0].inside = workspace.system.levels[0].name;
    const std::string text = workspaceToJson(workspace);
    auto read = workspaceFromJson(text);
    QVERIFY(read.ok());
    QCOMPARE(read->axes, workspace.axes);
    read.value().axes[0].inside.clear();
    QVERIFY(workspaceToJson(*read).find("inside") == std::string::npos);
    workspace.axes[0].inside = "pod";
    const auto checked = checkWorkspace(workspace);
    QVERIFY(!checked.ok());
    QVERIFY(checked.error().text().find("there is no such level") != std::string::npos);
  }

  void roundTripsNetworks() {
    Workspace workspace;
    workspace.system = presetSystem("dgx-h100", 2).value();
    workspace.axes = {{"data", 16, true}};
    System& system = workspace.system;
    system.levels[1].interconnect.core = 3.6e12;
    system.levels[1].interconnect.colour = 5;
    system.networks[0].interconnect.halfDuplex = true;
    system.networks[0].interconnect.fittedBandwidth = 48.5e9;
    system.networks[0].interconnect.fittedLatency = 0;
    Network ring = system.networks[2];
    ring.interconnect = {InterconnectKind::Ring, 1e9, 1e-6, "side ring"};
    ring.interconnect.forwards = false;
    ring.members = {{"NIC", 2, 4}, {"node", 0, 1}};
    system.networks.push_back(ring);
    system.disabled = {"side ring 0"};
    system.calibrated = true;
    system.levels[1].interconnect.reduces = true;
    system.node = "node";
    system.library = {"hopper", "2.18.3", 18e-6};
    system.tuned = {{"between nodes", 0.9}, {"start, LL", 9.5e-6}};
    system.ranges = {{"nccl", "AllReduce", true, "to 4 MiB", 0.85, 1.25, 12}};
    const std::string text = workspaceToJson(workspace);
    auto read = workspaceFromJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(workspaceToJson(*read), text);
    read.value().source.clear();
    QCOMPARE(*read, workspace);
    // What says no more than its absence is not written.
    workspace.system = parseSystem("node:2 gpu:8").value();
    const QString plain = QString::fromStdString(workspaceToJson(workspace));
    for (const char* key : {"networks", "halfDuplex", "reduces", "\"node\":", "library", "tuned", "ranges"}) {
      QVERIFY2(!plain.contains(QLatin1String(key)), qPrintable(plain));
    }
    // Of a library it is said what is known.
    workspace.system.library.version = "2.18";
    QVERIFY(QString::fromStdString(workspaceToJson(workspace)).contains(R"("library": {"version": "2.18"})"));
  }

  void roundTripsTheWorkload() {
    Workspace workspace = test::chosenWorkspace();
    QVERIFY(!QString::fromStdString(workspaceToJson(workspace)).contains("workload"));
    workspace.workload = Workload{"step", {{"data", 8}, {"shards", 4}}, {}, 1.5, {}};
    workspace.workload->collectives = {
        {.name = "weights", .axes = {"data"}, .bytes = 100, .count = 6, .factors = {{"layers", 3}, {"passes", 2}}},
        {.name = "weights", .axes = {"data", "shards"}, .kind = CommunicationKind::Shift, .bytes = 7, .closed = false}};
    QVERIFY(checkWorkspace(workspace).ok());
    const std::string text = workspaceToJson(workspace);
    auto read = workspaceFromJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(workspaceToJson(*read), text);
    Workspace same = *read;
    same.source.clear();
    QCOMPARE(same, workspace);
    // Unknown keys stay with their entries; what is changed or taken away leaves nothing.
    QString more = QString::fromStdString(text).replace(R"("closed": false)", R"("closed": false, "x-second": 1)");
    read = workspaceFromJson(more.toStdString());
    QVERIFY(read.ok());
    read.value().workload->collectives[0].factors = {{"stages", 6}};
    const QString changed = QString::fromStdString(workspaceToJson(*read));
    QCOMPARE(changed.count("x-second"), 1);
    QVERIFY(changed.contains(R"({"stages": 6})"));
    QVERIFY(changed.indexOf("x-second") > changed.indexOf("Shift"));
    read.value().workload.reset();
    QVERIFY(!QString::fromStdString(workspaceToJson(*read)).contains("workload"));
  }

  void roundTripsTheTraining() {
    Workspace workspace = test::chosenWorkspace();
    QVERIFY(!QString::fromStdString(workspaceToJson(workspace)).contains("training"));
    workspace.training.model = "my model";
    workspace.training.config = "{\"model_type\": \"llama\",\n \"hidden_size\": 4096}";
    workspace.training.batch = 96;
    workspace.training.sequence = 8192;
    workspace.training.precision = "fp8";
    workspace.training.framework = "any";
    workspace.training.reserve = 8e9;
    workspace.training.fixed = "tp=8,pp=4";
    workspace.training.chosen = ChosenConfiguration{"megatron", "tp=8,pp=4,zero=1", "Megatron-LM"};
    workspace.training.mine = "--tensor-model-parallel-size 4\n";
    const std::string text = workspaceToJson(workspace);
    auto read = workspaceFromJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(workspaceToJson(*read), text);
    Workspace same = *read;
    same.source.clear();
    QCOMPARE(same, workspace);
    // What is taken back leaves nothing in the file.
    read.value().training.chosen.reset();
    read.value().training.mine.clear();
    const QString less = QString::fromStdString(workspaceToJson(*read));
    QVERIFY(!less.contains("chosen") && !less.contains("mine") && less.contains("fp8"));
    read.value().training = {};
    QVERIFY(!QString::fromStdString(workspaceToJson(*read)).contains("training"));
  }

  void namesThePlaceInTheTraining_data() {
    QTest::addColumn<QString>("training");
    QTest::addColumn<QString>("error");
    QTest::newRow("list") << "[]"
                          << "/training: ";
    QTest::newRow("batch") << R"({"batch": 0})"
                           << "/training/batch: ";
    QTest::newRow("model") << R"({"model": 70})"
                           << "/training/model: ";
    QTest::newRow("choices") << R"({"chosen": {"framework": "megatron"}})"
                             << "a chosen configuration has a framework";
  }
  void namesThePlaceInTheTraining() {
    QFETCH(QString, training);
    QFETCH(QString, error);
    const QString with = "\"training\": " + training + ", \"reduce\"";
    const auto workspace = workspaceFromJson(test::replaced(R"("reduce")", qPrintable(with)).toStdString());
    QVERIFY(!workspace.ok());
    QVERIFY2(QString::fromStdString(workspace.error().text()).contains(error), workspace.error().text().c_str());
  }

  void namesThePlaceInTheWorkload() {
    const QString text = test::replaced(
        R"("reduce")",
        R"("workload": {"axes": {"data": 4}, "collectives": [{"axes": ["data"], "kind": "AllReduce", "bytes": 0.5}]}, "reduce")");
    const auto workspace = workspaceFromJson(text.toStdString());
    QVERIFY(!workspace.ok());
    QVERIFY2(workspace.error().text().starts_with("/workload/collectives/0/bytes: 0.5 is not a whole number"),
             workspace.error().text().c_str());
  }

  void writesTheSameUnderEveryLocale() {
    const std::string text = workspaceToJson(test::chosenWorkspace());
    const std::locale old = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
    const std::string again = workspaceToJson(test::chosenWorkspace());
    const bool readable = workspaceFromJson(again).ok();
    std::locale::global(old);
    QVERIFY(readable);
    QCOMPARE(again, text);
  }

  void keepsUnknownKeysAtEveryDepth() {
    const QString text = test::replaced(R"("version": 1,)", R"("version": 1, "x-top": {"a": [1, {"b": null}]},)")
                             .replace(R"("count": 4)", R"("count": 4, "x-level": 1.5)")
                             .replace(R"("size": 2)", R"("size": 2, "x-axis": "yes")")
                             .replace("\"levels\"", "\"x-system\": true, \"levels\"");
    auto workspace = workspaceFromJson(text.toStdString());
    QVERIFY(workspace.ok());
    const QString written = QString::fromStdString(workspaceToJson(*workspace));
    for (const char* kept :
         {R"("x-top": {"a": [1, {"b": null}]})", R"("x-level": 1.5)", R"("x-axis": "yes")", R"("x-system": true)"}) {
      QVERIFY2(written.contains(QString::fromUtf8(kept)), qPrintable(written));
    }
    // An item that goes takes its keys along; those of the others stay with them, wherever they move.
    workspace.value().axes = {{"shards", 2, true}};
    const QString shorter = QString::fromStdString(workspaceToJson(*workspace));
    QVERIFY2(shorter.contains(R"({"name": "shards", "size": 2, "x-axis": "yes"})"), qPrintable(shorter));
    workspace.value().axes = {{"other", 8, true}};
    QVERIFY(!workspaceToJson(*workspace).empty());
    QVERIFY(!QString::fromStdString(workspaceToJson(*workspace)).contains("x-axis"));
  }

  // What another calibration did not find does not stay in the file.
  void dropsWhatIsTunedNoMore() {
    Workspace workspace;
    workspace.system = presetSystem("dgx-h100", 2).value();
    workspace.axes = {{"data", 16, true}};
    workspace.system.tuned = {{"between nodes", 0.9}, {"start, LL", 9.5e-6}};
    auto read = workspaceFromJson(workspaceToJson(workspace));
    QVERIFY(read.ok());
    read.value().system.tuned = {{"start, LL", 9e-6}};
    const auto again = workspaceFromJson(workspaceToJson(*read));
    QVERIFY(again.ok());
    QCOMPARE(again->system.tuned, read->system.tuned);
    read.value().system.tuned.clear();
    QVERIFY(!QString::fromStdString(workspaceToJson(*read)).contains("tuned"));
  }

  void namesWhatCannotBeTuned_data() {
    QTest::addColumn<QString>("member");
    QTest::addColumn<QString>("error");
    const auto range = [](const QString& change, const QString& with) {
      return QString(R"("ranges": [{"model": "nccl", "steps": "AllReduce", "nodes": "one", "sizes": "to 4 MiB", )"
                     R"("low": 0.9, "high": 1.1, "measurements": 9}])")
          .replace(change, with);
    };
    QTest::newRow("constant") << R"("tuned": {"hop of hops": 1})"
                              << "\"hop of hops\" is not a constant of the nccl model of this version";
    QTest::newRow("zero") << R"("tuned": {"start, LL": 0})"
                          << "the constant \"start, LL\" is not above 0";
    QTest::newRow("text") << R"("tuned": {"start, LL": "slow"})"
                          << "\"slow\" is not a number";
    QTest::newRow("list") << R"("tuned": [1])"
                          << "gives constants of the nccl model values above 0";
    QTest::newRow("steps") << range("AllReduce", "Gossip") << "a range for \"Gossip\"";
    QTest::newRow("nodes") << range("\"one\"", "\"many\"") << "use one or several";
    QTest::newRow("low") << range("0.9", "1.9") << "a range's low is above 0 and at most 1";
    QTest::newRow("high") << range("1.1", "0.5") << "a range's high is at least 1";
  }
  void namesWhatCannotBeTuned() {
    QFETCH(QString, member);
    QFETCH(QString, error);
    QString text = QString::fromStdString(systemToJson(parseSystem("node:2 gpu:8").value()));
    const auto read = systemFromJson(text.replace("\"levels\"", member + ", \"levels\"").toStdString());
    QVERIFY(!read.ok());
    const QString reported = QString::fromStdString(read.error().text());
    QVERIFY2(reported.contains(error), qPrintable(reported));
    QCOMPARE(reported.count('\n'), 0);
  }

  void keepsUnknownKeysOfAStrategy() {
    auto workspace = workspaceFromJson(
        test::replaced("\"reduce\": [0]", R"("strategy": {"graph": "g", "x-own": 1, "pins": [)"
                                          R"({"name": "a", "parts": [2], "x-why": "b"}, {"name": "b", "parts": [4]}]})")
            .toStdString());
    QVERIFY2(workspace.ok(), workspace.ok() ? "" : workspace.error().text().c_str());
    QCOMPARE(workspace->strategy.options.devices, StrategyChoice::kAllDevices);
    // The pin that stays keeps its keys, wherever it moves.
    workspace.value().strategy.pins = {{"c", {1}}, {"a", {2}}};
    const QString text = QString::fromStdString(workspaceToJson(*workspace));
    QVERIFY2(text.contains("\"x-own\": 1"), qPrintable(text));
    QVERIFY2(text.contains(R"({"name": "a", "parts": [2], "x-why": "b"})"), qPrintable(text));
    QVERIFY(!text.contains("\"devices\""));
    workspace.value().strategy = {};
    QVERIFY(!QString::fromStdString(workspaceToJson(*workspace)).contains("strategy"));
  }

  void dropsChoicesThatWereTakenBack() {
    auto workspace = workspaceFromJson(workspaceToJson(test::chosenWorkspace()));
    QVERIFY(workspace.ok());
    workspace.value().matrix = {};
    workspace.value().program.clear();
    const QString text = QString::fromStdString(workspaceToJson(*workspace));
    QVERIFY(!text.contains("\"matrix\""));
    QVERIFY(!text.contains("\"program\""));
  }

  void readsSystemsFromEveryFormat() {
    const System system = test::exampleWorkspace().system;
    const auto alone = systemFromJson(systemToJson(system));
    QVERIFY(alone.ok());
    QCOMPARE(*alone, system);
    const auto inside = systemFromJson(workspaceToJson(test::exampleWorkspace()));
    QVERIFY(inside.ok());
    QCOMPARE(*inside, system);
  }
};

QTEST_APPLESS_MAIN(TestWorkspaceJson)
#include "tst_workspace_json.moc"
