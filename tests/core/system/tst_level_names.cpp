// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "system/level_names.h"

using namespace p2;

class TestLevelNames : public QObject {
  Q_OBJECT
 private slots:
  void levelsAreToldByTheirNames() {
    for (const char* name : {"node", "Server", "servers", "HOSTS", "machine"}) {
      QVERIFY2(levelSortOf(name) == LevelSort::Machine, name);
    }
    for (const char* name : {"cpu", "CPUs", "socket", "numa", "bridge2", "l3"})
      QVERIFY2(levelSortOf(name) == LevelSort::Socket, name);
    for (const char* name : {"gpu", "GPUs", "tpu"}) QVERIFY2(levelSortOf(name) == LevelSort::Accelerator, name);
    for (const char* name : {"", "s", "rack", "pod", "nodess", "cpu-0"}) {
      QVERIFY2(levelSortOf(name) == LevelSort::Other, name);
    }
  }

  void nodesAreTheMachines_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("node");
    QTest::addColumn<qlonglong>("nodes");
    QTest::newRow("right above the devices") << "pod:2 node:4 gpu:8"
                                             << "" << 8ll;
    QTest::newRow("a server with sockets") << "rack:3 server:2 cpu:2 gpu:4"
                                           << "server" << 6ll;
    QTest::newRow("two kinds of parts") << "Hosts:2 numa:2 pcie:2 gpu:2"
                                        << "Hosts" << 2ll;
    QTest::newRow("no machine by name") << "rack:3 cpu:2 gpu:4"
                                        << "rack" << 3ll;
    QTest::newRow("nothing known") << "a:3 b:2 c:4"
                                   << "" << 6ll;
    QTest::newRow("nothing but sockets") << "cpu:2 gpu:4"
                                         << "root" << 1ll;
    QTest::newRow("machines are the devices") << "rack:3 switch:2 server:4"
                                              << "" << 6ll;
    QTest::newRow("one level") << "gpu:8"
                               << "" << 1ll;
  }
  void nodesAreTheMachines() {
    QFETCH(QString, system);
    QFETCH(QString, node);
    QFETCH(qlonglong, nodes);
    const System drawn = test::valueOf(parseSystem(system.toStdString()));
    QCOMPARE(drawn.node, node.toStdString());
    QCOMPARE(nodeCount(drawn), nodes);
  }

  void hostsAreNodesOrTheirTrays_data() {
    QTest::addColumn<QString>("levels");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("accelerator");
    QTest::addColumn<qlonglong>("devices");
    const auto row = [](const char* name, const char* levels, const char* node, const char* type, qlonglong devices) {
      QTest::newRow(name) << levels << node << type << devices;
    };
    row("nodes", "node:2 gpu:8", "", "H100", 8);
    row("sockets are no hosts", "node:2 cpu:2 gpu:4", "node", "H100", 8);
    row("racks of NVL72", "rack:2 gpu:72", "rack", "GB200", 4);
    row("the GPUs of a job", "rack:1 gpu:6", "rack", "GB300", 3);
    row("a part of a tray", "rack:1 gpu:2", "rack", "GB300", 2);
    row("drawn trays", "rack:2 tray:18 gpu:4", "rack", "", 4);
    row("drawn nodes in a rack", "rack:2 node:16 gpu:2", "rack", "GH200", 2);
    row("trays are nodes", "rack:2 tray:18 gpu:4", "", "GB200", 4);
    row("72 others", "rack:2 gpu:72", "rack", "B200", 72);
  }
  void hostsAreNodesOrTheirTrays() {
    QFETCH(QString, levels);
    QFETCH(QString, node);
    QFETCH(QString, accelerator);
    QFETCH(qlonglong, devices);
    System drawn = test::valueOf(parseSystem(levels.toStdString()));
    drawn.node = node.toStdString();
    drawn.accelerator.type = accelerator.toStdString();
    QCOMPARE(devicesPerHost(drawn), devices);
  }
};

QTEST_APPLESS_MAIN(TestLevelNames)
#include "tst_level_names.moc"
