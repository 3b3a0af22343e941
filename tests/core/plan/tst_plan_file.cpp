// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "plan/verify.h"
#include "support/warnings.h"
#include "tests/core/plan/file_execution.h"
#include "tests/support/fixtures.h"

using namespace p2;
using nlohmann::json;
using p2::test::FileExecution;

namespace {

std::string fileText(const QString& name) {
  std::ifstream file((QStringLiteral(P2_TEST_DATA) + "/plans/" + name).toStdString());
  return {std::istreambuf_iterator<char>(file), {}};
}

Workspace splitWorkspace() {
  Workspace workspace = test::workspaceOf("node:2 gpu:4", "all=8", "all", "[[2,4]]");
  workspace.options.cost.bytes = Bytes(1001);
  workspace.program = "root:InsideGroup:ReduceScatter; node:Parallel(root):AllGather; node:InsideGroup:AllGather";
  return workspace;
}

std::string splitText() { return planToJson(test::valueOf(makePlan(splitWorkspace()))); }

}  // namespace

class TestPlanFile : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyProgramRunsFromItsFileAlone_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::addColumn<QString>("rules");
    QTest::addColumn<int>("programs");
    for (const char* system : {"node:2 gpu:4", "node:4 gpu:2"}) {
      QTest::addRow("%s paper", system) << QString(system) << "all=8"
                                        << "all"
                                        << "paper" << 47;
      QTest::addRow("%s all", system) << QString(system) << "all=8"
                                      << "all"
                                      << "all" << 93;
    }
    QTest::addRow("two axes") << "node:4 gpu:4"
                              << "data=4,model=4"
                              << "data"
                              << "paper" << 53;
    QTest::addRow("three levels") << "rack:2 node:2 gpu:2"
                                  << "all=8"
                                  << "all"
                                  << "paper" << 721;
  }
  void everyProgramRunsFromItsFileAlone() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    QFETCH(QString, rules);
    QFETCH(int, programs);
    Workspace workspace = test::workspaceOf(system.toStdString(), axes.toStdString(), reduce.toStdString());
    workspace.options.rules = test::ruleSetOf(rules.toStdString());
    workspace.options.cost.bytes = Bytes(211);  // 53 elements: no number of chunks divides them
    const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
    int count = 0;
    for (const PlacementResult& placement : exploration->placements) {
      for (const ProgramResult& program : placement.programs) {
        workspace.matrix = placement.matrix;
        workspace.program = programText(*placement.hierarchy, program.program);
        const Plan plan = test::valueOf(makePlan(workspace));
        const auto verified = verify(plan);
        QVERIFY2(verified.ok(), verified.ok() ? "" : verified.error().text().c_str());
        FileExecution execution(planToJson(plan));
        execution.run();
        QVERIFY2(execution.wrongElements() == 0, workspace.program.c_str());
        ++count;
      }
    }
    QCOMPARE(count, programs);
  }

  void aProgramThatLeavesOutAStepIsNoticed() {
    json file = json::parse(splitText());
    file["lowered"].erase(2);
    FileExecution execution(file.dump());
    execution.run();
    QVERIFY(execution.wrongElements() > 0);
  }

  // Gathered over the nodes first, the pieces interleave: what the members of the second group hold does not ascend.
  void saysWhereGatheredPiecesGo() {
    const json file = json::parse(splitText());
    const json& gather = file["lowered"][1]["groups"][0];
    QCOMPARE(gather["devices"], json({0, 4}));
    QCOMPARE(gather["chunks_before"], json({"0", "4"}));
    QCOMPARE(gather["chunks_after"], json("0,4"));
    const json& last = file["lowered"][2]["groups"][0];
    QCOMPARE(last["chunks_before"], json({"0,4", "1,5", "2,6", "3,7"}));
    QCOMPARE(last["chunks_after"], json("0-7"));
  }

  void vectorsAreCutIntoWholeElements() {
    const json file = json::parse(splitText());
    QCOMPARE(file["version"], json(2));
    QCOMPARE(file["vector"], json({{"element_bytes", 4},
                                   {"elements", 251},
                                   {"padded_elements", 256},
                                   {"chunks", 8},
                                   {"chunk_elements", 32},
                                   {"layout", "ascending"}}));
    QCOMPARE(file["lowered"][0]["groups"][0]["bytes_before"], json(1024));
    QCOMPARE(file["lowered"][0]["groups"][0]["bytes_after"], json(128));
    QCOMPARE(test::valueOf(VectorCut::of(Bytes(1024), 8)), (VectorCut{256, 8, 32}));
    QCOMPARE(test::valueOf(VectorCut::of(Bytes(1), 8)), (VectorCut{1, 8, 1}));
    QVERIFY(!VectorCut::of(Bytes(1e300), 8).ok());
  }

  void filesOfVersion1Open_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("steps");
    QTest::newRow("rooted") << "version-1-rooted.json" << 3;
    QTest::newRow("split, bytes that do not divide") << "version-1-split.json" << 3;
  }
  void filesOfVersion1Open() {
    QFETCH(QString, name);
    QFETCH(int, steps);
    const std::string text = fileText(name);
    const auto plan = planFromJson(text);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
    QVERIFY(verify(*plan).ok());
    QCOMPARE(int(plan->steps().size()), steps);
    const json old = json::parse(text);
    QCOMPARE(plan->predicted().seconds, old["predicted"]["seconds"].get<double>());
    // Written again it is of version 2, with all that it had.
    const json now = json::parse(planToJson(*plan));
    QCOMPARE(now["version"], json(2));
    for (const auto& [key, value] : old.items()) {
      if (key == "options") {
        for (const auto& [option, chosen] : value.items()) QCOMPARE(now[key][option], chosen);
      } else if (key != "version" && key != "lowered") {
        QCOMPARE(now[key], value);
      }
    }
    FileExecution execution(now.dump());
    execution.run();
    QCOMPARE(execution.wrongElements(), 0L);
  }

  void filesOfVersion1AreComparedWithTheirProgram() {
    json old = json::parse(fileText("version-1-split.json"));
    old["lowered"][1]["groups"][0]["devices"] = {0, 5};
    QCOMPARE(QString::fromStdString(planFromJson(old.dump()).error().text()),
             QString("/lowered/1/groups/0/devices: these devices are not the program's; write the plan again with p2 "
                     "plan"));
  }

  void verifyNamesWhatIsWrong_data() {
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* pointer, const char* value, const char* error) {
      QTest::newRow(pointer) << QString(pointer) << QString(value)
                             << QString(error) + "; write the plan again with p2 plan";
    };
    row("/lowered/1/groups/0/chunks_before", "[\"0\", \"5\"]",
        "/lowered/1/groups/0/chunks_before: device 4 holds the chunks 4 before this step");
    row("/lowered/0/groups/0/chunks_after", "[\"1\", \"0\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\"]",
        "/lowered/0/groups/0/chunks_after: device 0 holds the chunks 0 after this step");
    row("/lowered/1/groups/0/devices", "[4, 0]", "/lowered/1/groups/0/devices: these devices are not the program's");
    row("/reduction_groups", "[[0, 1, 2, 3, 4, 5, 6, 6]]", "/reduction_groups: device 6 is listed twice");
    row("/reduction_groups", "[]", "/reduction_groups: device 0 is missing");
    row("/lowered/0/collective", "\"AllReduce\"", "/lowered/0/collective: the program has ReduceScatter here");
  }
  void verifyNamesWhatIsWrong() {
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, error);
    json file = json::parse(splitText());
    file[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
    const auto plan = planFromJson(file.dump());
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
    const auto verified = verify(*plan);
    QVERIFY(!verified.ok());
    const QString text = QString::fromStdString(verified.error().text());
    QVERIFY2(text == error || text + "; write the plan again with p2 plan" == error, qPrintable(text));
  }

  // A step and its program agree, but what it leads to is not the sum.
  void verifyRunsThePlan() {
    Workspace workspace = splitWorkspace();
    workspace.program = "node:InsideGroup:AllReduce; node:Parallel(root):AllReduce";
    json file = json::parse(planToJson(test::valueOf(makePlan(workspace))));
    file["program"] = "node:InsideGroup:AllReduce";
    file["lowered"].erase(1);
    file["predicted"]["steps"].erase(1);
    const auto plan = test::valueOf(planFromJson(file.dump()));
    QCOMPARE(QString::fromStdString(verify(plan).error().text()),
             QString("/lowered: device 0 ends with a wrong sum in chunk 0; write the plan again with p2 plan"));
  }

  void readingNamesWhatIsWrong_data() {
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* pointer, const char* value, const char* error) {
      QTest::addRow("%s %s", pointer, value) << QString(pointer) << QString(value) << QString(error);
    };
    row("/vector/elements", "250", "/vector/elements: the plan's vectors need 251 here");
    row("/vector/layout", "\"strided\"", "/vector/layout: this version knows the layout \"ascending\" alone");
    row("/reduction_groups/0", "[0, 1]", "/reduction_groups/0: the plan reduces over 8 devices, these are 2");
    row("/lowered/1/groups/0/devices", "[0, 1]", "/lowered/1/groups/1/devices: device 1 takes part in this step twice");
    row("/lowered/1/groups/0/devices", "[0]", "/lowered/1/groups/0/devices: a group has two devices or more");
    row("/lowered/1/groups/0/devices", "[0, 8]",
        "/lowered/1/groups/0/devices/1: 8 is out of range; the plan is for 8 devices");
    row("/lowered/1/groups/0/chunks_after", "\"0,8\"",
        "/lowered/1/groups/0/chunks_after: there is no chunk 8; they are numbered from 0 to 7");
    row("/lowered/1/groups/0/chunks_after", "\"4,0\"",
        "/lowered/1/groups/0/chunks_after: \"4,0\" lists no chunks; write ascending numbers and ranges, as in 0-3,8");
    row("/lowered/1/groups/0/bytes_after", "255",
        "/lowered/1/groups/0/bytes_after: the chunks held here have 256 bytes");
    row("/program", "\"\"", "/program: no program is named; give its steps, as in root:InsideGroup:AllReduce");
    row("/version", "3", "/version: written by a newer version (3); this one reads version 2");
  }
  void readingNamesWhatIsWrong() {
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, error);
    json file = json::parse(splitText());
    file[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
    const auto plan = planFromJson(file.dump());
    QVERIFY(!plan.ok());
    QCOMPARE(QString::fromStdString(plan.error().text()), error);
  }

  void largeGroupsArePlannedAndVerified() {
    Workspace workspace = test::workspaceOf("node:40 gpu:8", "all=320", "all", "[[40,8]]");
    workspace.program = "node:InsideGroup:ReduceScatter; node:Parallel(root):ReduceScatter; root:InsideGroup:AllGather";
    const Plan plan = test::valueOf(makePlan(workspace));
    QVERIFY(verify(plan).ok());
    QVERIFY(verify(test::valueOf(planFromJson(planToJson(plan)))).ok());
  }
};

QTEST_APPLESS_MAIN(TestPlanFile)
#include "tst_plan_file.moc"
