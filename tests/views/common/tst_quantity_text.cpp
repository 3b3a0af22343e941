// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "base/units.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/quantity_text.h"

using namespace p2;
using namespace p2::views;

/// Quantities as they are put into editors: pretty where that is exact, and always exact.
class TestQuantityText : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void spells_data();
  void spells();
  void readsBackExactly_data();
  void readsBackExactly();
  void readsWhatIsTyped_data();
  void readsWhatIsTyped();
  void questionsSlips_data();
  void questionsSlips();
};

void TestQuantityText::spells_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("expected");
  QTest::newRow("gigabytes") << editableBandwidth(270e9) << "270GB/s";
  QTest::newRow("no zeros") << editableBandwidth(8e9) << "8GB/s";
  QTest::newRow("fraction") << editableBandwidth(12.5e9) << "12.5GB/s";
  QTest::newRow("odd bandwidth") << editableBandwidth(123456789) << "123.456789MB/s";
  QTest::newRow("micro") << editableSeconds(2e-6) << "2µs";
  QTest::newRow("no latency") << editableSeconds(0) << "0s";
  QTest::newRow("binary") << editableBytes(Bytes(2147483648.0)) << "2GiB";
  QTest::newRow("decimal") << editableBytes(Bytes(512e6)) << "512MB";
  QTest::newRow("odd bytes") << editableBytes(Bytes(1234567)) << "1234567B";
}

void TestQuantityText::spells() {
  QFETCH(QString, text);
  QTEST(text, "expected");
}

void TestQuantityText::readsBackExactly_data() {
  QTest::addColumn<double>("number");
  for (const double number : {1.0, 1.5, 8e9, 270e9, 123456789.0, 5e17, 1099511627776.0, 1536.0}) {
    QTest::addRow("%g", number) << number;
  }
}

void TestQuantityText::readsBackExactly() {
  QFETCH(double, number);
  QCOMPARE(test::valueOf(parseBandwidth(editableBandwidth(number).toStdString())), number);
  for (const double seconds : {1e-9, 2.5e-6, 1.0 / 3, 1536.0}) {
    QCOMPARE(test::valueOf(parseSeconds(editableSeconds(seconds).toStdString())), seconds);
  }
  QCOMPARE(test::valueOf(parseBytes(editableBytes(Bytes(number)).toStdString())), Bytes(number));
}

void TestQuantityText::readsWhatIsTyped_data() {
  QTest::addColumn<QString>("typed");
  QTest::addColumn<double>("before");
  QTest::addColumn<double>("expected");
  QTest::newRow("the unit shown") << "100" << 270e9 << 100e9;
  QTest::newRow("another unit shown") << "100" << 5e6 << 100e6;
  QTest::newRow("with blanks") << "  100 " << 270e9 << 100e9;
  QTest::newRow("its own unit") << "100Gbit/s" << 270e9 << 12.5e9;
  QTest::newRow("bytes are said") << "100B/s" << 270e9 << 100.0;
  QTest::newRow("comma") << "1,5GB/s" << 270e9 << 1.5e9;
  QTest::newRow("comma without a unit") << "1,5" << 270e9 << 1.5e9;
  QTest::newRow("point without a unit") << "1.5" << 270e9 << 1.5e9;
  QTest::newRow("digits shown") << "7" << 123456789.0 << 7e6;
  QTest::newRow("nothing shown") << "7" << 0.0 << -1.0;
  QTest::newRow("nothing shown, bytes") << "7e9" << 0.0 << 7e9;
  QTest::newRow("two signs") << "1,5.5GB/s" << 270e9 << -1.0;
  QTest::newRow("no number") << "quick" << 270e9 << -1.0;
}

void TestQuantityText::readsWhatIsTyped() {
  QFETCH(QString, typed);
  QFETCH(double, before);
  QFETCH(double, expected);
  const auto read = typedBandwidth(typed, before);
  QCOMPARE(read.ok(), expected > 0);
  if (read.ok()) QCOMPARE(*read, expected);
}

void TestQuantityText::questionsSlips_data() {
  QTest::addColumn<QString>("stated");
  QTest::addColumn<QString>("expected");
  QTest::newRow("a thousandfold is no slip") << doubtOfBandwidth(1e9, 1e12) << "";
  QTest::newRow("more") << doubtOfBandwidth(1e9, 1.5e12) << "1.50 TB/s is 1500 times as much as 1.00 GB/s.";
  QTest::newRow("less") << doubtOfBandwidth(270e9, 100) << "100 B/s is 2.7 billion times less than 270 GB/s.";
  QTest::newRow("seconds") << doubtOfSeconds(2e-6, 2) << "2.00 s is 1 million times as much as 2.00 µs.";
  QTest::newRow("from nothing") << doubtOfSeconds(0, 2) << "";
}

void TestQuantityText::questionsSlips() {
  QFETCH(QString, stated);
  QTEST(stated, "expected");
}

QTEST_GUILESS_MAIN(TestQuantityText)
#include "tst_quantity_text.moc"
