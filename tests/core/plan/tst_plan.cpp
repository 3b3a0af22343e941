// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <numeric>

#include "exporters/exporters.h"
#include "plan/verify.h"
#include "support/filled.h"
#include "support/warnings.h"
#include "tests/core/workspace/examples.h"

using namespace p2;

namespace {

Plan examplePlan() { return makePlan(test::chosenWorkspace()).value(); }

QString planText() { return QString::fromStdString(planToJson(examplePlan())); }

}  // namespace

class TestPlan : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void lowersAndPrices() {
    const auto plan = makePlan(test::chosenWorkspace());
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
    QCOMPARE(plan->steps().size(), std::size_t(3));
    QCOMPARE(plan->predicted().links.size(), std::size_t(3));
    for (const PlanStep& step : plan->steps()) {
      std::size_t devices = 0;
      for (const PlanGroup& group : step.groups) devices += group.devices.size();
      QCOMPARE(devices, std::size_t(64));
    }
    const PlanGroup& first = plan->steps()[0].groups[0];
    QCOMPARE(first.before, (std::vector<ChunkSet>{{{0, 32}}}));
    QCOMPARE(first.heldAfter(7), (ChunkSet{{28, 32}}));
    QCOMPARE(sharesOf(first, plan->cut().chunks).before[7], 1.0);
    QCOMPARE(sharesOf(first, plan->cut().chunks).after[7], 1.0 / 8);
    const std::vector<StepCost>& costs = plan->predicted().steps;
    const double sum = std::accumulate(costs.begin(), costs.end(), 0.0,
                                       [](double total, const StepCost& step) { return total + step.seconds; });
    QCOMPARE(plan->predicted().seconds, sum);
    QVERIFY(plan->predicted().seconds < plan->predicted().singleSeconds);
    QVERIFY(plan->predicted().limit.seconds > 0 && plan->predicted().limit.seconds <= plan->predicted().seconds);
  }

  void plansWithoutALowerBoundStayWithout() {
    QString text = planText();
    const auto match = QRegularExpression(",\\s*\"limit\": \\{[^}]*\\}").match(text);
    QVERIFY2(match.hasMatch(), qPrintable(text.left(3000)));
    text.remove(match.capturedStart(), match.capturedLength());
    const auto plan = planFromJson(text.toStdString());
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
    QCOMPARE(plan->predicted().limit, LowerBound());
    QVERIFY(planToJson(*plan).find("\"limit\": {") == std::string::npos);
  }

  void refusesWhatIsNotChosen() {
    QVERIFY(!makePlan(test::exampleWorkspace()).ok());
    Workspace workspace = test::chosenWorkspace();
    workspace.program.clear();
    QCOMPARE(makePlan(workspace).error().text(), std::string("no program is chosen; a plan needs one"));
    workspace.program = "node:InsideGroup:ReduceScatter";
    QCOMPARE(makePlan(workspace).error().text(),
             std::string("the program ends before every device holds the whole sum of its group"));
    workspace.system.levels[0].count = 1 << 16;
    workspace.axes[1].size = 1 << 15;
    workspace.matrix.set(1, 0, 1 << 14);
    QCOMPARE(makePlan(workspace).error().kind, ErrorKind::TooLarge);
  }

  void roundTrips() {
    const std::string text = planToJson(examplePlan());
    auto plan = planFromJson(text);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
    QCOMPARE(planToJson(*plan), text);
    Workspace workspace = plan->workspace();
    workspace.source.clear();
    QCOMPARE(workspace, examplePlan().workspace());
    QCOMPARE(plan->steps(), examplePlan().steps());
    QCOMPARE(plan->cut(), examplePlan().cut());
    QCOMPARE(plan->reductionGroups(), examplePlan().reductionGroups());
    // Files name links and do not number them.
    Prediction made = examplePlan().predicted();
    for (StepCost& cost : made.steps) cost.link = StepCost().link;
    QCOMPARE(plan->predicted(), made);
  }

  void keepsUnknownKeysAndOldPredictions() {
    const QString text =
        planText()
            .replace("\"format\"", "\"x-run\": [1, 2], \"format\"")
            .replace("\"collective\": \"AllReduce\"", "\"x-step\": 1, \"collective\": \"AllReduce\"")
            .replace(QRegularExpression("\"allreduce_seconds\": [0-9.]+"), "\"allreduce_seconds\": 99.5");
    const auto plan = planFromJson(text.toStdString());
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
    QCOMPARE(plan->predicted().singleSeconds, 99.5);
    const QString again = QString::fromStdString(planToJson(*plan));
    QVERIFY(again.contains("\"x-run\": [1, 2]"));
    QVERIFY(again.contains("\"x-step\": 1"));
  }

  void opensAsAWorkspace() {
    const std::string text = planText().replace("\"format\"", "\"x-run\": 1, \"format\"").toStdString();
    auto workspace = workspaceFromJson(text);
    QVERIFY(workspace.ok());
    const QString saved = QString::fromStdString(workspaceToJson(*workspace));
    QVERIFY(saved.contains("\"format\": \"p2-workspace\""));
    QVERIFY(saved.contains("\"x-run\": 1"));
    for (const char* key : {"\"lowered\"", "\"vector\"", "\"reduction_groups\"", "\"version\": 2"}) {
      QVERIFY2(!saved.contains(key), key);
    }
    workspace.value().source.clear();
    QCOMPARE(*workspace, examplePlan().workspace());
    QCOMPARE(systemFromJson(text).value(), workspace->system);
  }

  void namesWhatIsWrong_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const char* from, const char* to, const char* error) {
      QTest::newRow(name) << QString(from) << QString(to) << QString::fromUtf8(error);
    };
    row("device", "\"devices\": \\[0,", "\"devices\": [63,",
        "/lowered/0/groups/7/devices: device 63 takes part in this step twice");
    row("bytes", "\"bytes_after\": 268435456", "\"bytes_after\": 1",
        "/lowered/0/groups/0/bytes_after: the chunks held here have 268435456 bytes");
    row("collective", "\"collective\": \"AllGather\"", "\"collective\": \"Broadcast\"",
        "/lowered/2/collective: the program has AllGather here");
    row("unknown collective", "\"collective\": \"AllGather\"", "\"collective\": \"Gather\"",
        "/lowered/2/collective: \"Gather\" is not a collective; use AllReduce, ReduceScatter, AllGather, Reduce, "
        "Broadcast, AllToAll or Scatter");
    row("program", "\"program\": \".*\"", "\"program\": \"root:InsideGroup:AllReduce\"",
        "/lowered: 3 lowered steps for a program of 1; write the plan again with p2 plan");
    row("bad program", "\"program\": \".*\"", "\"program\": \"rack:InsideGroup:AllReduce\"",
        "/program: step 1: there is no level \"rack\"; the levels are root, node, gpu");
    row("no lowered steps", "\"lowered\"", "\"raised\"",
        "the key \"lowered\" is missing; a plan needs the program's lowered steps; write it again with p2 plan");
    row("no matrix", "\"matrix\"", "\"martix\"",
        "the key \"matrix\" is missing; a plan needs the matrix of its placement");
    row("workspace", "\"p2-plan\"", "\"p2-workspace\"",
        "/format: \"p2-workspace\" is not a format that can be read here; it needs p2-plan");
    row("prediction", "\"allreduce_seconds\": [0-9.]+", "\"allreduce_seconds\": -1",
        "/predicted/allreduce_seconds: -1 is out of range; use a number of seconds, 0 or more");
  }
  void namesWhatIsWrong() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, error);
    QString text = planText();
    const auto match = QRegularExpression(from).match(text);
    QVERIFY2(match.hasMatch(), qPrintable(text.left(3000)));
    text.replace(match.capturedStart(), match.capturedLength(), to);
    const auto plan = planFromJson(text.toStdString());
    const auto verified = plan.ok() ? verify(*plan) : plan.error();
    QVERIFY(!verified.ok());
    QCOMPARE(QString::fromStdString(verified.error().text()), error);
  }

  void exportsARowPerStepAndGroup() {
    const Plan plan = examplePlan();
    const auto csv = exportPlan(plan, "csv");
    QVERIFY(csv.ok());
    const QStringList lines = QString::fromStdString(*csv).split('\n', Qt::SkipEmptyParts);
    std::size_t rows = 1;
    for (const PlanStep& step : plan.steps()) rows += step.groups.size();
    QCOMPARE(std::size_t(lines.size()), rows);
    for (const QString& line : test::filled(lines)) QCOMPARE(line.count(','), 8);
    QVERIFY2(lines[1].startsWith("1,ReduceScatter,0,0 1 4 5 8 9 12 13,2147483648"), qPrintable(lines[1]));
  }

  void exportsAReport() {
    const auto text = exportPlan(examplePlan(), "text");
    QVERIFY(text.ok());
    const QString report = QString::fromStdString(*text);
    for (const char* part :
         {"4 nodes × 16 GPUs, 64 devices", "data 8 (reduced), model 2, shards 4 (reduced)", "[[2,4],[1,2],[2,2]]",
          "Step 2: AllReduce", "2.15 GB", "busiest link", "by rankfile", "no order of axes gives this placement"}) {
      QVERIFY2(report.contains(QString::fromUtf8(part)), qPrintable(report));
    }
  }

  void exportsTheFileItself() {
    QCOMPARE(exportPlan(examplePlan(), "json").value(), planToJson(examplePlan()));
    const auto unknown = exportPlan(examplePlan(), "xml");
    QCOMPARE(unknown.error().text(),
             std::string("\"xml\" is not an export format; use one of json, csv, text, jax, torch, maxtext, axlearn, "
                         "megatron, torchtitan, rankfile, slurm, comm-split, msccl-xml, mscclpp-json, nccl-tuner, "
                         "ncclx-tuner, nccl-env, torchrun, degrees, chrome-trace, page, handout, handout-answers"));
    for (const ExportFormat& format : exportFormats(ExportSubject::Plan)) {
      // Its axes "data" and "shards" are one and the same to Megatron and TorchTitan. Tuners need the nccl model.
      const bool refuses = format.name == "megatron" || format.name == "torchtitan" || format.name == "nccl-tuner" ||
                           format.name == "ncclx-tuner" || format.name == "nccl-env";
      QVERIFY2(exportPlan(examplePlan(), format.name).ok() == !refuses, std::string(format.name).c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestPlan)
#include "tst_plan.moc"
