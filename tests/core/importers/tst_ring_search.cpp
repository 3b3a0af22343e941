// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>
#include <set>

#include "importers/detail/ring_search.h"

using namespace p2;

namespace {

LinkMatrix matrixOf(std::size_t gpus, const std::vector<std::array<int, 3>>& links) {
  LinkMatrix matrix(gpus, std::vector<int>(gpus, 0));
  for (const auto& [a, b, count] : links) {
    matrix[std::size_t(a)][std::size_t(b)] = matrix[std::size_t(b)][std::size_t(a)] = count;
  }
  return matrix;
}

LinkMatrix complete(std::size_t gpus, int links) {
  LinkMatrix matrix(gpus, std::vector<int>(gpus, links));
  for (std::size_t i = 0; i < gpus; ++i) matrix[i][i] = 0;
  return matrix;
}

/// Of NVIDIA's DGX-1 with V100.
LinkMatrix cubeMesh() {
  return matrixOf(8, {{0, 1, 1},
                      {0, 2, 1},
                      {0, 3, 2},
                      {0, 4, 2},
                      {1, 2, 2},
                      {1, 3, 1},
                      {1, 5, 2},
                      {2, 3, 2},
                      {2, 6, 1},
                      {3, 7, 1},
                      {4, 5, 1},
                      {4, 6, 1},
                      {4, 7, 2},
                      {5, 6, 2},
                      {5, 7, 1},
                      {6, 7, 2}});
}

/// Whether every ring passes every GPU once, and all together use no link twice.
bool areDisjoint(LinkMatrix links, const std::vector<std::vector<std::size_t>>& rings) {
  for (const auto& ring : rings) {
    if (std::set<std::size_t>(ring.begin(), ring.end()).size() != links.size() || ring.size() != links.size())
      return false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const std::size_t a = ring[i];
      const std::size_t b = ring[(i + 1) % ring.size()];
      if (--links[a][b] < 0 || --links[b][a] < 0) return false;
    }
  }
  return true;
}

}  // namespace

Q_DECLARE_METATYPE(LinkMatrix)

/// Rings through all GPUs that share no link.
class TestRingSearch : public QObject {
  Q_OBJECT
 private slots:
  void findsAllThereAre_data() {
    QTest::addColumn<LinkMatrix>("links");
    QTest::addColumn<int>("rings");
    QTest::newRow("DGX-1") << cubeMesh() << 3;
    QTest::newRow("a ring of two links") << matrixOf(4, {{0, 1, 2}, {1, 2, 2}, {2, 3, 2}, {3, 0, 2}}) << 2;
    QTest::newRow("four") << complete(4, 4) << 6;
    QTest::newRow("eight") << complete(8, 1) << 3;
    QTest::newRow("sixteen") << complete(16, 1) << 7;
    QTest::newRow("a chain") << matrixOf(4, {{0, 1, 2}, {1, 2, 2}, {2, 3, 2}}) << 0;
    QTest::newRow("two islands") << matrixOf(6, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {3, 4, 1}, {4, 5, 1}, {5, 3, 1}})
                                 << 0;
    QTest::newRow("a pair") << complete(2, 4) << 0;
    QTest::newRow("too many") << complete(17, 1) << 0;
  }
  void findsAllThereAre() {
    QFETCH(LinkMatrix, links);
    QFETCH(int, rings);
    const auto found = disjointRings(links);
    QCOMPARE(int(found.size()), rings);
    QVERIFY(areDisjoint(links, found));
  }

  void keepsBlocksTogether() {
    const std::vector<int> sockets{0, 0, 0, 0, 1, 1, 1, 1};
    const auto ring = ringInBlocks(cubeMesh(), {sockets});
    QVERIFY(areDisjoint(cubeMesh(), {ring}));
    int changes = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) changes += sockets[ring[i]] != sockets[ring[(i + 1) % 8]] ? 1 : 0;
    QCOMPARE(changes, 2);
    // Links between the sockets alone leave none that would stay in each.
    LinkMatrix across(4, std::vector<int>(4, 0));
    for (const auto& [a, b] : {std::pair{0, 2}, {0, 3}, {1, 2}, {1, 3}}) {
      across[std::size_t(a)][std::size_t(b)] = across[std::size_t(b)][std::size_t(a)] = 1;
    }
    QVERIFY(ringInBlocks(across, {{0, 0, 1, 1}}).empty());
    QCOMPARE(ringInBlocks(across, {}), (std::vector<std::size_t>{0, 2, 1, 3}));
  }
};

QTEST_APPLESS_MAIN(TestRingSearch)
#include "tst_ring_search.moc"
