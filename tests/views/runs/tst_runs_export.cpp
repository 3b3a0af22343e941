// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/views/runs/run_rows.h"
#include "views/runs/runs_export.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

class TestRunsExport : public QObject {
  Q_OBJECT
 private slots:
  void writesATable() {
    const QStringList lines =
        runsToCsv({runRow(0.5, 0.25), failedRow("said \"no\", twice")}).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith("when,target,backend,"));
    QVERIFY2(lines[1].contains("\"[[2,4]]\",\"root:InsideGroup:AllReduce\",4096,0.25,0.25,0.5,1,0,\"\",1"),
             qPrintable(lines[1]));
    QVERIFY2(lines[2].endsWith(",,,,,,,\"said \"\"no\"\", twice\","), qPrintable(lines[2]));
  }
};

QTEST_APPLESS_MAIN(TestRunsExport)
#include "tst_runs_export.moc"
