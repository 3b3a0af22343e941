// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "placement/placement.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;

class TestPlacement : public QObject {
  Q_OBJECT
 private slots:
  // Fig. 2 of the paper: data 4, shards 4 on one rack of two servers of two CPUs of four GPUs; n/m per GPU.
  void figure2_data() {
    QTest::addColumn<QString>("matrix");
    QTest::addColumn<QString>("markers");
    QTest::newRow("b") << "[[1,2,2,1],[1,1,1,4]]"
                       << "0/0 0/1 0/2 0/3 | 1/0 1/1 1/2 1/3 | 2/0 2/1 2/2 2/3 | 3/0 3/1 3/2 3/3";
    QTest::newRow("c") << "[[1,2,1,2],[1,1,2,2]]"
                       << "0/0 0/1 1/0 1/1 | 0/2 0/3 1/2 1/3 | 2/0 2/1 3/0 3/1 | 2/2 2/3 3/2 3/3";
    QTest::newRow("d") << "[[1,1,2,2],[1,2,1,2]]"
                       << "0/0 0/1 1/0 1/1 | 2/0 2/1 3/0 3/1 | 0/2 0/3 1/2 1/3 | 2/2 2/3 3/2 3/3";
  }
  void figure2() {
    QFETCH(QString, matrix);
    QFETCH(QString, markers);
    const Workspace workspace =
        test::workspaceOf("rack:1 server:2 cpu:2 gpu:4", "data=4,shards=4", "shards", matrix.toStdString());
    QVERIFY(checkMatrix(workspace.system, workspace.axes, workspace.matrix).ok());
    const Placement placement(workspace.axes, workspace.matrix);
    QStringList shown;
    for (std::int64_t device = 0; device < 16; ++device) {
      const auto at = placement.coordinates(Device(device));
      if (device > 0 && device % 4 == 0) shown.append(QStringLiteral("|"));
      shown.append(QStringLiteral("%1/%2").arg(at[0]).arg(at[1]));
    }
    QCOMPARE(shown.join(QLatin1Char(' ')), markers);
  }

  void coordinatesAndDevicesAreInverse() {
    const Workspace workspace = test::workspaceOf("a:2 b:6 c:4", "4,3,4", "0,2");
    MatrixEnumerator enumerator({4, 3, 4}, {2, 6, 4});
    int matrices = 0;
    while (enumerator.next()) {
      ++matrices;
      const Placement placement(workspace.axes, enumerator.matrix());
      for (const Device device : test::filled(placement.devices())) {
        QCOMPARE(placement.deviceAt(placement.coordinates(device)), device);
      }
    }
    QVERIFY(matrices > 1);
  }

  void reductionGroupsPartitionTheDevices() {
    const Workspace workspace = test::workspaceOf("a:2 b:6 c:4", "4,3,4", "0,2");
    MatrixEnumerator enumerator({4, 3, 4}, {2, 6, 4});
    while (enumerator.next()) {
      const Placement placement(workspace.axes, enumerator.matrix());
      QCOMPARE(placement.groupSize(), 16);
      std::set<Device> seen;
      for (std::int64_t group = 0; group < placement.groupCount(); ++group) {
        const DeviceGroup members = placement.groupMembers(group);
        QCOMPARE(std::ssize(members), placement.groupSize());
        QVERIFY(std::is_sorted(members.begin(), members.end()));
        for (const Device device : members) {
          QVERIFY(seen.insert(device).second);
          QCOMPARE(placement.groupOf(device), group);
          QCOMPARE(placement.coordinates(device)[1], placement.coordinates(members[0])[1]);
        }
      }
      QCOMPARE(seen.size(), 48u);
    }
  }
};

QTEST_APPLESS_MAIN(TestPlacement)
#include "tst_placement.moc"
