// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "views/placement/device_text.h"

using namespace p2;
using namespace p2::views;

/// Markers and sentences of devices, against Fig. 2 of the paper.
class TestDeviceText : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
  void figure2_data();
  void figure2();
  void saysWhatADeviceIs();
  void cutsLongGroups();
  void threeAxes();
};

void TestDeviceText::figure2_data() {
  QTest::addColumn<QString>("matrix");
  QTest::addColumn<QString>("markers");  // CPU by CPU
  QTest::newRow("b") << "[[1,2,2,1],[1,1,1,4]]"
                     << "0/0 0/1 0/2 0/3 | 1/0 1/1 1/2 1/3 | 2/0 2/1 2/2 2/3 | 3/0 3/1 3/2 3/3";
  QTest::newRow("c") << "[[1,2,1,2],[1,1,2,2]]"
                     << "0/0 0/1 1/0 1/1 | 0/2 0/3 1/2 1/3 | 2/0 2/1 3/0 3/1 | 2/2 2/3 3/2 3/3";
  QTest::newRow("d") << "[[1,1,2,2],[1,2,1,2]]"
                     << "0/0 0/1 1/0 1/1 | 2/0 2/1 3/0 3/1 | 0/2 0/3 1/2 1/3 | 2/2 2/3 3/2 3/3";
}

void TestDeviceText::figure2() {
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

void TestDeviceText::saysWhatADeviceIs() {
  const Workspace workspace =
      test::workspaceOf("rack:1 server:2 cpu:2 gpu:4", "data=4,shards=4", "shards", "[[1,2,1,2],[1,1,2,2]]");
  const Placement placement(workspace.axes, workspace.matrix);
  QCOMPARE(deviceSentence(workspace.system, placement, 6),
           QStringLiteral("device 6 · gpu 2 of cpu 1 of server 0 · data 1, shards 2 · group B of 4: 2, 3, 6, 7"));
  QCOMPARE(markerLegend(placement),
           QStringLiteral("data/shards · colour and letter: 4 groups of 4 that reduce over shards"));
}

void TestDeviceText::cutsLongGroups() {
  const Workspace workspace = test::workspaceOf("gpu:100", "data=100", "data", "[[100]]");
  const QString sentence = deviceSentence(workspace.system, Placement(workspace.axes, workspace.matrix), 99);
  QVERIFY2(sentence.endsWith("group A of 100: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 84 more"),
           qPrintable(sentence));
}

void TestDeviceText::threeAxes() {
  const Workspace workspace = test::workspaceOf("node:2 gpu:4", "a=2,b=2,c=2", "a", "[[2,1],[1,2],[1,2]]");
  const Placement placement(workspace.axes, workspace.matrix);
  QCOMPARE(deviceMarker(placement, 0), QStringLiteral("0/0/0"));
  QCOMPARE(deviceMarker(placement, 7), QStringLiteral("1/1/1"));
  QCOMPARE(deviceMarker(placement, 6), QStringLiteral("1/1/0"));
}

QTEST_GUILESS_MAIN(TestDeviceText)
#include "tst_device_text.moc"
