// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "support/filled.h"
#include "support/fixtures.h"
#include "synthesis/instruction.h"

using namespace p2;

class TestSynthesisHierarchy : public QObject {
  Q_OBJECT

  /// "A0 B0 | A1 B1": devices lettered by CPU as in the paper.
  static QString groupsText(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern) {
    QStringList groups;
    for (const DeviceGroup& group : hierarchy.groups(pattern)) {
      QStringList devices;
      for (const Device d : group)
        devices.append(QStringLiteral("%1%2").arg(QChar('A' + int(d.value() / 4))).arg(d.value() % 4));
      groups.append(devices.join(QLatin1Char(' ')));
    }
    return groups.join(QStringLiteral(" | "));
  }

  static QString levelsText(const SynthesisHierarchy& hierarchy) {
    QStringList levels;
    for (const SynthesisLevel& level : hierarchy.levels()) {
      levels.append(QStringLiteral("%1:%2").arg(QString::fromStdString(level.name)).arg(level.size));
    }
    return levels.join(QLatin1Char(' '));
  }

 private slots:
  // Table 2 of the paper: hierarchy rack 1, server 2, CPU 2, GPU 4.
  void table2_data() {
    QTest::addColumn<QString>("instruction");
    QTest::addColumn<QString>("groups");
    QTest::newRow("cpu InsideGroup") << "cpu:InsideGroup:AllReduce"
                                     << "A0 A1 A2 A3 | B0 B1 B2 B3 | C0 C1 C2 C3 | D0 D1 D2 D3";
    QTest::newRow("cpu Parallel(server)") << "cpu:Parallel(server):AllReduce"
                                          << "A0 B0 | A1 B1 | A2 B2 | A3 B3 | C0 D0 | C1 D1 | C2 D2 | C3 D3";
    QTest::newRow("cpu Parallel(rack)") << "cpu:Parallel(rack):AllReduce"
                                        << "A0 B0 C0 D0 | A1 B1 C1 D1 | A2 B2 C2 D2 | A3 B3 C3 D3";
    QTest::newRow("cpu Master(rack)") << "cpu:Master(rack):AllReduce"
                                      << "A0 B0 C0 D0";
    QTest::newRow("server InsideGroup") << "server:InsideGroup:AllReduce"
                                        << "A0 A1 A2 A3 B0 B1 B2 B3 | C0 C1 C2 C3 D0 D1 D2 D3";
    QTest::newRow("server Parallel(rack)") << "server:Parallel(rack):AllReduce"
                                           << "A0 C0 | A1 C1 | A2 C2 | A3 C3 | B0 D0 | B1 D1 | B2 D2 | B3 D3";
    QTest::newRow("rack InsideGroup") << "rack:InsideGroup:AllReduce"
                                      << "A0 A1 A2 A3 B0 B1 B2 B3 C0 C1 C2 C3 D0 D1 D2 D3";
  }
  void table2() {
    QFETCH(QString, instruction);
    QFETCH(QString, groups);
    const System system = test::valueOf(parseSystem("rack:1 server:2 cpu:2 gpu:4"));
    const SynthesisHierarchy hierarchy(system, test::wholeReduction(system), HierarchyKind::System);
    const Program program = test::valueOf(parseProgram(hierarchy, instruction.toStdString()));
    QCOMPARE(groupsText(hierarchy, program[0].pattern), groups);
  }

  // Table 1 on the running example: matrix [[1,1,2,2],[1,2,1,2]], reduction over the second axis.
  void table1() {
    const Workspace workspace = test::workspaceOf("rack:1 server:2 cpu:2 gpu:4", "data=4,shards=4", "shards");
    const Placement placement(workspace.axes, test::valueOf(parseMatrix("[[1,1,2,2],[1,2,1,2]]")));
    const auto levels = [&](HierarchyKind kind) {
      return levelsText(SynthesisHierarchy(workspace.system, placement, kind));
    };
    QCOMPARE(levels(HierarchyKind::System), QStringLiteral("server:2 cpu:2 gpu:4"));
    QCOMPARE(levels(HierarchyKind::ColumnBased), QStringLiteral("server/shards:2 cpu/data:2 gpu/data:2 gpu/shards:2"));
    QCOMPARE(levels(HierarchyKind::RowBased), QStringLiteral("cpu/data:2 gpu/data:2 server/shards:2 gpu/shards:2"));
    QCOMPARE(levels(HierarchyKind::ReductionAxes), QStringLiteral("server:2 gpu:2"));
  }

  // Several reduction axes: the factors of one hardware level are one level, in hardware order.
  void reductionAxesCollapse() {
    const Workspace workspace = test::workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards");
    const Placement placement(workspace.axes, test::valueOf(parseMatrix("[[2,4],[1,2],[2,2]]")));
    const SynthesisHierarchy hierarchy(workspace.system, placement);
    QCOMPARE(levelsText(hierarchy), QStringLiteral("node:4 gpu:8"));
    QCOMPARE(hierarchy.deviceCount(), 32);
  }

  void loweredGroupsPartitionTheDevices() {
    const Workspace workspace = test::workspaceOf("a:2 b:6 c:4", "4,3,4", "0,2");
    MatrixEnumerator enumerator({4, 3, 4}, {2, 6, 4});
    while (enumerator.next()) {
      const Placement placement(workspace.axes, enumerator.matrix());
      const SynthesisHierarchy hierarchy(workspace.system, placement);
      for (const GroupPattern& pattern : groupPatterns(hierarchy.levelCount())) {
        std::set<Device> seen;
        for (const DeviceGroup& group : hierarchy.groups(pattern)) {
          QVERIFY(group.size() > 1);
          QCOMPARE(std::int64_t(group.size()), hierarchy.groupSize(pattern));
          QVERIFY(std::is_sorted(group.begin(), group.end()));
          for (const Device device : group) {
            QVERIFY(seen.insert(device).second);
            QCOMPARE(placement.groupOf(device), placement.groupOf(group[0]));
          }
        }
        QCOMPARE(seen.size() == 48u, !pattern.master);
      }
    }
  }

  void membersAreNumberedInDeviceOrder() {
    const Workspace workspace = test::workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards");
    const Placement placement(workspace.axes, test::valueOf(parseMatrix("[[2,4],[1,2],[2,2]]")));
    const SynthesisHierarchy hierarchy(workspace.system, placement);
    for (std::int64_t group = 0; group < placement.groupCount(); ++group) {
      std::int64_t member = 0;
      for (const Device device : test::filled(placement.groupMembers(group)))
        QCOMPARE(hierarchy.memberOf(device), MemberId(member++));
    }
  }
};

QTEST_APPLESS_MAIN(TestSynthesisHierarchy)
#include "tst_synthesis_hierarchy.moc"
