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
    const auto known = [](ExportSubject subject) {
      std::string names;
      for (const ExportFormat& format : exportFormats(subject)) names += (names.empty() ? "" : ", ") + format.name;
      return names;
    };
    QCOMPARE(exportPlan(plan, "wcsp").error().text(),
             "\"wcsp\" is not an export format; use one of " + known(ExportSubject::Plan));
    QCOMPARE(exportCostTables(problem, "csv").error().text(),
             "\"csv\" is not an export format of cost tables; use one of " + known(ExportSubject::CostTables));
    QCOMPARE(exportStrategy({problem, nullptr, strategy}, "text").error().text(),
             "\"text\" is not a format of strategies; use one of " + known(ExportSubject::Strategy));
  }
};

QTEST_APPLESS_MAIN(TestExporters)
#include "tst_exporters.moc"
