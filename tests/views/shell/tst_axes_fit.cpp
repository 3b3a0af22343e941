// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/shell/axes_fit.h"

using namespace p2;
using namespace p2::views;

/// The live check of the axes against the system.
class TestAxesFit : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void says_data();
  void says();
  void saysWhatTheSystemLacks();
  void suggestedSizesFit();
};

void TestAxesFit::says_data() {
  QTest::addColumn<QString>("axes");
  QTest::addColumn<QString>("sentence");
  QTest::newRow("fits") << "data=8,model=2,shards=4"
                        << "fits: 64 = 8·2·4";
  QTest::newRow("one way") << "data=8,model=2,shards=3"
                           << "8·2·3 = 48 ≠ 64; shards = 4 would fit";
  QTest::newRow("several ways") << "data=8,shards=4"
                                << "8·4 = 32 ≠ 64; data = 16 or shards = 8 would fit";
  QTest::newRow("no way") << "data=3,shards=5"
                          << "3·5 = 15 ≠ 64; choose sizes that multiply to 64 = 2^6";
  QTest::newRow("one axis") << "data=48"
                            << "48 ≠ 64; data = 64 would fit";
  QTest::newRow("huge") << "a=9000000000000000000,b=9000000000000000000"
                        << "9000000000000000000·9000000000000000000 = over 2^63 ≠ 64; choose sizes that multiply "
                           "to 64 = 2^6";
}

void TestAxesFit::says() {
  QFETCH(QString, axes);
  const AxesFit fit = fitOf(test::valueOf(parseSystem("gcp-a100:4")), test::valueOf(parseAxes(axes.toStdString())));
  QTEST(fit.sentence, "sentence");
}

void TestAxesFit::saysWhatTheSystemLacks() {
  QCOMPARE(fitOf(System(), {{"data", 8, true}}).sentence, QString("the system has no devices; add a level"));
  System system = test::valueOf(parseSystem("node:2 gpu:4"));
  for (Level& level : system.levels) level.count = kMostDevices;
  QCOMPARE(fitOf(system, {{"data", 8, true}}).sentence,
           QString("the system has more than 16777216 devices; lower its counts"));
}

void TestAxesFit::suggestedSizesFit() {
  const System system = test::valueOf(parseSystem("rack:3 server:4 gpu:10"));
  const std::vector<Axis> axes = test::valueOf(parseAxes("a=6,b=5,c=2"));
  const AxesFit fit = fitOf(system, axes);
  QVERIFY(!fit.fits);
  QCOMPARE(fit.suggestions.size(), std::size_t(3));
  for (const auto& [axis, size] : fit.suggestions) {
    std::vector<Axis> mended = axes;
    mended[axis].size = size;
    QVERIFY(fitOf(system, mended).fits);
    QVERIFY(checkAxes(system, mended).ok());
  }
  QVERIFY(!fitOf(system, {}).fits);
}

QTEST_GUILESS_MAIN(TestAxesFit)
#include "tst_axes_fit.moc"
