// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/device_names.h"

using namespace p2;
using namespace p2::views;

/// What devices are called, with markers as in Fig. 2 of the paper.
class TestDeviceNames : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void figure2_data();
  void figure2();
  void threeAxes();
  void names();
};

void TestDeviceNames::figure2_data() {
  QTest::addColumn<QString>("matrix");
  QTest::addColumn<QString>("markers");  // CPU by CPU
  QTest::newRow("b") << "[[1,2,2,1],[1,1,1,4]]"
                     << "0/0 0/1 0/2 0/3 | 1/0 1/1 1/2 1/3 | 2/0 2/1 2/2 2/3 | 3/0 3/1 3/2 3/3";
  QTest::newRow("c") << "[[1,2,1,2],[1,1,2,2]]"
                     << "0/0 0/1 1/0 1/1 | 0/2 0/3 1/2 1/3 | 2/0 2/1 3/0 3/1 | 2/2 2/3 3/2 3/3";
  QTest::newRow("d") << "[[1,1,2,2],[1,2,1,2]]"
                     << "0/0 0/1 1/0 1/1 | 2/0 2/1 3/0 3/1 | 0/2 0/3 1/2 1/3 | 2/2 2/3 3/2 3/3";
}

void TestDeviceNames::figure2() {
  QFETCH(QString, matrix);
  const Workspace workspace =
      test::workspaceOf("rack:1 server:2 cpu:2 gpu:4", "data=4,shards=4", "shards", matrix.toStdString());
  QVERIFY(checkWorkspace(workspace).ok());
  const Placement placement(workspace.axes, workspace.matrix);
  QStringList cpus;
  for (std::int64_t cpu = 0; cpu < 4; ++cpu) {
    QStringList gpus;
    for (std::int64_t gpu = 0; gpu < 4; ++gpu) gpus += deviceMarker(placement, Device(cpu * 4 + gpu));
    cpus += gpus.join(' ');
  }
  QTEST(cpus.join(" | "), "markers");
}

void TestDeviceNames::threeAxes() {
  const Workspace workspace = test::workspaceOf("node:2 gpu:4", "a=2,b=2,c=2", "a", "[[2,1],[1,2],[1,2]]");
  const Placement placement(workspace.axes, workspace.matrix);
  QCOMPARE(deviceMarker(placement, Device(0)), QStringLiteral("0/0/0"));
  QCOMPARE(deviceMarker(placement, Device(7)), QStringLiteral("1/1/1"));
  QCOMPARE(deviceMarker(placement, Device(6)), QStringLiteral("1/1/0"));
}

void TestDeviceNames::names() {
  const Workspace workspace = test::workspaceOf("rack:1 node:2 gpu:4", "a=4,b=2", "a", "[[1,1,4],[1,2,1]]");
  const Placement placement(workspace.axes, workspace.matrix);
  QCOMPARE(deviceShortName(Device(6)), QStringLiteral("d6"));
  QCOMPARE(deviceName(workspace.system, Device(6)), QStringLiteral("device 6 · gpu 2 of node 1"));
  QCOMPARE(deviceHeading(placement, Device(6)), QStringLiteral("d6 · 2/1"));
  const Workspace single = test::workspaceOf("gpu:8", "a=8", "a", "[[8]]");
  QCOMPARE(deviceHeading(Placement(single.axes, single.matrix), Device(6)), QStringLiteral("d6"));
}

QTEST_GUILESS_MAIN(TestDeviceNames)
#include "tst_device_names.moc"
