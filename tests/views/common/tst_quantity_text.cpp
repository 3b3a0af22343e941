// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "base/units.h"
#include "support/fixtures.h"
#include "views/common/quantity_text.h"

using namespace p2;
using namespace p2::views;

/// Quantities as they are put into editors: pretty where that is exact, and always exact.
class TestQuantityText : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
  void spells_data();
  void spells();
  void readsBackExactly_data();
  void readsBackExactly();
};

void TestQuantityText::spells_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("expected");
  QTest::newRow("gigabytes") << editableBandwidth(270e9) << "270GB/s";
  QTest::newRow("no zeros") << editableBandwidth(8e9) << "8GB/s";
  QTest::newRow("fraction") << editableBandwidth(12.5e9) << "12.5GB/s";
  QTest::newRow("odd bandwidth") << editableBandwidth(123456789) << "123456789";
  QTest::newRow("micro") << editableSeconds(2e-6) << "2µs";
  QTest::newRow("no latency") << editableSeconds(0) << "0s";
  QTest::newRow("binary") << editableBytes(2147483648.0) << "2GiB";
  QTest::newRow("decimal") << editableBytes(512e6) << "512MB";
  QTest::newRow("odd bytes") << editableBytes(1234567) << "1234567";
}

void TestQuantityText::spells() {
  QFETCH(QString, text);
  QTEST(text, "expected");
}

void TestQuantityText::readsBackExactly_data() {
  QTest::addColumn<double>("number");
  for (const double number : {1.0, 1e-9, 2.5e-6, 1.0 / 3, 8e9, 270e9, 123456789.0, 3e18, 1099511627776.0, 1536.0}) {
    QTest::addRow("%g", number) << number;
  }
}

void TestQuantityText::readsBackExactly() {
  QFETCH(double, number);
  QCOMPARE(test::valueOf(parseBandwidth(editableBandwidth(number).toStdString())), number);
  QCOMPARE(test::valueOf(parseSeconds(editableSeconds(number).toStdString())), number);
  QCOMPARE(test::valueOf(parseBytes(editableBytes(number).toStdString())), number);
}

QTEST_GUILESS_MAIN(TestQuantityText)
#include "tst_quantity_text.moc"
