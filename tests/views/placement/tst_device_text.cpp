// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/placement/device_text.h"

using namespace p2;
using namespace p2::views;

/// Sentences about devices and groups.
class TestDeviceText : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void saysWhatADeviceIs();
  void cutsLongGroups();
};

void TestDeviceText::saysWhatADeviceIs() {
  const Workspace workspace =
      test::workspaceOf("rack:1 server:2 cpu:2 gpu:4", "data=4,shards=4", "shards", "[[1,2,1,2],[1,1,2,2]]");
  const Placement placement(workspace.axes, workspace.matrix);
  QCOMPARE(deviceSentence(workspace.system, placement, Device(6)),
           QStringLiteral("device 6 · gpu 2 of cpu 1 of server 0 · data 1, shards 2 · group B of 4: 2, 3, 6, 7"));
  QCOMPARE(markerLegend(placement),
           QStringLiteral("data/shards · colour and letter: 4 groups of 4 that reduce over shards"));
}

void TestDeviceText::cutsLongGroups() {
  const Workspace workspace = test::workspaceOf("gpu:100", "data=100", "data", "[[100]]");
  const QString sentence = deviceSentence(workspace.system, Placement(workspace.axes, workspace.matrix), Device(99));
  QVERIFY2(sentence.endsWith("group A of 100: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 84 more"),
           qPrintable(sentence));
}

QTEST_GUILESS_MAIN(TestDeviceText)
#include "tst_device_text.moc"
