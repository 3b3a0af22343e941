// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "exporters/exporters.h"
#include "support/fixtures.h"
#include "support/warnings.h"

using namespace p2;

class TestExporters : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyFormatIsFoundUnderItsSubject() {
    std::size_t count = 0;
    for (const ExportSubject subject : {ExportSubject::Plan, ExportSubject::CostTables, ExportSubject::Strategy}) {
      std::set<std::string> names;
      for (const ExportFormat& format : exportFormats(subject)) {
        QVERIFY(format.subject() == subject);
        QVERIFY2(names.insert(format.name).second, format.name.c_str());
        QVERIFY(!format.extension.empty() && format.extension[0] != '.');
        QVERIFY(!format.description.empty());
        ++count;
      }
      QVERIFY2(!names.empty(), std::string(nameOf(subject)).c_str());
    }
    QCOMPARE(count, exportFormats().size());
  }

  void whatIsUnknownIsToldApart() {
    const StrategyProblem problem;
    const Strategy strategy;
    Workspace workspace = test::workspaceOf("node:2 gpu:4", "8", "0", "[[2,4]]");
    workspace.program = "root:InsideGroup:AllReduce";
    const Plan plan = test::valueOf(makePlan(workspace));
    QCOMPARE(exportPlan(plan, "wcsp").error().text(),
             std::string("\"wcsp\" is not an export format; use one of json, csv, text, jax, torch, maxtext, axlearn, "
                         "megatron, torchtitan, rankfile, slurm, comm-split, msccl-xml, degrees, page, "
                         "handout, handout-answers"));
    QCOMPARE(exportCostTables(problem, "csv").error().text(),
             std::string("\"csv\" is not an export format of cost tables; use one of tables, wcsp"));
    QCOMPARE(exportStrategy({problem, nullptr, strategy}, "text").error().text(),
             std::string("\"text\" is not a format of strategies; use one of json, csv"));
  }
};

QTEST_APPLESS_MAIN(TestExporters)
#include "tst_exporters.moc"
