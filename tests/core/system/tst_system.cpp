// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <limits>

#include "support/fixtures.h"

using namespace p2;

class TestSystem : public QObject {
  Q_OBJECT
 private slots:
  void presetsAreThePapersSystems() {
    const System a100 = test::valueOf(parseSystem("gcp-a100:4"));
    QCOMPARE(a100.counts(), (std::vector<std::int64_t>{4, 16}));
    QCOMPARE(a100.levels[0].interconnect.bandwidth, 8e9);
    QCOMPARE(a100.levels[1].interconnect.bandwidth, 270e9);
    const System v100 = test::valueOf(parseSystem("gcp-v100:2"));
    QCOMPARE(v100.counts(), (std::vector<std::int64_t>{2, 8}));
    QCOMPARE(v100.levels[1].interconnect.kind, InterconnectKind::Ring);
    QCOMPARE(v100.levels[1].interconnect.bandwidth, 135e9);
    QCOMPARE(test::valueOf(parseSystem("gcp-a100")).levels[0].count, 4);
  }

  void nodesAreTheLevelNamedOrTheInnermostAboveTheDevices() {
    System system = test::valueOf(parseSystem("pod:2 rack:3 tray:18 gpu:4"));
    QCOMPARE(nodeDepth(system), std::size_t(3));
    system.node = "rack";
    QVERIFY(checkParts(system).ok());
    QCOMPARE(nodeDepth(system), std::size_t(2));
    system.node = "pod";
    QCOMPARE(nodeDepth(system), std::size_t(1));
    QCOMPARE(nodeDepth(test::valueOf(parseSystem("gpu:8"))), std::size_t(0));
    system.node = "root";
    QVERIFY(checkParts(system).ok());
    QCOMPARE(nodeDepth(system), std::size_t(0));
    QCOMPARE(nodeCount(system), std::int64_t(1));
    for (const char* name : {"gpu", "socket"}) {
      system.node = name;
      const auto checked = checkParts(system);
      QVERIFY(!checked.ok());
      QCOMPARE(checked.error().where.part, std::string("/node"));
      QVERIFY(QString::fromStdString(checked.error().message).contains("use pod, rack, tray, or none"));
    }
  }

  void syntheticStrings() {
    const System plain = test::valueOf(parseSystem("rack:1 server:2 cpu:2 gpu:4"));
    QCOMPARE(plain.deviceCount(), 16);
    QCOMPARE(shapeOf(plain), std::string("rack:1 server:2 cpu:2 gpu:4"));
    QCOMPARE(plain.levels[2].interconnect.bandwidth, 32e9);
    QCOMPARE(plain.levels[3].interconnect.bandwidth, 270e9);
    const System dressed = test::valueOf(parseSystem("node:4@100Gbit/s gpu:16@300GB/s,2us,ring"));
    QCOMPARE(dressed.levels[0].interconnect.bandwidth, 12.5e9);
    QCOMPARE(dressed.levels[1].interconnect.latency, 2e-6);
    QCOMPARE(dressed.levels[1].interconnect.kind, InterconnectKind::Ring);
    QCOMPARE(describe(dressed), std::string("4 nodes × 16 GPUs"));
  }

  void badTextGetsOneSentence_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");  // what the sentence must mention
    QTest::newRow("empty") << ""
                           << "empty";
    QTest::newRow("blank") << "   "
                           << "empty";
    QTest::newRow("no count") << "node gpu:4"
                              << "node";
    QTest::newRow("word for a count") << "gpu:four"
                                      << "gpu:four";
    QTest::newRow("zero") << "node:0 gpu:4"
                          << "0 instances";
    QTest::newRow("negative") << "gpu:-4"
                              << "-4";
    QTest::newRow("huge") << "gpu:1000000000000"
                          << "1000000000000";
    QTest::newRow("huge product") << "a:100000 b:100000"
                                  << "devices";
    QTest::newRow("overflowing product") << "a:9000000000000000000 b:9000000000000000000"
                                         << "devices";
    QTest::newRow("twice") << "gpu:2 gpu:4"
                           << "twice";
    QTest::newRow("reserved") << "root:2 gpu:4"
                              << "root";
    QTest::newRow("bad bandwidth") << "gpu:4@0GB/s"
                                   << "0GB/s";
    QTest::newRow("bad attribute") << "gpu:4@fast"
                                   << "fast";
    QTest::newRow("preset without a number") << "gcp-a100:x"
                                             << "gcp-a100:x";
    QTest::newRow("preset of no nodes") << "gcp-a100:0"
                                        << "0 instances";
    QTest::newRow("unknown word") << "dgx"
                                  << "dgx";
    QTest::newRow("no name") << ":4"
                             << ":4";
    QTest::newRow("too many levels") << QStringLiteral("a:1 b:1 c:1 d:1 e:1 f:1 g:1 h:1 i:1 j:1 k:1 l:1 m:1") << "13";
  }
  void badTextGetsOneSentence() {
    QFETCH(QString, text);
    QFETCH(QString, names);
    const auto system = parseSystem(text.toStdString());
    QVERIFY(!system.ok());
    const QString sentence = QString::fromStdString(system.error().text());
    QVERIFY2(sentence.contains(names), qPrintable(sentence));
    QVERIFY2(!sentence.contains(QLatin1Char('\n')), qPrintable(sentence));
  }

  void impossibleInterconnectsAreRefused() {
    System system = test::valueOf(parseSystem("gpu:4"));
    for (const double bandwidth : {0.0, -1.0, double(INFINITY), double(NAN)}) {
      system.levels[0].interconnect.bandwidth = bandwidth;
      QVERIFY(!validated(system).ok());
    }
    system.levels[0].interconnect = {InterconnectKind::Switch, 1e9, -1, "x"};
    QVERIFY(!validated(system).ok());
  }
};

QTEST_APPLESS_MAIN(TestSystem)
#include "tst_system.moc"
