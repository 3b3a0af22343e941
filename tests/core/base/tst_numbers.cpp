// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cstdint>
#include <limits>

#include "base/numbers.h"

using namespace p2;

class TestNumbers : public QObject {
  Q_OBJECT
 private slots:
  void countsOutgrow64Bits() {
    const Count big(UINT64_MAX);
    QCOMPARE(big.toString(), std::string("18446744073709551615"));
    QCOMPARE((big * 1000).toString(), std::string("18446744073709551615000"));
    QVERIFY(!(big + 1).fits64());
    QCOMPARE((big + 1).clamped64(), UINT64_MAX);
    QCOMPARE(Count(0).toString(), std::string("0"));
  }

  void countsSaturate() {
    Count most = Count(UINT64_MAX) * Count(UINT64_MAX);
    most = most * most;
    QCOMPARE((most + 1).toString(), std::string("340282366920938463463374607431768211455"));
    QVERIFY(most + 1 == most);
  }

  void productsAreChecked() {
    const std::vector<std::int64_t> fits{4, 5, 6};
    const std::vector<std::int64_t> tooLarge(3, std::int64_t{1} << 31);
    QCOMPARE(*checkedProduct(fits), 120);
    QVERIFY(!checkedProduct(tooLarge));
    QVERIFY(!checkedProduct(std::numeric_limits<std::int64_t>::max(), 2));
  }

  void divisors() {
    QCOMPARE(divisorsOf(1), (std::vector<std::int64_t>{1}));
    QCOMPARE(divisorsOf(36), (std::vector<std::int64_t>{1, 2, 3, 4, 6, 9, 12, 18, 36}));
    QCOMPARE(divisorsOf(97), (std::vector<std::int64_t>{1, 97}));
  }

  void integers_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("ok");
    QTest::addColumn<qlonglong>("value");
    QTest::newRow("plain") << "42" << true << 42LL;
    QTest::newRow("signs and blanks") << " +7 " << true << 7LL;
    QTest::newRow("negative") << "-3" << true << -3LL;
    QTest::newRow("empty") << "" << false << 0LL;
    QTest::newRow("word") << "four" << false << 0LL;
    QTest::newRow("fraction") << "4.0" << false << 0LL;
    QTest::newRow("too large") << "99999999999999999999" << false << 0LL;
    QTest::newRow("trailing") << "4x" << false << 0LL;
  }
  void integers() {
    QFETCH(QString, text);
    QFETCH(bool, ok);
    QFETCH(qlonglong, value);
    const auto parsed = parseInteger(text.toStdString());
    QCOMPARE(parsed.has_value(), ok);
    if (ok) QCOMPARE(qlonglong(*parsed), value);
  }

  void exactNumbersReadBack() {
    for (const double value : {0.1, 1.0 / 3, 2147483648.0, 5e-324, 1e300}) {
      QCOMPARE(QString::fromStdString(exactNumber(value)).toDouble(), value);
    }
  }
};

QTEST_APPLESS_MAIN(TestNumbers)
#include "tst_numbers.moc"
