// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "mapping/mesh.h"
#include "support/fixtures.h"

using namespace p2;

class TestMesh : public QObject {
  Q_OBJECT

 private slots:
  // Each is placed by a matrix of the system's, axes from the outermost on, none twice under other names.
  void meshesArePlacements_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("axes");
    QTest::addColumn<int>("count");
    QTest::newRow("two nodes of four") << "node:2 gpu:4" << 3 << 4;
    QTest::newRow("four nodes of four") << "node:4 gpu:4" << 3 << 8;
    QTest::newRow("a prime") << "gpu:7" << 1 << 1;
    QTest::newRow("two primes") << "node:3 gpu:2" << 2 << 2;
  }
  void meshesArePlacements() {
    QFETCH(QString, system);
    QFETCH(int, axes);
    QFETCH(int, count);
    const System drawn = test::valueOf(parseSystem(system.toStdString()));
    std::set<std::multiset<std::vector<std::int64_t>>> seen;
    int most = 0;
    for (const Mesh& mesh : meshesOf(drawn)) {
      most = std::max(most, int(mesh.sizes.size()));
      QVERIFY(checkMatrix(drawn, mesh.axes(), mesh.matrix).ok());
      std::multiset<std::vector<std::int64_t>> rows;
      std::vector<std::int64_t> outer;
      for (std::size_t row = 0; row < mesh.sizes.size(); ++row) {
        std::vector<std::int64_t> factors;
        for (std::size_t level = 0; level < mesh.matrix.columns(); ++level) {
          factors.push_back(mesh.matrix.at(row, level));
        }
        QVERIFY(row == 0 || factors <= outer);
        outer = factors;
        rows.insert(std::move(factors));
      }
      QVERIFY(seen.insert(std::move(rows)).second);
    }
    QCOMPARE(int(seen.size()), count);
    QCOMPARE(most, axes);
  }

  // On a ring it matters which axis is the slower one, but only inside the ring. Of 16 = 16, 2·8, 4·4 and 2·2·4 there
  // are 1 + 2 + 1 + 3 lists. Of two nodes of eight, 1 + 1 + 2 of those whose axes stay in nodes or alone leave them,
  // and 2 + 2 + 3 where the axis that leaves them has a part of them as well.
  void besideNeighboursEveryOrderIsAMesh_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("count");
    QTest::newRow("a ring") << "gpu:16@50GB/s,ring" << 7;
    QTest::newRow("rings in nodes") << "node:2@10GB/s gpu:8@50GB/s,ring" << 11;
    QTest::newRow("switches") << "node:2@10GB/s gpu:8@50GB/s" << 6;
    QTest::newRow("too short") << "node:8@10GB/s gpu:2@50GB/s,ring" << 6;
  }
  void besideNeighboursEveryOrderIsAMesh() {
    QFETCH(QString, system);
    QFETCH(int, count);
    const System drawn = test::valueOf(parseSystem(system.toStdString()));
    std::set<ParallelismMatrix> seen;
    for (const Mesh& mesh : meshesOf(drawn)) {
      QVERIFY(checkMatrix(drawn, mesh.axes(), mesh.matrix).ok());
      QVERIFY(seen.insert(mesh.matrix).second);
    }
    QCOMPARE(int(seen.size()), count);
  }

  // A quarter of a ring is none, and has the neighbours that it has in the ring.
  void aPartHasItsNeighbours() {
    System ring = test::valueOf(parseSystem("chip:16@50GB/s"));
    ring.levels[0].interconnect.kind = InterconnectKind::None;
    ring.networks = {test::networkOf(InterconnectKind::Ring, 50e9, "ring", "", 1, "chip")};
    System part = ring;
    part.levels[0].count = 8;
    // 8, 2·4 and 4·2, 2·2·2; of chips on a switch one less.
    QCOMPARE(int(meshesOf(part, ring).size()), 4);
    QCOMPARE(int(meshesOf(part, test::valueOf(parseSystem("chip:16@50GB/s"))).size()), 3);
  }
};

QTEST_APPLESS_MAIN(TestMesh)
#include "tst_mesh.moc"
