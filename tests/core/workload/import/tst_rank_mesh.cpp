// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <numeric>

#include "workload/import/json_pieces.h"
#include "workload/import/rank_mesh.h"
#include "workload/import/time_spans.h"

using namespace p2;

namespace {

const char* const kPieces =
    " {\"a\": [1, {\"b\": \"]},\\\"[\"}], \"list\": [ {\"x\": 1}, 2 ,\"t\\\\\", [] ], \"n\": -1.5e3,\"e\":{} } ";
const char* const kSeen = "a=[1, {\"b\": \"]},\\\"[\"}];<{\"x\": 1}><2><\"t\\\\\"><[]>n=-1.5e3;e={};";

QString blocksText(const std::vector<std::int64_t>& ranks) {
  const auto blocks = blocksOf(ranks);
  if (!blocks) return "none";
  QStringList words;
  for (const RankBlock& block : *blocks) words << QString("%1x%2").arg(block.stride).arg(block.size);
  return words.join(' ');
}

QString meshText(const RankMesh& mesh) {
  QStringList words;
  for (const Axis& axis : mesh.axes()) words << QString::fromStdString(axis.name) + "=" + QString::number(axis.size);
  return words.join(' ');
}

}  // namespace

class TestRankMesh : public QObject {
  Q_OBJECT
 private slots:
  void ranksAreBlocks_data() {
    QTest::addColumn<QList<qint64>>("ranks");
    QTest::addColumn<QString>("blocks");
    QTest::newRow("run") << QList<qint64>{8, 9, 10, 11} << "1x4";
    QTest::newRow("strided") << QList<qint64>{1, 9, 17, 25} << "8x4";
    QTest::newRow("two axes") << QList<qint64>{0, 1, 4, 5, 8, 9, 12, 13} << "1x2 4x4";
    QTest::newRow("any order") << QList<qint64>{9, 0, 8, 1} << "1x2 8x2";
    QTest::newRow("one rank") << QList<qint64>{5} << "";
    QTest::newRow("a gap") << QList<qint64>{0, 1, 3} << "none";
    QTest::newRow("not where a block begins") << QList<qint64>{2, 3, 4, 5} << "none";
    QTest::newRow("twice") << QList<qint64>{1, 1} << "none";
    QTest::newRow("too large") << QList<qint64>{0, INT64_MAX} << "none";
    QTest::newRow("negative") << QList<qint64>{-1, 0} << "none";
    QTest::newRow("nothing") << QList<qint64>{} << "none";
  }
  void ranksAreBlocks() {
    QFETCH(QList<qint64>, ranks);
    QFETCH(QString, blocks);
    QCOMPARE(blocksText({ranks.begin(), ranks.end()}), blocks);
  }

  void groupsMakeAMesh() {
    RankMesh mesh(64);
    QVERIFY(mesh.add("tp", {{1, 8}}));
    QVERIFY(mesh.add("pp", {{32, 2}}));
    QCOMPARE(meshText(mesh), QString("pp=2 axis1=4 tp=8"));
    QVERIFY(mesh.add("dp", {{8, 4}}));
    QCOMPARE(meshText(mesh), QString("pp=2 dp=4 tp=8"));
    QCOMPARE(mesh.axesOf({{1, 32}}), (std::vector<std::string>{"dp", "tp"}));
  }

  void twoFactorizationsAreOneFinerMesh() {
    RankMesh mesh(256);
    QVERIFY(mesh.add("tp", {{1, 8}}));
    QVERIFY(mesh.add("dp", {{8, 32}}));
    QVERIFY(mesh.add("ep", {{1, 64}}));
    QCOMPARE(meshText(mesh), QString("dp=4 ep=8 tp=8"));
    QCOMPARE(mesh.axesOf({{1, 64}}), (std::vector<std::string>{"ep", "tp"}));
    QCOMPARE(mesh.axesOf({{8, 32}}), (std::vector<std::string>{"dp", "ep"}));
  }

  void whatHasNoCommonRefinementIsRefused() {
    RankMesh mesh(72);
    QVERIFY(mesh.add("tp", {{1, 8}}));
    const QString before = meshText(mesh);
    QVERIFY(!mesh.add("ep", {{1, 12}}));
    QVERIFY(!mesh.add("beyond", {{8, 18}}));
    QVERIFY(!mesh.add("overflow", {{INT64_MAX / 2, 4}}));
    QCOMPARE(meshText(mesh), before);
  }

  void everyRankOfAMeshHasItsPlace() {
    // Whatever groups are added, sizes multiply to the world.
    RankMesh mesh(96);
    for (const RankBlock block : {RankBlock{1, 4}, {2, 6}, {12, 8}, {4, 3}, {48, 2}}) (void)mesh.add("g", {block});
    std::int64_t product = 1;
    for (const Axis& axis : mesh.axes()) product *= axis.size;
    QCOMPARE(product, std::int64_t(96));
  }

  void spansAreIntersected() {
    const auto joined = unionOf({{5, 7}, {0, 2}, {1, 3}, {6, 6.5}, {9, 9}});
    QCOMPARE(joined.size(), std::size_t(2));
    QCOMPARE(lengthOf(joined), 5.0);
    QCOMPARE(lengthWithin({2, 6}, joined), 2.0);
    QCOMPARE(lengthWithin({3, 5}, joined), 0.0);
    QCOMPARE(lengthWithin({-1, 100}, joined), 5.0);
  }

  void jsonIsCutWhereverItIsBroken() {
    const std::string text = kPieces;
    for (std::size_t size = 1; size <= text.size(); ++size) {
      QString seen;
      JsonPieces pieces(
          "list",
          [&](std::string_view key, std::string_view value) {
            seen += QString::fromStdString(std::string(key) + "=" + std::string(value) + ";");
            return Result<void>();
          },
          [&](std::string_view item) {
            seen += QString::fromStdString("<" + std::string(item) + ">");
            return Result<void>();
          });
      for (std::size_t at = 0; at < text.size(); at += size) QVERIFY(pieces.feed(text.substr(at, size)).ok());
      QVERIFY(pieces.finish().ok());
      QCOMPARE(seen, QString(kSeen));
    }
  }
};

QTEST_APPLESS_MAIN(TestRankMesh)
#include "tst_rank_mesh.moc"
