// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <nlohmann/json.hpp>

#include "graphs/bundled_graphs.h"
#include "support/warnings.h"
#include "tests/core/workspace/examples.h"
#include "tests/support/schemas.h"
#include "text/text_file.h"
#include "workload/generate/training_recipe.h"

using namespace p2;
using nlohmann::json;

namespace {

bool accepts(const std::string& schema, const json& document) { return test::schemaAccepts(schema, document.dump()); }

Workspace smallWorkspace() {
  Workspace workspace;
  workspace.system = parseSystem("rack:2@1Gbit/s,2us node:2 gpu:2@ring").value();
  workspace.axes = {{"data", 8, true}};
  return workspace;
}

/// With everything an entry can say.
Workload communicatingWorkload() {
  using Extent = CommunicationOverlap::Extent;
  Workload workload{"step", {{"data", 8}, {"model", 2}}, {}, 2.5, {}};
  workload.collectives = {
      {.name = "weights", .axes = {"data"}, .bytes = 5, .count = 6, .factors = {{"layers", 6}}, .formula = "β·W = 5"},
      {.axes = {"data"}, .kind = CommunicationKind::Shift, .bytes = 1, .overlap = {Extent::Window, 1}, .closed = false},
      {.axes = {"data", "model"}, .kind = CommunicationKind::Reduce, .bytes = 1, .overlap = {Extent::Fraction, 0.5}},
      {.axes = {"model"}, .kind = CommunicationKind::Dispatch, .bytes = 2, .overlap = {Extent::Compute, 0}}};
  workload.collectives[3].routing = {8, 2, 2, 4};
  workload.slowdown = 1.2;
  workload.usableShare = 0.9;
  workload.concurrent = true;
  return workload;
}

/// With everything a strategy and a workload can say.
Workspace strategicWorkspace() {
  Workspace workspace = test::chosenWorkspace();
  workspace.strategy.graph = "alexnet.onnx";
  workspace.strategy.batch = 128;
  workspace.strategy.dimensions = {{"sequence", 64}};
  workspace.strategy.options = {12, {SpaceKind::All, 1, true}, StrategyCostModel::Hierarchical, 1e15, 2.5e11, Bytes(2)};
  workspace.strategy.pins = {{"fc1", {4, 1, 3}}};
  workspace.workload = communicatingWorkload();
  workspace.workload->axes = {{"data", 8}, {"model", 2}};
  return workspace;
}

System libraryExample() {
  System system = test::exampleWorkspace().system;
  system.library = {"ampere", "2.10", 0};
  return system;
}

Plan rootedPlan() {
  Workspace workspace = test::chosenWorkspace();
  workspace.program = "node:InsideGroup:Reduce; node:Master(root):AllReduce; node:InsideGroup:Broadcast";
  return makePlan(workspace).value();
}

}  // namespace

class TestSchemas : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void acceptWhatIsWritten() {
    QVERIFY(accepts("p2-workspace", json::parse(workspaceToJson(test::exampleWorkspace()))));
    QVERIFY(accepts("p2-workspace", json::parse(workspaceToJson(test::chosenWorkspace()))));
    QVERIFY(accepts("p2-workspace", json::parse(workspaceToJson(smallWorkspace()))));
    QVERIFY(accepts("p2-workspace", json::parse(workspaceToJson(strategicWorkspace()))));
    QVERIFY(accepts("p2-plan", json::parse(planToJson(makePlan(strategicWorkspace()).value()))));
    Workspace begun;
    begun.system = smallWorkspace().system;
    QVERIFY(accepts("p2-workspace", json::parse(workspaceToJson(begun))));
    QVERIFY(accepts("p2-system", json::parse(systemToJson(smallWorkspace().system))));
    for (const Preset& preset : presets()) {
      System system = presetSystem(preset.name, 2).value();
      system.levels[1].interconnect.fittedBandwidth = 1e9 / 3;
      system.levels[1].interconnect.fittedLatency = 0;
      system.levels[1].interconnect.reduces = true;
      system.node = system.levels[0].name;
      system.library = {"hopper", "2.18", 18e-6};
      system.tuned = {{"start, LL", 9.5e-6}};
      system.ranges = {{"nccl", "AllReduce", true, "to 4 MiB", 0.85, 1.25, 12}};
      QVERIFY2(accepts("p2-system", json::parse(systemToJson(system))), preset.name.c_str());
    }
    QVERIFY(accepts("p2-plan", json::parse(planToJson(makePlan(test::chosenWorkspace()).value()))));
    Workspace interval = test::chosenWorkspace();
    interval.options.cost.model = "nccl";
    const json plan = json::parse(planToJson(makePlan(interval).value()));
    QVERIFY(plan["predicted"]["steps"][0].contains("seconds_high"));
    QVERIFY(accepts("p2-plan", plan));
    // Masters: members that hold different amounts, and devices in no group.
    QVERIFY(accepts("p2-plan", json::parse(planToJson(rootedPlan()))));
  }

  void acceptPlansOfVersion1() {
    for (const char* name : {"version-1-rooted.json", "version-1-split.json"}) {
      const auto text = readTextFile(std::string(P2_TEST_DATA "/plans/") + name);
      QVERIFY(text.ok());
      QVERIFY2(accepts("p2-plan", json::parse(*text)), name);
      QVERIFY2(accepts("p2-plan", json::parse(planToJson(planFromJson(*text).value()))), name);
      json newer = json::parse(*text);
      newer["version"] = 2;
      QVERIFY2(!accepts("p2-plan", newer), name);
    }
  }

  void acceptTheBundledExamples() {
    const QDir folder(P2_RESOURCES "/examples");
    const QStringList files = folder.entryList({"*.json"});
    QVERIFY(!files.isEmpty());
    for (const QString& file : files) {
      const auto text = readTextFile(folder.filePath(file).toStdString());
      QVERIFY(text.ok());
      QVERIFY2(accepts("p2-workspace", json::parse(*text)), qPrintable(file));
      const auto workspace = workspaceFromJson(*text);
      QVERIFY2(workspace.ok() && checkWorkspace(*workspace).ok(), qPrintable(file));
    }
  }

  void acceptTheBundledGraphs() {
    for (const BundledGraph& graph : bundledGraphs()) {
      QVERIFY2(accepts("p2-graph", json::parse(graph.json)), std::string(graph.name).c_str());
    }
  }

  void acceptTheBundledRecipes() {
    for (const BundledRecipe& recipe : bundledRecipes()) {
      QVERIFY2(accepts("p2-model", json::parse(recipe.json)), std::string(recipe.name).c_str());
      const auto source = recipeWorkload(recipeFromJson(recipe.json).value(), {});
      QVERIFY2(source.ok(), std::string(recipe.name).c_str());
      QVERIFY(accepts("p2-workload", json::parse(workloadToJson(source->workload))));
    }
  }

  void refuseWhatIsBroken_data() {
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* schema, const char* pointer, const char* value) {
      QTest::addRow("%s %s = %s", schema, pointer, value) << QString(schema) << QString(pointer) << QString(value);
    };
    row("p2-workspace", "/format", "\"p2-plan\"");
    row("p2-workspace", "/version", "2");
    row("p2-workspace", "/axes/0/size", "0");
    row("p2-workspace", "/axes/0/size", "\"8\"");
    row("p2-workspace", "/reduce", "[0, 0]");
    row("p2-workspace", "/options/limit", "45");
    row("p2-workspace", "/options/rules", "\"none\"");
    row("p2-workspace", "/matrix", "[]");
    row("p2-workspace", "/strategy/batch", "0");
    row("p2-workspace", "/strategy/devices", "0");
    row("p2-workspace", "/strategy/space", "\"some\"");
    row("p2-workspace", "/strategy/pins/0/parts", "[0]");
    row("p2-workspace", "/system/levels/0/count", "-1");
    row("p2-workspace", "/system/levels/0/interconnect/kind", "\"tube\"");
    row("p2-workspace", "/workload/collectives/0/bytes", "0");
    row("p2-workload", "/collectives", "[]");
    row("p2-workload", "/axes/data", "0");
    row("p2-workload", "/axes", "[{\"name\": \"data\"}]");
    row("p2-workload", "/collectives/0/axes", "[]");
    row("p2-workload", "/collectives/0/kind", "\"Gossip\"");
    row("p2-workload", "/collectives/0/bytes", "1.5");
    row("p2-workload", "/collectives/0/count", "{}");
    row("p2-workload", "/collectives/0/count/layers", "0");
    row("p2-workload", "/collectives/1/overlap/seconds", "-1");
    row("p2-workload", "/collectives/2/overlap", "1.5");
    row("p2-workload", "/collectives/3/overlap", "\"some\"");
    row("p2-workload", "/collectives/3/routing/experts", "0");
    row("p2-workload", "/compute_seconds", "-1");
    row("p2-workload", "/slowdown", "0.5");
    row("p2-workload", "/usable_share", "1.5");
    row("p2-workload", "/concurrent", "1");
    row("p2-workspace", "/workload/slowdown", "0.5");
    row("p2-model", "/model/layers", "\"four\"");
    row("p2-model", "/plan/sp", "\"some\"");
    row("p2-model", "/plan/tp", "-1");
    row("p2-model", "/published/utilisation", "41");
    row("p2-graph", "/operators", "[]");
    row("p2-graph", "/operators/0/kind", "\"rnn\"");
    row("p2-graph", "/operators/0/dimensions/b", "0");
    row("p2-graph", "/operators/0/inputs/x/0", "\"b=\"");
    row("p2-graph", "/edges/0", "[\"fc1.y\"]");
    row("p2-system", "/levels", "[]");
    row("p2-system", "/levels/0/interconnect", "{\"halfDuplex\": 1}");
    row("p2-system", "/levels/0/interconnect", "{\"core\": -1}");
    row("p2-system", "/levels/0/interconnect/bandwidth", "0");
    row("p2-system", "/levels/0/interconnect", "{\"reduces\": \"yes\"}");
    row("p2-system", "/library", "{\"generation\": \"pascal\"}");
    row("p2-system", "/library", "{\"version\": \"2.\"}");
    row("p2-system", "/library", "{\"version\": \"2\"}");
    row("p2-system", "/library", "{\"launch\": -1}");
    row("p2-plan", "/lowered/0/groups/0/devices", "[0]");
    row("p2-plan", "/lowered/0/groups/0/bytes_before", "\"all\"");
    row("p2-plan", "/lowered/0/collective", "\"Gather\"");
    row("p2-plan", "/predicted/seconds", "null");
    row("p2-plan", "/program", "[]");
    row("p2-plan", "/version", "3");
    row("p2-plan", "/vector/elements", "0.5");
    row("p2-plan", "/vector/layout", "\"descending\"");
    row("p2-plan", "/reduction_groups", "[]");
    row("p2-plan", "/lowered/0/groups/0/chunks_before", "7");
    row("p2-plan", "/lowered/0/groups/0/chunks_after", "[\"0\", \"3-\"]");
    row("p2-plan", "/lowered/0/groups/0", "{\"devices\": [0, 1], \"bytes_before\": 1, \"bytes_after\": 1}");
  }
  void refuseWhatIsBroken() {
    QFETCH(QString, schema);
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    const std::string text = schema == "p2-graph"       ? std::string(bundledGraphs()[0].json)
                             : schema == "p2-system"    ? systemToJson(libraryExample())
                             : schema == "p2-model"     ? std::string(bundledRecipes()[2].json)
                             : schema == "p2-workload"  ? workloadToJson(communicatingWorkload())
                             : schema == "p2-workspace" ? workspaceToJson(strategicWorkspace())
                                                        : planToJson(makePlan(test::chosenWorkspace()).value());
    json document = json::parse(text);
    QVERIFY(accepts(schema.toStdString(), document));
    const json::json_pointer place(pointer.toStdString());
    QVERIFY(document.contains(place));
    document[place] = json::parse(value.toStdString());
    QVERIFY(!accepts(schema.toStdString(), document));
  }

  void keepWhatTheyDoNotKnow() {
    json document = json::parse(workspaceToJson(test::chosenWorkspace()));
    document["x-tool"] = {1, 2};
    QVERIFY(accepts("p2-workspace", document));
  }
};

QTEST_APPLESS_MAIN(TestSchemas)
#include "tst_schemas.moc"
